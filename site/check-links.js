import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks every link of a built site: the page or file exists, and the page has the heading. Does not check links to other hosts. Pages must
 * not load scripts, styles or images from other hosts.
 */
export function checkLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
  const pages = new Map(
    files.filter((path) => path.endsWith('.html')).map((path) => [path, readPage(join(folder, path))]),
  )
  const links = [...pages].flatMap(([from, { targets }]) => targets.map((target) => ({ from, target })))
  const broken = links.filter(({ from, target }) => !isValidTarget(target, { from, folder, base, pages }))
  return { pages: pages.size, links: links.length, broken: broken.map(({ from, target }) => `${from}: ${target}`) }
}

function readPage(file) {
  const html = readFileSync(file, 'utf8')
  const attributes = (pattern) => [...html.matchAll(pattern)].map(([, value]) => unescapeHtml(value))
  const resources = attributes(/<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)
  const links = attributes(/<a\b[^>]*?\shref="([^"]*)"/g).filter((url) => !isExternal(url))
  return {
    targets: [...resources.filter((url) => !url.startsWith('data:')), ...links],
    ids: new Set(attributes(/\sid="([^"]*)"/g)),
  }
}

function isExternal(url) {
  return /^(\w+:|\/\/)/.test(url)
}

function unescapeHtml(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function isValidTarget(target, { from, folder, base, pages }) {
  if (isExternal(target)) return false
  const { pathname, hash } = new URL(target, `http://site${base}${from}`)
  if (!pathname.startsWith(base)) return false
  const path = decodeURIComponent(pathname.slice(base.length))
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const page = pages.get(file)
  if (page === undefined) return existsSync(join(folder, file)) && statSync(join(folder, file)).isFile()
  return hash === '' || page.ids.has(decodeURIComponent(hash.slice(1)))
}
