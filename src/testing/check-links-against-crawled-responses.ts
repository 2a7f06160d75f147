import { collectNextPagesAmongCrawledResponses } from './check-pagination-of-crawl'
import type { DocumentLinkWithTarget } from './document-links'
import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import type { CrawlResponse, CrawlResponsesByUrl } from './fetch-and-lint'
import { dataToArray, formatForMessage, isObject } from './json'
import type { RequirementId } from './requirements'
import { resourceKeysInData } from './resources'

/** Checks that the links of a document lead to the expected resources and documents. Ignores links that were not followed. */
export function checkLinksAgainstCrawledResponses(
  { documentLinks, document }: CrawlResponse,
  responses: CrawlResponsesByUrl,
): readonly Finding[] {
  return documentLinks.flatMap((link) => {
    const reached = responses.get(link.url)
    if (reached === undefined) return []
    const requirement = requirementOf(link)
    if (reached.status !== 200)
      return brokenLink(link, requirement, `the status 200, found ${reached.status ?? 'no answer'}`)
    if (link.expects.kind !== 'document') return checkTarget(link, reached, responses)
    const isSame = ['data', 'included'].every((name) => isEqual(document?.[name], reached.document?.[name]))
    return isSame ? [] : brokenLink(link, 'DS-11', 'the same data, found other')
  })
}

function brokenLink(
  { pointer, url }: DocumentLinkWithTarget,
  requirement: RequirementId,
  expectation: string,
): readonly Finding[] {
  return createListWithOneFindingAtPointer(pointer, requirement, `Expected ${url} to answer with ${expectation}.`)
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the requirement that a broken link violates. */
function requirementOf({ expects }: DocumentLinkWithTarget): RequirementId {
  switch (expects.kind) {
    case 'document':
      return 'FR-1'
    case 'description':
      return 'DS-13'
    case 'page':
      return 'PG-10'
    case 'resource':
      return 'RO-18'
    case 'relationship':
      return 'FL-1'
    case 'related':
      return expects.linkage === null || isEqual(expects.linkage, []) ? 'RO-15' : 'FR-1'
  }
}

function checkTarget(
  link: DocumentLinkWithTarget,
  reached: CrawlResponse,
  responses: CrawlResponsesByUrl,
): readonly Finding[] {
  const { expects } = link
  const data = reached.document?.data
  switch (expects.kind) {
    case 'page':
      return Array.isArray(data) ? [] : brokenLink(link, 'PG-10', `a collection, found ${formatForMessage(data)}`)
    case 'resource':
      // A redirect may lead to another resource: https://jsonapi.org/recommendations/#asynchronous-processing
      if (isObject(data) && (reached.isRedirected || resourceKeysInData(data)[0] === expects.key)) return []
      return brokenLink(link, 'RO-18', `${expects.key}, found ${formatKeys(data)}`)
    case 'related':
    case 'relationship':
      if (expects.kind === 'relationship' && !dataToArray(data).every(isIdentifier))
        return brokenLink(link, 'FL-1', 'identifiers, found resource objects')
      if (isLinked(expects.linkage, reached, responses)) return []
      return brokenLink(
        link,
        requirementOf(link),
        `the linkage ${formatKeys(expects.linkage)}, found ${formatKeys(data)}`,
      )
    default:
      return []
  }
}

function isIdentifier(each: unknown): boolean {
  return isObject(each) && each.attributes === undefined && each.relationships === undefined
}

/** Returns true if linkage matches the response of its link. The linkage in a document may be one page of the relationship. */
function isLinked(linkage: unknown, reached: CrawlResponse, responses: CrawlResponsesByUrl): boolean {
  const data = reached.document?.data
  if (linkage === undefined) return data === null || isObject(data) || Array.isArray(data)
  if (!Array.isArray(linkage))
    return isEqual(resourceKeysInData(linkage), resourceKeysInData(data)) && !Array.isArray(data)
  const linked = new Set(
    collectNextPagesAmongCrawledResponses(reached, responses).flatMap(({ document }) =>
      resourceKeysInData(document?.data),
    ),
  )
  return Array.isArray(data) && resourceKeysInData(linkage).every((key) => linked.has(key))
}

/** Formats linkage for a message. Distinguishes a single identifier from a list of one. */
function formatKeys(data: unknown): string {
  const keys = resourceKeysInData(data)
  if (keys.length === 0) return formatForMessage(data)
  return Array.isArray(data) ? `[${keys.join(', ')}]` : keys.join()
}
