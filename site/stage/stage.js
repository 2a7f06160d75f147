import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { exportsPage } from './describe-exports.js'
import { childrenOf, FILES, isFolder, isImage, read, titleOf } from './files.js'
import { listedPages } from './navigation.js'
import { ROOT, STAGE, sitePathOf } from './paths.js'
import { rewrite } from './rewrite.js'

/** docs/README.md links to this folder, but not to its pages. */
const UNLISTED_FOLDER = 'docs/internals/decisions/'

/** Draws the diagrams: see .vitepress/theme/diagram.js. */
const MERMAID = 'site/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'

/** Folders whose files are all shown. Of other folders, only files that a page links to are. */
const SHOWN_FOLDERS = ['docs/', 'examples/']

/**
 * Writes all pages of docs/, and all pages and files that they link to, recursively.
 * @throws if a page is missing in docs/README.md, or a link is broken.
 */
export function stage() {
  const pages = [...FILES].filter((path) => path.startsWith('docs/') && path.endsWith('.md'))
  checkListed(pages)
  copyToSite(MERMAID, 'mermaid.js')
  const paths = new Set(['README.md', ...pages])
  // The loop includes paths that are added while it runs.
  for (const path of paths)
    if (isImage(path)) copyToSite(path)
    else
      write(
        sitePathOf(path, isFolder(path)),
        pageOf(path, (target) => paths.add(target)),
      )
}

function checkListed(pages) {
  const listed = new Set(['docs/README.md', ...listedPages()])
  const missing = pages.filter((path) => !listed.has(path) && !path.startsWith(UNLISTED_FOLDER))
  if (missing.length > 0) throw new Error(`docs/README.md has no line for ${missing.join(', ')}.`)
}

function pageOf(path, onLink) {
  if (isFolder(path)) return folderPage(path, onLink)
  if (!path.endsWith('.md')) return sourcePage(path)
  const text = rewrite(read(path), path, onLink)
  if (path === 'README.md') return homePage(text)
  return path === 'docs/reference/api.md' ? text + exportsPage() : text
}

/** The home page shows the first sentence of the README in two parts: the motto up to the first comma, and the tagline. */
function homePage(text) {
  const [, name, motto, tagline, rest] = /^# ([^\n]+)\n\n(.+?), (.+?)\n\n(.*)$/s.exec(text)
  const actions = [
    { theme: 'brand', text: 'Start', link: '/start' },
    { theme: 'alt', text: 'All pages', link: '/documentation' },
  ]
  const hero = { name, text: motto, tagline: upperFirst(tagline.replaceAll('\n', ' ')), actions }
  return `${frontmatter({ layout: 'home', title: name, titleTemplate: motto, hero })}${rest}`
}

/** Returns the README of a folder, or a list of its files, with links to those that are shown. */
function folderPage(path, onLink) {
  const readme = `${path}/README.md`
  if (FILES.has(readme)) return frontmatter(settingsOf(path)) + rewrite(read(readme), readme, onLink)
  const lines = childrenOf(path).map((child) => {
    if (!SHOWN_FOLDERS.some((folder) => child.startsWith(folder))) return `- \`${labelOf(child)}\``
    onLink(child)
    return `- [${labelOf(child)}](/${sitePathOf(child, isFolder(child))})`
  })
  return `${frontmatter(settingsOf(path))}# ${nameOf(path)}\n\n${lines.join('\n')}\n`
}

/** Returns the heading of a page, such as `020 Observability`, or the name of another file. */
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

function copyToSite(path, target = path) {
  const file = join(STAGE, 'public', target)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(ROOT, path), file)
}

function write(path, text) {
  const file = join(STAGE, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
