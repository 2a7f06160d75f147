import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { checkLinks } from './check-links.js'
import { describeExports } from './stage/describe-exports.js'
import { OUTPUT, STAGE } from './stage/places.js'
import { stage } from './stage/stage.js'

// The site in three steps: its pages as Markdown in build/site-pages, the pages as HTML in build/site, and a look at every link of those.

rmSync(STAGE, { recursive: true, force: true })
rmSync(OUTPUT, { recursive: true, force: true })
await describeExports()
stage()
await build(fileURLToPath(new URL('.', import.meta.url)))

const { pages, links, broken } = checkLinks(OUTPUT, process.env.DOCS_BASE ?? '/')
for (const line of broken) console.error(line)
console.log(`${pages} pages, ${links} links, ${broken.length} of them broken.`)
if (broken.length > 0 || pages === 0) process.exitCode = 1
