import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Markdown as the generator takes it. */
export const STAGE = fileURLToPath(new URL('../../build/site-pages', import.meta.url))

/** The site. */
export const OUTPUT = fileURLToPath(new URL('../../build/site', import.meta.url))

/** Pages that stand outside docs/, and their places on the site. */
const PLACES = new Map([
  ['README.md', 'index.md'],
  ['docs/README.md', 'documentation.md'],
  // The folder's page, which docs/README.md links to.
  ['docs/internals/decisions/README.md', 'internals/decisions/index.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['bench/README.md', 'bench.md'],
])

const SOURCE = 'source/'

/**
 * Where a file or folder of the project is on the site, as the path of a Markdown file. Pages of docs/ keep their places; sources, which
 * pages link to, are shown below `source/`.
 */
export function placeOf(path, isFolder) {
  const known = PLACES.get(path)
  if (known !== undefined) return known
  const place = path.startsWith('docs/') ? path.slice('docs/'.length) : `${SOURCE}${path}`
  if (isFolder) return `${place}/index.md`
  return place.endsWith('.md') ? place : `${place}.md`
}
