import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the Markdown files, which are the input of the generator. */
export const STAGE = fileURLToPath(new URL('../../build/site-pages', import.meta.url))

/** The folder of the built site. */
export const OUTPUT = fileURLToPath(new URL('../../build/site', import.meta.url))

/** Site paths of pages outside docs/, and of README files. */
const SITE_PATHS = new Map([
  ['README.md', 'index.md'],
  ['docs/README.md', 'documentation.md'],
  // The page of the folder, which docs/README.md links to.
  ['docs/internals/decisions/README.md', 'internals/decisions/index.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['bench/README.md', 'bench.md'],
])

const SOURCE = 'source/'

/**
 * Returns the path of a file or folder on the site, as the path of a Markdown file. Pages of docs/ keep their paths. Source files, which
 * pages link to, are below `source/`.
 */
export function sitePathOf(path, isFolder) {
  const sitePath = SITE_PATHS.get(path)
  if (sitePath !== undefined) return sitePath
  const base = path.startsWith('docs/') ? path.slice('docs/'.length) : `${SOURCE}${path}`
  if (isFolder) return `${base}/index.md`
  return base.endsWith('.md') ? base : `${base}.md`
}
