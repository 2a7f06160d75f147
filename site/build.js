import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { checkLinks } from './check-links.js'
import { describeExports } from './stage/describe-exports.js'
import { OUTPUT, STAGE } from './stage/paths.js'
import { stage } from './stage/stage.js'
import { brokenTextLinks, writeTexts } from './stage/texts.js'

// Builds the site: writes Markdown to build/site-pages, generates HTML in build/site, and checks all links.

rmSync(STAGE, { recursive: true, force: true })
rmSync(OUTPUT, { recursive: true, force: true })
await describeExports()
stage()
writeTexts()
await build(fileURLToPath(new URL('.', import.meta.url)))

const { pages, links, broken } = checkLinks(OUTPUT, process.env.DOCS_BASE ?? '/')
broken.push(...brokenTextLinks())
for (const line of broken) console.error(line)
console.log(`${pages} pages, ${links} links, ${broken.length} broken links.`)
if (broken.length > 0 || pages === 0) process.exitCode = 1
