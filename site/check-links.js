import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Looks at every link of a built site: whether the page or file is there, and on the page the heading that is named. Other hosts are not
 * asked; they may be linked to, but nothing of a page may come from them.
 */
export function checkLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
  const pages = new Map(
    files.filter((path) => path.endsWith('.html')).map((path) => [path, readPage(join(folder, path))]),
  )
  const links = [...pages].flatMap(([from, { targets }]) => targets.map((target) => ({ from, target })))
  const broken = links.filter(({ from, target }) => !leadsSomewhere(target, { from, folder, base, pages }))
  return { pages: pages.size, links: links.length, broken: broken.map(({ from, target }) => `${from}: ${target}`) }
}

function readPage(file) {
  const html = readFileSync(file, 'utf8')
  const attributes = (pattern) => [...html.matchAll(pattern)].map(([, value]) => unescapeHtml(value))
  const parts = attributes(/<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)
  const links = attributes(/<a\b[^>]*?\shref="([^"]*)"/g).filter((url) => !isElsewhere(url))
  return {
    targets: [...parts.filter((url) => !url.startsWith('data:')), ...links],
    ids: new Set(attributes(/\sid="([^"]*)"/g)),
  }
}

function isElsewhere(url) {
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

function leadsSomewhere(target, { from, folder, base, pages }) {
  if (isElsewhere(target)) return false
  const { pathname, hash } = new URL(target, `http://site${base}${from}`)
  if (!pathname.startsWith(base)) return false
  const path = decodeURIComponent(pathname.slice(base.length))
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const page = pages.get(file)
  if (page === undefined) return existsSync(join(folder, file)) && statSync(join(folder, file)).isFile()
  return hash === '' || page.ids.has(decodeURIComponent(hash.slice(1)))
}
