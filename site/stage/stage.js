import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { exportsPage } from './describe-exports.js'
import { childrenOf, FILES, isFolder, read, titleOf } from './files.js'
import { listedPages } from './navigation.js'
import { placeOf, STAGE } from './places.js'
import { rewrite } from './rewrite.js'

/** Pages under this folder are found by way of it, and need no line of their own in docs/README.md. */
const FOLDER_OF_PAGES = 'docs/internals/decisions/'

/** Of other folders only those files are shown that a page links to. */
const SHOWN_WHOLE = ['docs/', 'examples/']

/**
 * Writes the pages: all of docs/, and whatever they link to, until no link leads out.
 * @throws when a page is missing in docs/README.md, or a link leads nowhere.
 */
export function stage() {
  const pages = [...FILES].filter((path) => path.startsWith('docs/') && path.endsWith('.md'))
  checkListed(pages)
  const wanted = new Set(['README.md', ...pages])
  // A set goes on with what is added meanwhile.
  for (const path of wanted)
    write(
      placeOf(path, isFolder(path)),
      pageOf(path, (target) => wanted.add(target)),
    )
}

function checkListed(pages) {
  const listed = new Set(['docs/README.md', ...listedPages()])
  const missing = pages.filter((path) => !listed.has(path) && !path.startsWith(FOLDER_OF_PAGES))
  if (missing.length > 0) throw new Error(`docs/README.md has no line for ${missing.join(', ')}.`)
}

function pageOf(path, onLink) {
  if (isFolder(path)) return folderPage(path, onLink)
  if (!path.endsWith('.md')) return sourcePage(path)
  const text = rewrite(read(path), path, onLink)
  if (path === 'README.md') return homePage(text)
  return path === 'docs/reference/api.md' ? text + exportsPage() : text
}

/** The site's first page begins with the first sentence of the README, larger: up to its first comma, and what follows. */
function homePage(text) {
  const [, name, motto, tagline, rest] = /^# ([^\n]+)\n\n(.+?), (.+?)\n\n(.*)$/s.exec(text)
  const actions = [
    { theme: 'brand', text: 'Start', link: '/start' },
    { theme: 'alt', text: 'All pages', link: '/documentation' },
  ]
  const hero = { name, text: motto, tagline: upperFirst(tagline.replaceAll('\n', ' ')), actions }
  return `${frontmatter({ layout: 'home', title: name, titleTemplate: motto, hero })}${rest}`
}

/** A folder's own README tells what to read in it. Where there is none, its files are named, and shown where they are for reading. */
function folderPage(path, onLink) {
  const readme = `${path}/README.md`
  if (FILES.has(readme)) return frontmatter(settingsOf(path)) + rewrite(read(readme), readme, onLink)
  const lines = childrenOf(path).map((child) => {
    if (!SHOWN_WHOLE.some((folder) => child.startsWith(folder))) return `- \`${labelOf(child)}\``
    onLink(child)
    return `- [${labelOf(child)}](/${placeOf(child, isFolder(child))})`
  })
  return `${frontmatter(settingsOf(path))}# ${nameOf(path)}\n\n${lines.join('\n')}\n`
}

/** `020-observability.md` is told by its heading: 020 Observability. */
function labelOf(path) {
  if (isFolder(path)) return `${nameOf(path)}/`
  return path.startsWith('docs/') ? titleOf(read(path)) : nameOf(path)
}

function sourcePage(path) {
  const language = extname(path)
    .slice(1)
    .replace(/^m(?=[jt]s$)/, '')
  const fence = '`'.repeat(8)
  return `${frontmatter(settingsOf(path))}# ${path}\n\n${fence}${language}\n${read(path).trimEnd()}\n${fence}\n`
}

/** Pages link to source files. The search excludes them. */
function settingsOf(path) {
  return path.startsWith('docs/')
    ? {}
    : { title: path, search: false, prev: false, next: false, aside: false, sidebar: false }
}

function nameOf(path) {
  if (!path.startsWith('docs/')) return path
  return upperFirst(path.slice(path.lastIndexOf('/') + 1))
}

function upperFirst(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function frontmatter(settings) {
  return `---\n${JSON.stringify(settings)}\n---\n\n`
}

function write(place, text) {
  const file = join(STAGE, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
