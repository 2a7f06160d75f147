import { type ContentType, extensionOrProfileUrisOf, JSON_API_MEDIA_TYPE, parseContentType } from './content-type'
import {
  createListWithOneFindingAtPointer,
  type Exchange,
  type Finding,
  type HeadersLike,
  type LintOptions,
} from './exchange'

/** A parsed exchange. */
export interface ParsedExchange {
  readonly method: string
  readonly path: string
  readonly parameters: URLSearchParams
  readonly status: number
  readonly hasBody: boolean
  /** Returns a response header. */
  header(name: string): string | undefined
  /** `undefined` if the response has no `Content-Type`. */
  readonly type: ContentType | undefined
  /** The profiles applied to the response. */
  readonly profiles: readonly string[]
  /** `undefined` if the response has no readable document. */
  readonly document: unknown
  /** The findings that explain why it is unreadable. */
  readonly unread: readonly Finding[]
  /** The request document; `undefined` if it is unknown. */
  readonly sent: { readonly document: unknown } | undefined
  readonly scope: AppliedExtensionNamespaces
}

/** The member names that are allowed besides those of JSON:API. */
export interface AppliedExtensionNamespaces {
  /** The namespaces of the applied extensions; `any` if one of them is unknown. */
  readonly namespaces: ReadonlySet<string> | 'any'
}

const ATOMIC_OPERATIONS = 'https://jsonapi.org/ext/atomic'

export function parseExchange(exchange: Exchange, options: LintOptions): ParsedExchange {
  const { method, url, status, headers, requestBody } = exchange
  const [target = ''] = url.split('#', 1)
  const [path = '', queryString = ''] = splitOnce(target, '?')
  const header = (name: string) => headerOf(headers, name)
  const contentType = header('content-type')
  const type = contentType === undefined ? undefined : parseContentType(contentType)
  return {
    method: method.toUpperCase(),
    path,
    parameters: new URLSearchParams(queryString),
    status,
    header,
    type,
    profiles: type === undefined ? [] : extensionOrProfileUrisOf(type, 'profile'),
    hasBody: exchange.body !== undefined && exchange.body.length > 0,
    ...readBody(exchange, type),
    sent: requestBody === undefined ? undefined : readSent(requestBody),
    scope: { namespaces: namespacesOf(type, options) },
  }
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const fields = headers as Readonly<Record<string, string | number | readonly string[] | undefined>>
  const value = fields[name] ?? Object.entries(fields).find(([each]) => each.toLowerCase() === name)?.[1]
  return value === undefined ? undefined : String(value)
}

/** Does not parse a body that is declared as another type. */
function readBody({ body = '' }: Exchange, type: ContentType | undefined): Pick<ParsedExchange, 'document' | 'unread'> {
  const isJson = type === undefined || type.name === JSON_API_MEDIA_TYPE || type.name.endsWith('json')
  if (body.length === 0 || !isJson) return { document: undefined, unread: [] }
  try {
    const text = toText(body)
    if (text.startsWith('\uFEFF')) throw new Error('it starts with a byte order mark')
    return { document: JSON.parse(text) as unknown, unread: [] }
  } catch (error) {
    const message = `Expected JSON in UTF-8, found: ${(error as Error).message}.`
    return { document: undefined, unread: createListWithOneFindingAtPointer('', 'DS-1', message) }
  }
}

/** An unreadable body has no values, so only the empty pointer is valid in it. */
function readSent(body: string | Uint8Array): { readonly document: unknown } {
  if (body.length === 0) return { document: undefined }
  try {
    return { document: JSON.parse(toText(body)) as unknown }
  } catch {
    return { document: undefined }
  }
}

function toText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
}

function namespacesOf(type: ContentType | undefined, { extensions = {} }: LintOptions): ReadonlySet<string> | 'any' {
  const known: Readonly<Record<string, string>> = { [ATOMIC_OPERATIONS]: 'atomic', ...extensions }
  const namespaces = (type === undefined ? [] : extensionOrProfileUrisOf(type, 'ext')).map((uri) => known[uri])
  return namespaces.includes(undefined) ? 'any' : new Set(namespaces as readonly string[])
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
