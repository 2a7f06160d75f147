import { assertExchange, createLintingFetch, type Exchange, type LintOptions, type RequirementId } from 'stemma/testing'
import { CURSOR_PAGINATION } from '../../src/document/cursor-profile'

const OPTIONS: LintOptions = { profiles: [CURSOR_PAGINATION] }

/** For tests with their own HTTP client. */
export const checkedFetch = createLintingFetch(fetch, OPTIONS)

/**
 * Checks every response of the tests: all requirements of JSON:API, and further promises of the library. `headers`: values from request
 * headers.
 */
export function lint(exchange: Exchange, document: unknown, ignore: readonly RequirementId[] = [], headers = ''): void {
  assertExchange(exchange, { ...OPTIONS, ignore })
  const mistakes = houseMistakes(exchange, document, headers)
  if (mistakes.length === 0) return
  throw new Error(`${exchange.method} ${exchange.url} -> ${exchange.status}: ${mistakes.join(', ')}`)
}

interface Shown {
  readonly jsonapi?: { readonly version: unknown }
  readonly links?: object
  readonly data?: unknown
  readonly included?: readonly Shown[]
  readonly relationships?: Readonly<Record<string, Shown>>
  readonly errors?: readonly { readonly status?: unknown; readonly code?: unknown; readonly title?: unknown }[]
}

function houseMistakes(exchange: Exchange, document: unknown, headers: string): readonly string[] {
  const { body = '' } = exchange
  if (document === undefined) return body.length === 0 ? [] : ['a body that is no JSON']
  const { jsonapi, errors = [], data, included = [] } = document as Shown
  const objects = [document as Shown, ...([data ?? []].flat() as Shown[]), ...included]
  return [
    ...(jsonapi?.version === '1.1' ? [] : ['a version that is not 1.1']),
    ...(errors.length === 0 ? [] : leaks(exchange, headers)),
    ...errors.filter(({ status, code, title }) => !status || !code || !title).map(() => 'an error without names'),
    ...objects.flatMap(emptiness),
    ...objects.flatMap(({ links }) => strayLinks(links)),
  ]
}

/** Finds words of a database, a driver or a stack trace that the client has not sent, encoded or not. */
function leaks({ url, requestBody = '', body = '' }: Exchange, headers: string): readonly string[] {
  const [found] = INSIDE.exec(String(body)) ?? []
  if (found === undefined || wordsOf(`${url} ${requestBody} ${headers}`).includes(wordsOf(found))) return []
  return [`what is inside: ${found}`]
}

function wordsOf(text: string): string {
  return (
    text
      .replaceAll(/%[\da-f]{2}|\\u[\da-f]{4}|\\./gi, ' ')
      .toLowerCase()
      .match(/[a-z\d]+/g)
      ?.join(' ') ?? ''
  )
}

const INSIDE =
  /SQLITE_[A-Z]+|\bER_[A-Z]{3}|QueryFailed|constraint failed|duplicate key|near \\?"|\bselect (?:t\d+\.|[^"]{1,200}? from )|insert into|node_modules|\bat (?:async )?[\w.]+ \(|\/\w+\.[jt]s\b|TypeError|undefined is not/i

/** Empty members are left out. */
function emptiness({ links, relationships }: Shown): readonly string[] {
  const relationshipLinks = Object.values(relationships ?? {}).map((each) => each.links)
  const empty = [relationships, links, ...relationshipLinks].filter((each) => each && Object.keys(each).length === 0)
  return empty.map(() => 'an empty object')
}

/** Links are absolute paths or URLs. */
function strayLinks(links: object = {}): readonly string[] {
  const urls = Object.values(links).map((link) => (typeof link === 'object' && link !== null ? link.href : link))
  return urls.filter((url) => url !== null && !/^(?:https?:\/\/[^/]+)?\/(?!\/)/.test(String(url)))
}
