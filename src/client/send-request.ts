import { JsonApiRequestError, PreconditionFailedError } from './request-error'
import type { ClientHttpExchange, WireDocument } from './wire'

/** Options of `createClient`. */
export interface ClientOptions {
  /** The URL of the API: `https://example.org/api`, or in a browser `/api`. */
  readonly baseUrl: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Headers for every request. A function is called for each request. `headers` of a call replace the client's own, such as `If-Match`, and those
   * replace these.
   */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /** The path of the operations endpoint, relative to `baseUrl`. Default: `operations`. */
  readonly operationsPath?: string
}

type HeaderValues = Readonly<Record<string, string>>

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly headers?: HeaderValues
}

/** Options of a write. */
export interface WriteOptions extends RequestOptions {
  /** The server performs requests with the same key once. Use a UUID. */
  readonly idempotencyKey?: string
}

export interface RequestToSend {
  readonly method: string
  /** A path relative to `baseUrl`, or a link: a URL, or a path from the root of the server, which starts with a slash. */
  readonly url: string
  readonly body?: object
  /** A parameter of the media type, such as `ext="…"`. */
  readonly parameter?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly options: RequestOptions
}

export type SendRequest = (request: RequestToSend) => Promise<ClientHttpExchange>

const MEDIA_TYPE = 'application/vnd.api+json'

export function createRequestSender({ baseUrl, fetch, headers = {} }: ClientOptions): SendRequest {
  return async (request) => {
    const { method, body, options } = request
    const url = resolve(request.url, baseUrl)
    const common = typeof headers === 'function' ? await headers() : headers
    const response = await (fetch ?? globalThis.fetch)(url, {
      method,
      headers: { ...lowerCase(common), ...headersOf(request), ...lowerCase(options.headers) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(options.signal !== undefined && { signal: options.signal }),
    })
    const document = parse(await response.text())
    const wireResponse = { method, url, status: response.status, headers: response.headers, document }
    if (!response.ok || (document === undefined && response.status !== 204)) throw toError(wireResponse)
    return wireResponse
  }
}

export function toIdempotencyRequestHeaders({ idempotencyKey: key }: WriteOptions): RequestToSend['headers'] & object {
  return key === undefined ? {} : { 'idempotency-key': JSON.stringify(key) }
}

function resolve(url: string, baseUrl: string): string {
  if (!/^(\/|https?:)/.test(url)) return `${baseUrl.replace(/\/$/, '')}/${url}`
  return /^https?:/.test(baseUrl) ? new URL(url, baseUrl).href : url
}

/** Returns headers with names that replace each other. `fetch` joins the values of names in different case. */
function lowerCase(headers: HeaderValues = {}): HeaderValues {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function headersOf({ body, parameter, headers = {} }: RequestToSend): HeaderValues {
  const type = parameter === undefined ? MEDIA_TYPE : `${MEDIA_TYPE};${parameter}`
  const defined = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { accept: type, ...(body !== undefined && { 'content-type': type }), ...Object.fromEntries(defined) }
}

function parse(text: string): WireDocument | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(wireResponse: ClientHttpExchange): JsonApiRequestError {
  return wireResponse.status === 412 ? new PreconditionFailedError(wireResponse) : new JsonApiRequestError(wireResponse)
}
