import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from 'vitepress'
import { OUTPUT } from './stage/paths.js'

if (!existsSync(OUTPUT)) throw new Error('The site is not built yet. Run: npm run docs')
await serve({ root: fileURLToPath(new URL('.', import.meta.url)), port: Number(process.env.PORT ?? 4173) })
