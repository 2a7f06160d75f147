import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FILES, isFolder, read } from './files.js'
import { OUTPUT, STAGE, sitePathOf } from './paths.js'
import { rewrite } from './rewrite.js'

/** The generator copies this folder to the site as it is. */
const PUBLIC = join(STAGE, 'public')

const INDEX = 'docs/README.md'

/** Pages for readers of the source code are in llms.txt, but not in llms-full.txt. */
const INTERNALS = 'docs/internals/'

/** Writes llms.txt (https://llmstxt.org), llms-full.txt, and the Markdown of each page that they name. */
export function writeTexts() {
  const paths = new Set(['README.md'])
  rewrite(read(INDEX), INDEX, (path) => paths.add(path))
  const texts = new Map([...paths].map((path) => [path, textOf(path)]))
  for (const [path, text] of texts) write(sitePathOf(path, isFolder(path)), text)
  const guides = [...texts].filter(([path]) => path.endsWith('.md') && isGuide(path)).map(([, text]) => text)
  write('llms.txt', contents())
  write('llms-full.txt', guides.join('\n---\n\n'))
}

/** Returns the links of llms.txt that lead to no file. */
export function brokenTextLinks() {
  const base = baseOfSite()
  const targets = [...readFileSync(join(OUTPUT, 'llms.txt'), 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, url]) => url)
  if (targets.length === 0) return ['llms.txt has no links.']
  return targets
    .filter((url) => !url.startsWith(base) || !existsSync(join(OUTPUT, url.slice(base.length))))
    .map((url) => `llms.txt: ${url}`)
}

function isGuide(path) {
  return path === 'README.md' || (path.startsWith('docs/') && !path.startsWith(INTERNALS))
}

/** The sections of docs/README.md below the first sentences of the README. */
function contents() {
  const [, name, summary] = /^# ([^\n]+)\n\n(.+?)\n\n/s.exec(read('README.md'))
  const sections = textOf(INDEX).replace(/^.*?(?=^## )/ms, '')
  const lines = sections.replace(/^\d+\. /gm, '- ').replace(/^### /gm, '## ')
  return `# ${name}\n\n> ${summary.replaceAll('\n', ' ')}\n\n${lines}`
}

function textOf(path) {
  const file = isFolder(path) ? `${path}/README.md` : path
  if (!FILES.has(file)) throw new Error(`${file} does not exist, and ${INDEX} lists ${path}.`)
  return rewrite(read(file), file, () => {}).replaceAll('](/', `](${baseOfSite()}`)
}

function baseOfSite() {
  return process.env.DOCS_BASE ?? '/'
}

function write(path, text) {
  const file = join(PUBLIC, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
