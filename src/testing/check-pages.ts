import { type Finding, violation } from './exchange'
import { resourceKeysOf } from './resources'
import type { Visit, Visits } from './visit'

/** Checks that the pages of a collection fit together. */
export function checkPages(visit: Visit, visits: Visits): readonly Finding[] {
  const next = pageAt(visit, 'next', visits)
  if (next === undefined) return []
  return [...checkReturn(visit, next, visits), ...(isFirst(visit) ? checkTraversal(visit, visits) : [])]
}

/** Returns a page and those after it. Follows a cycle once. */
export function pagesFrom(visit: Visit, visits: Visits): readonly Visit[] {
  const pages = new Set([visit])
  // Iterating a set includes elements that are added meanwhile.
  for (const page of pages) {
    const next = pageAt(page, 'next', visits)
    if (next !== undefined) pages.add(next)
  }
  return [...pages]
}

function pageAt({ documentLinks }: Visit, name: string, visits: Visits): Visit | undefined {
  const link = documentLinks.find(({ pointer }) => pointer === `/links/${name}`)
  return link === undefined ? undefined : visits.get(link.url)
}

function isFirst({ documentLinks }: Visit): boolean {
  return documentLinks.every(({ pointer }) => pointer !== '/links/prev')
}

function checkReturn(visit: Visit, next: Visit, visits: Visits): readonly Finding[] {
  const back = pageAt(next, 'prev', visits)
  if (back === undefined || isSame(visit, back)) return []
  return violation('/links/next', 'PG-6', `Expected prev of ${next.url} to lead back, found ${back.url}.`)
}

function checkTraversal(visit: Visit, visits: Visits): readonly Finding[] {
  const pages = pagesFrom(visit, visits)
  const keys = pages.flatMap(({ document }) => resourceKeysOf(document?.data))
  const repeated = keys.find((key, index) => keys.indexOf(key) < index)
  const end = pages.at(-1) ?? visit
  const again = repeated ?? pageAt(end, 'next', visits)?.url
  const last = pageAt(visit, 'last', visits)
  return [
    ...(again === undefined
      ? []
      : violation('/links/next', 'PG-9', `Expected pages that are all different, found ${again} again.`)),
    // The last page may be full if the crawl stopped before it.
    ...(last === undefined || lastKey(last) === lastKey(end)
      ? []
      : violation('/links/last', 'PG-9', `Expected ${end.url}, where the pages end, found ${last.url}.`)),
  ]
}

function lastKey({ document }: Visit): string | undefined {
  return resourceKeysOf(document?.data).at(-1)
}

function isSame(one: Visit, other: Visit): boolean {
  return JSON.stringify(one.document?.data) === JSON.stringify(other.document?.data)
}
