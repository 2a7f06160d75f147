import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { ROOT, readPages } from './snippets'

interface Link {
  readonly from: string
  /** From the root of the project, or empty: the page itself. */
  readonly target: string
  readonly anchor: string | undefined
}

const pages = readPages()
const links = pages.flatMap(({ path, text }) => linksIn(path, text))

it('finds links and anchors', () => {
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(5)
})

it('has no link to a missing file', () => {
  expect(show(links.filter(({ target }) => !existsSync(join(ROOT, target))))).toEqual([])
})

it('has no link to a missing heading', () => {
  const missing = ({ target, anchor }: Link) => anchor !== undefined && !anchorsOf(target).includes(anchor)
  expect(show(links.filter(missing))).toEqual([])
})

it('reaches every page from docs/README.md', () => {
  expect(linkedFrom('README.md')).toContain('docs/README.md')
  const reached = new Set(['docs/README.md'])
  // Iteration continues with the pages that the loop adds.
  for (const path of reached) for (const page of linkedFrom(path)) reached.add(page)
  const documentation = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
  expect(documentation.filter((path) => !reached.has(path))).toEqual([])
})

it('lists every page in docs/README.md, which is the navigation of the site', () => {
  const listed = linkedFrom('docs/README.md')
  const documentation = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
  expect(documentation.filter((path) => path !== 'docs/README.md' && !listed.includes(path))).toEqual([])
})

function linksIn(from: string, text: string): Link[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#')
      return { from, target: path === '' ? from : normalize(join(dirname(from), path)), anchor }
    })
}

/** The linked pages, and all pages of a linked folder. */
function linkedFrom(path: string): readonly string[] {
  const targets = links.filter(({ from }) => from === path).map(({ target }) => target)
  return pages.map((page) => page.path).filter((page) => targets.includes(page) || targets.includes(dirname(page)))
}

/** As GitHub makes them: lower case, hyphens for blanks, no other special characters. */
function anchorsOf(path: string): readonly string[] {
  if (!path.endsWith('.md')) return []
  const prose = readFileSync(join(ROOT, path), 'utf8').replace(/^```.*?^```$/gms, '')
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'))
}

function show(broken: readonly Link[]): readonly string[] {
  return broken.map(({ from, target, anchor }) => `${from}: ${target}${anchor === undefined ? '' : `#${anchor}`}`)
}
