import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import type { CrawlResponse, CrawlResponsesByUrl } from './fetch-and-lint'
import { resourceKeysInData } from './resources'

/** Checks that the pages of a collection fit together. */
export function checkPaginationOfCrawl(response: CrawlResponse, responses: CrawlResponsesByUrl): readonly Finding[] {
  const next = pageAt(response, 'next', responses)
  if (next === undefined) return []
  return [...checkReturn(response, next, responses), ...(isFirst(response) ? checkTraversal(response, responses) : [])]
}

/** Returns a page and those after it. Follows a cycle once. */
export function collectNextPagesAmongCrawledResponses(
  response: CrawlResponse,
  responses: CrawlResponsesByUrl,
): readonly CrawlResponse[] {
  const pages = new Set([response])
  // Iterating a set includes elements that are added meanwhile.
  for (const page of pages) {
    const next = pageAt(page, 'next', responses)
    if (next !== undefined) pages.add(next)
  }
  return [...pages]
}

function pageAt(
  { documentLinks }: CrawlResponse,
  name: string,
  responses: CrawlResponsesByUrl,
): CrawlResponse | undefined {
  const link = documentLinks.find(({ pointer }) => pointer === `/links/${name}`)
  return link === undefined ? undefined : responses.get(link.url)
}

function isFirst({ documentLinks }: CrawlResponse): boolean {
  return documentLinks.every(({ pointer }) => pointer !== '/links/prev')
}

function checkReturn(response: CrawlResponse, next: CrawlResponse, responses: CrawlResponsesByUrl): readonly Finding[] {
  const back = pageAt(next, 'prev', responses)
  if (back === undefined || isSame(response, back)) return []
  return createListWithOneFindingAtPointer(
    '/links/next',
    'PG-6',
    `Expected prev of ${next.url} to lead back, found ${back.url}.`,
  )
}

function checkTraversal(response: CrawlResponse, responses: CrawlResponsesByUrl): readonly Finding[] {
  const pages = collectNextPagesAmongCrawledResponses(response, responses)
  const keys = pages.flatMap(({ document }) => resourceKeysInData(document?.data))
  const repeated = keys.find((key, index) => keys.indexOf(key) < index)
  const end = pages.at(-1) ?? response
  const again = repeated ?? pageAt(end, 'next', responses)?.url
  const last = pageAt(response, 'last', responses)
  return [
    ...(again === undefined
      ? []
      : createListWithOneFindingAtPointer(
          '/links/next',
          'PG-9',
          `Expected pages that are all different, found ${again} again.`,
        )),
    // The last page may be full if the crawl stopped before it.
    ...(last === undefined || lastKey(last) === lastKey(end)
      ? []
      : createListWithOneFindingAtPointer(
          '/links/last',
          'PG-9',
          `Expected ${end.url}, where the pages end, found ${last.url}.`,
        )),
  ]
}

function lastKey({ document }: CrawlResponse): string | undefined {
  return resourceKeysInData(document?.data).at(-1)
}

function isSame(one: CrawlResponse, other: CrawlResponse): boolean {
  return JSON.stringify(one.document?.data) === JSON.stringify(other.document?.data)
}
