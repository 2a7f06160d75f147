import { posix } from 'node:path'
import { childrenOf, isFolder, read, titleOf } from './files.js'
import { sitePathOf } from './paths.js'

const INDEX = 'docs/README.md'

/** Returns the sections of docs/README.md in order: `[{ text, pages: [{ text, path }] }]`. */
export function readSections() {
  const [, ...sections] = read(INDEX).split(/^#{2,} /m)
  return sections.map((section) => ({ text: section.split('\n')[0], pages: pagesIn(section) }))
}

/** A line may link to several pages before their description: `- [A](a.md), [B](b.md): ...`. */
function pagesIn(section) {
  const lines = section.split('\n').filter((line) => /^(-|\d+\.) \[/.test(line))
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:^\S+ |, )\[([^\]]+)\]\(([^)#]+)\)/g)].map(([, text, target]) => ({
      text,
      path: posix.normalize(posix.join(posix.dirname(INDEX), target)),
    })),
  )
}

export function listedPages() {
  return readSections().flatMap(({ pages }) => pages.map(({ path }) => path))
}

/** Returns the sidebar. `childItems`: the items below a page, by its path. */
export function sidebar(childItems = {}) {
  return readSections().map(({ text, pages }) => ({ text, items: pages.map((page) => itemOf(page, childItems)) }))
}

function itemOf({ text, path }, childItems) {
  const items = childItems[path] ?? (isFolder(path) ? pagesOf(path).map(childOf) : [])
  return { text, link: linkTo(path), ...(items.length > 0 && { collapsed: true, items }) }
}

/** Excludes the README of a folder, which is the page of the folder itself. */
function pagesOf(folder) {
  return childrenOf(folder).filter((path) => !path.endsWith('/README.md'))
}

function childOf(path) {
  return { text: titleOf(read(path)), link: linkTo(path) }
}

function linkTo(path) {
  return `/${sitePathOf(path, isFolder(path)).replace(/(index)?\.md$/, '')}`
}

/** Returns the sections, each with a link to its first page. */
export function topNavigation() {
  return readSections()
    .filter(({ pages }) => pages.length > 0)
    .map(({ text, pages: [first] }) => ({ text, link: linkTo(first.path) }))
}
