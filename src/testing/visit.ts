import { type DocumentLink, documentLinksIn } from './document-links'
import { type Finding, headerViolation, type LintOptions, violation } from './exchange'
import { isObject, printValue, type UnknownObject } from './json'
import { lintExchange } from './lint-exchange'

export type Fetch = typeof globalThis.fetch

/** The response from a URL. */
export interface Visit {
  readonly url: string
  /** `undefined` if there is no response. */
  readonly status: number | undefined
  /** `undefined` if the response is not a JSON:API document. */
  readonly document: UnknownObject | undefined
  readonly documentLinks: readonly DocumentLink[]
  /** The findings in the response. */
  readonly findings: readonly Finding[]
}

/** Visits by URL. */
export type Visits = ReadonlyMap<string, Visit>

/** Fetches a document with GET and HEAD. */
export async function visitDocument(fetch: Fetch, url: string, options: LintOptions): Promise<Visit> {
  const got = await ask(fetch, url, 'GET')
  if (got === undefined) return unanswered(url)
  const head = await ask(fetch, url, 'HEAD')
  const { status, headers } = got
  const body = await got.text()
  const document = readDocument(body)
  return {
    url,
    status,
    document,
    documentLinks: document === undefined ? [] : documentLinksIn(document, url),
    findings: [
      ...lintExchange({ method: 'GET', url, requestBody: '', status, headers, body }, options),
      ...differences(got, head),
    ],
  }
}

/** Fetches a `describedby` link. Its format is not checked. */
export async function visitDescription(fetch: Fetch, url: string): Promise<Visit> {
  const got = await ask(fetch, url, 'GET')
  await got?.body?.cancel()
  return { ...unanswered(url), status: got?.status }
}

/** Returns no response for an unreachable host, so that the crawl continues. */
async function ask(fetch: Fetch, url: string, method: 'GET' | 'HEAD'): Promise<Response | undefined> {
  try {
    return await fetch(url, { method })
  } catch (error) {
    // The error that fetch throws then: https://fetch.spec.whatwg.org/#fetch-method
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function unanswered(url: string): Visit {
  return { url, status: undefined, document: undefined, documentLinks: [], findings: [] }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function differences(got: Response, head: Response | undefined): readonly Finding[] {
  const message = (expected: unknown, found: unknown) =>
    `Expected the same response to HEAD as to GET, with ${printValue(expected)}, found ${printValue(found)}.`
  if (head === undefined) return violation('', 'HT-1', message(got.status, undefined))
  const names = ['Content-Type', 'Vary', 'ETag'].filter((name) => got.headers.get(name) !== head.headers.get(name))
  return [
    ...(got.status === head.status ? [] : violation('', 'HT-1', message(got.status, head.status))),
    ...names.flatMap((name) => headerViolation(name, 'HT-1', message(got.headers.get(name), head.headers.get(name)))),
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
