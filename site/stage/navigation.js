import { posix } from 'node:path'
import { childrenOf, isFolder, read, titleOf } from './files.js'
import { placeOf } from './places.js'

const INDEX = 'docs/README.md'

/** The sections of docs/README.md, in its order: `[{ text, pages: [{ text, path }] }]`. */
export function readSections() {
  const [, ...sections] = read(INDEX).split(/^#{2,} /m)
  return sections.map((section) => ({ text: section.split('\n')[0], pages: pagesIn(section) }))
}

/** A line may name several pages, before it says what they are: `- [A](a.md), [B](b.md): ...`. */
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

/** The sidebar. `below` gives what stands under a page, by its path. */
export function sidebar(below = {}) {
  return readSections().map(({ text, pages }) => ({ text, items: pages.map((page) => itemOf(page, below)) }))
}

function itemOf({ text, path }, below) {
  const items = below[path] ?? (isFolder(path) ? pagesOf(path).map(childOf) : [])
  return { text, link: linkTo(path), ...(items.length > 0 && { collapsed: true, items }) }
}

/** The README of a folder is the page of the folder itself. */
function pagesOf(folder) {
  return childrenOf(folder).filter((path) => !path.endsWith('/README.md'))
}

function childOf(path) {
  return { text: titleOf(read(path)), link: linkTo(path) }
}

function linkTo(path) {
  return `/${placeOf(path, isFolder(path)).replace(/(index)?\.md$/, '')}`
}

/** The sections again, each by its first page. */
export function topNavigation() {
  return readSections()
    .filter(({ pages }) => pages.length > 0)
    .map(({ text, pages: [first] }) => ({ text, link: linkTo(first.path) }))
}
