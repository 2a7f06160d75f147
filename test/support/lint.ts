import { assertExchange, createLintingFetch, type Exchange, type LintOptions, type RequirementId } from 'stemma/testing'
import { CURSOR_PAGINATION_URI } from '../../src/document/cursor-profile'

const OPTIONS: LintOptions = { profiles: [CURSOR_PAGINATION_URI] }

/** For tests with their own HTTP client. */
export const checkedFetch = createLintingFetch(fetch, OPTIONS)

/**
 * Checks every response of the tests: all requirements of JSON:API, and additional guarantees of the library. `headers`: values from request
 * headers.
 */
export function lint(exchange: Exchange, document: unknown, ignore: readonly RequirementId[] = [], headers = ''): void {
  assertExchange(exchange, { ...OPTIONS, ignore })
  const mistakes = libraryMistakes(exchange, document, headers)
  if (mistakes.length === 0) return
  throw new Error(`${exchange.method} ${exchange.url} -> ${exchange.status}: ${mistakes.join(', ')}`)
}

interface DocumentPart {
  readonly jsonapi?: { readonly version: unknown }
  readonly links?: object
  readonly data?: unknown
  readonly included?: readonly DocumentPart[]
  readonly relationships?: Readonly<Record<string, DocumentPart>>
  readonly errors?: readonly { readonly status?: unknown; readonly code?: unknown; readonly title?: unknown }[]
}

function libraryMistakes(exchange: Exchange, document: unknown, headers: string): readonly string[] {
  const { body = '' } = exchange
  if (document === undefined) return body.length === 0 ? [] : ['a body that is not JSON']
  const { jsonapi, errors = [], data, included = [] } = document as DocumentPart
  const objects = [document as DocumentPart, ...([data ?? []].flat() as DocumentPart[]), ...included]
  return [
    ...(jsonapi?.version === '1.1' ? [] : ['a version other than 1.1']),
    ...(errors.length === 0 ? [] : internalTexts(exchange, headers)),
    ...errors
      .filter(({ status, code, title }) => !status || !code || !title)
      .map(() => 'an error without status, code or title'),
    ...objects.flatMap(emptyObjects),
    ...objects.flatMap(({ links }) => invalidLinks(links)),
  ]
}

/** Finds text of a database, driver or stack trace, unless the client has sent it. */
function internalTexts({ url, requestBody = '', body = '' }: Exchange, headers: string): readonly string[] {
  const [found] = INTERNAL_TEXT.exec(String(body)) ?? []
  if (found === undefined || tokensOf(`${url} ${requestBody} ${headers}`).includes(tokensOf(found))) return []
  return [`internal text: ${found}`]
}

function tokensOf(text: string): string {
  return (
    text
      .replaceAll(/%[\da-f]{2}|\\u[\da-f]{4}|\\./gi, ' ')
      .toLowerCase()
      .match(/[a-z\d]+/g)
      ?.join(' ') ?? ''
  )
}

const INTERNAL_TEXT =
  /SQLITE_[A-Z]+|\bER_[A-Z]{3}|QueryFailed|constraint failed|duplicate key|near \\?"|\bselect (?:t\d+\.|[^"]{1,200}? from )|insert into|node_modules|\bat (?:async )?[\w.]+ \(|\/\w+\.[jt]s\b|TypeError|undefined is not/i

/** Finds empty objects, which the library must omit. */
function emptyObjects({ links, relationships }: DocumentPart): readonly string[] {
  const relationshipLinks = Object.values(relationships ?? {}).map((each) => each.links)
  const empty = [relationships, links, ...relationshipLinks].filter((each) => each && Object.keys(each).length === 0)
  return empty.map(() => 'an empty object')
}

/** Finds links that are neither absolute paths nor URLs. */
function invalidLinks(links: object = {}): readonly string[] {
  const urls = Object.values(links).map((link) => (typeof link === 'object' && link !== null ? link.href : link))
  return urls.filter((url) => url !== null && !/^(?:https?:\/\/[^/]+)?\/(?!\/)/.test(String(url)))
}
