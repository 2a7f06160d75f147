import { checkLinksAgainstCrawledResponses } from './check-links-against-crawled-responses'
import { checkPaginationOfCrawl } from './check-pagination-of-crawl'
import { createListWithOneFindingAtPointer, type Finding, type LintOptions } from './exchange'
import {
  type CrawlResponse,
  type CrawlResponsesByUrl,
  type FetchUnderTest,
  fetchAndLint,
  fetchStatusWithoutLint,
} from './fetch-and-lint'
import { selectFindings } from './lint-exchange'

/** Options of `crawl`. */
export interface CrawlOptions extends LintOptions {
  /** Maximum number of URLs to visit. Default: 1000. */
  readonly maxUrls?: number
}

/** A finding in one of the documents. */
export interface CrawlFinding extends Finding {
  /** The URL of the document. */
  readonly url: string
}

/** The result of `crawl`. */
export interface CrawlResult {
  /** The visited URLs. */
  readonly urls: readonly string[]
  /** False if `maxUrls` stopped the crawl. */
  readonly isComplete: boolean
  readonly findings: readonly CrawlFinding[]
}

/**
 * Follows all links from the given URLs. Returns a finding for each link with a wrong target, and the findings of `lintExchange` for each
 * response.
 *
 * `await crawl(fetch, ['http://localhost:3000/men'])` -> `{ urls: ['http://localhost:3000/men', …], isComplete: true, findings: [] }`
 */
export async function crawl(
  fetch: FetchUnderTest,
  starts: readonly string[],
  options: CrawlOptions = {},
): Promise<CrawlResult> {
  const { responses, isComplete } = await visitAll(fetch, starts, options)
  const found = [
    ...starts.flatMap((url) => checkStart(url, responses)),
    ...checkAddresses(responses),
    ...[...responses.values()].flatMap((response) => {
      const findings = [
        ...response.findings,
        ...checkLinksAgainstCrawledResponses(response, responses),
        ...checkPaginationOfCrawl(response, responses),
      ]
      return findings.map((finding) => ({ ...finding, url: response.url }))
    }),
  ]
  return { urls: [...responses.keys()], isComplete, findings: selectFindings(found, options) }
}

async function visitAll(
  fetch: FetchUnderTest,
  starts: readonly string[],
  { maxUrls = 1000, ...options }: CrawlOptions,
): Promise<{ readonly responses: CrawlResponsesByUrl; readonly isComplete: boolean }> {
  const responses = new Map<string, CrawlResponse>()
  const known = new Map<string, 'document' | 'description'>(starts.map((url) => [url, 'document']))
  // Iterating a map includes entries that are added meanwhile.
  for (const [url, kind] of known) {
    if (responses.size === maxUrls) break
    const response = await (kind === 'document'
      ? fetchAndLint(fetch, url, options)
      : fetchStatusWithoutLint(fetch, url))
    responses.set(url, response)
    for (const { url: next, expects } of response.documentLinks)
      if (!known.has(next)) known.set(next, expects.kind === 'description' ? 'description' : 'document')
  }
  return { responses, isComplete: responses.size === known.size }
}

function checkStart(url: string, responses: CrawlResponsesByUrl): readonly CrawlFinding[] {
  const response = responses.get(url)
  if (response === undefined || response.status === 200) return []
  const message = `Expected the status 200, found ${response.status ?? 'no answer'}.`
  return createListWithOneFindingAtPointer('', 'FR-1', message).map((finding) => ({ ...finding, url }))
}

/** https://jsonapi.org/format/1.1/#document-resource-object-identification */
function checkAddresses(responses: CrawlResponsesByUrl): readonly CrawlFinding[] {
  const addresses = new Map<string, string>()
  return [...responses.values()].flatMap(({ url, documentLinks }) =>
    documentLinks.flatMap(({ expects, pointer, url: address }) => {
      if (expects.kind !== 'resource') return []
      const known = addresses.get(expects.key) ?? address
      addresses.set(expects.key, known)
      if (known === address) return []
      const message = `Expected ${expects.key} to be at ${known}, found ${address}.`
      return createListWithOneFindingAtPointer(pointer, 'RO-5', message).map((finding) => ({ ...finding, url }))
    }),
  )
}
