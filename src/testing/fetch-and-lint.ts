import { type DocumentLinkWithTarget, documentLinksIn } from './document-links'
import {
  createListWithOneFindingAtPointer,
  createSingleHeaderFindingList,
  type Finding,
  type LintOptions,
} from './exchange'
import { formatForMessage, isObject, type UnknownObject } from './json'
import { lintExchange } from './lint-exchange'

export type FetchUnderTest = typeof globalThis.fetch

/** The response that the crawl has received from a URL. */
export interface CrawlResponse {
  readonly url: string
  /** True if the document is that of another URL. */
  readonly isRedirected: boolean
  /** `undefined` if there is no response. */
  readonly status: number | undefined
  /** `undefined` if the response is not a JSON:API document. */
  readonly document: UnknownObject | undefined
  readonly documentLinks: readonly DocumentLinkWithTarget[]
  /** The findings in the response. */
  readonly findings: readonly Finding[]
}

/** Responses by URL. */
export type CrawlResponsesByUrl = ReadonlyMap<string, CrawlResponse>

/** Fetches a document with GET and HEAD, and lints the response. */
export async function fetchAndLint(fetch: FetchUnderTest, url: string, options: LintOptions): Promise<CrawlResponse> {
  const response = await fetchIfReachable(fetch, url, 'GET')
  if (response === undefined) return noResponse(url)
  const head = await fetchIfReachable(fetch, url, 'HEAD')
  const { status, headers, redirected } = response
  const documentUrl = redirected ? response.url : url
  const body = await response.text()
  const document = readDocument(body)
  return {
    url,
    isRedirected: redirected,
    status,
    document,
    documentLinks: document === undefined ? [] : documentLinksIn(document, documentUrl),
    findings: [
      ...lintExchange({ method: 'GET', url: documentUrl, requestBody: '', status, headers, body }, options),
      ...differences(response, head),
    ],
  }
}

/** Fetches a `describedby` link. Its format is not checked. */
export async function fetchStatusWithoutLint(fetch: FetchUnderTest, url: string): Promise<CrawlResponse> {
  const response = await fetchIfReachable(fetch, url, 'GET')
  await response?.body?.cancel()
  return { ...noResponse(url), status: response?.status }
}

/** Returns no response for an unreachable host, so that the crawl continues. */
async function fetchIfReachable(
  fetch: FetchUnderTest,
  url: string,
  method: 'GET' | 'HEAD',
): Promise<Response | undefined> {
  try {
    return await fetch(url, { method })
  } catch (error) {
    // `fetch` throws this error for an unreachable host: https://fetch.spec.whatwg.org/#fetch-method
    // The one of Jest belongs to another realm, so it is no instance of the `TypeError` here.
    if (isObject(error) && error.name === 'TypeError') return undefined
    throw error
  }
}

function noResponse(url: string): CrawlResponse {
  return { url, isRedirected: false, status: undefined, document: undefined, documentLinks: [], findings: [] }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function differences(response: Response, head: Response | undefined): readonly Finding[] {
  const message = (expected: unknown, found: unknown) =>
    `Expected the same response to HEAD as to GET, with ${formatForMessage(expected)}, found ${formatForMessage(found)}.`
  if (head === undefined) return createListWithOneFindingAtPointer('', 'HT-1', message(response.status, undefined))
  const names = ['Content-Type', 'Vary', 'ETag'].filter((name) => response.headers.get(name) !== head.headers.get(name))
  return [
    ...(response.status === head.status
      ? []
      : createListWithOneFindingAtPointer('', 'HT-1', message(response.status, head.status))),
    ...names.flatMap((name) =>
      createSingleHeaderFindingList(name, 'HT-1', message(response.headers.get(name), head.headers.get(name))),
    ),
  ]
}

function readDocument(body: string): UnknownObject | undefined {
  try {
    const document: unknown = JSON.parse(body)
    return isObject(document) ? document : undefined
  } catch {
    return undefined
  }
}
