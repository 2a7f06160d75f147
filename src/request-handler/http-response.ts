import { type MediaTypeParameters, printJsonApiMediaType } from '../document/media-type'
import { type Links, mergeLinks } from '../document/response-document'
import { trimTrailing } from '../document/trim-text'
import type { ApiCore } from '../endpoints/api-core'
import type { ResolvedApiOptions } from '../graph/options/options'
import type { LinkOptions, RequestInfo } from '../graph/options/response-options'
import type { Deadline } from '../request/http/deadline'
import type { RequestHead } from '../request/http/http-request'
import { isMethodEnabled, OPEN_API_PATH, type UrlMatchWithEndpoint } from '../request/intent/routes'
import type { EndpointResult } from '../response/endpoint-result'
import { type LinkQueryParameters, parseQueryStringForLinks } from '../response/link-query-parameters'
import type { RequestUrl } from '../response/links'
import { printDocumentInPieces } from '../response/print-document'
import { type BufferedOrStreamedBody, toBufferedOrStreamedBody } from './to-buffered-or-streamed-body'

/** A response, independent of Node and Express. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` for a response without a body. */
  readonly body: BufferedOrStreamedBody['body'] | undefined
  /** The rest of a streamed body, of which `body` is the start. */
  readonly rest?: BufferedOrStreamedBody['rest']
  /** Returns the response that replaces this one if `rest` fails before anything was sent. */
  readonly reportErrorAndCreateResponse?: (error: unknown) => HttpResponse
  /** The time limit for the first part of `rest`. The sender ends it. */
  readonly deadline?: Deadline | undefined
}

/** The parts that all responses to one request share. */
export interface ResponseContext {
  readonly requestUrl: RequestUrl
  readonly requestInfo: RequestInfo
  readonly options: ResolvedApiOptions
  /** `undefined` before the URL is matched. */
  readonly route: UrlMatchWithEndpoint | undefined
}

const NOTHING_APPLIED: MediaTypeParameters = { extensions: [], profiles: [] }

/** Returns the context of a request, without `route` before it is matched and negotiated. Profiles are applied later, by the result. */
export function toResponseContext(
  head: RequestHead,
  { caches, options }: Pick<ApiCore, 'caches' | 'options'>,
  route: UrlMatchWithEndpoint | undefined = undefined,
  { extensions }: MediaTypeParameters = NOTHING_APPLIED,
): ResponseContext {
  const { method, path, queryString, headers } = head
  let parsed: LinkQueryParameters | undefined
  const parameters = () => {
    parsed ??= parseQueryStringForLinks(queryString, caches)
    return parsed
  }
  const url = { base: baseOf(head, options.links), path: encodeIllegalCharacters(path), parameters }
  const requestUrl = route === undefined || isMethodEnabled(route, 'GET') ? url : { ...url, self: false as const }
  return { requestUrl, requestInfo: { method, path, headers, extensions, profiles: [] }, options, route }
}

/** Builds the HTTP response of a result. Every response varies by `Accept`, even if nothing was negotiated. */
export function toHttpResponse(
  { status, headers, document, profiles = [] }: EndpointResult,
  responseContext: ResponseContext,
  links?: Links,
): HttpResponse {
  if (document === undefined) return { status, headers: { vary: 'Accept', ...headers }, body: undefined }
  const { options, requestUrl } = responseContext
  const requestInfo =
    profiles.length === 0 ? responseContext.requestInfo : withProfiles(responseContext.requestInfo, profiles)
  const text = printDocumentInPieces(document, {
    applied: requestInfo,
    links: mergeLinks(links, describingLinks(requestUrl, options)),
    meta: options.meta?.(requestInfo),
  })
  const { body, rest } = toBufferedOrStreamedBody(
    text,
    isReadRequest(requestInfo) ? (options.streamThreshold ?? Infinity) : Infinity,
  )
  return {
    status,
    headers: { vary: 'Accept', 'content-type': printJsonApiMediaType(requestInfo), ...headers },
    body,
    rest,
  }
}

/** Builds a response at startup that depends on neither the request nor the options. */
export function buildConstantResponse({ status, headers, document }: EndpointResult): HttpResponse {
  const noMembers = { applied: NOTHING_APPLIED, links: undefined, meta: undefined }
  return {
    status,
    headers: { vary: 'Accept', 'content-type': printJsonApiMediaType(NOTHING_APPLIED), ...headers },
    body:
      document === undefined ? undefined : Buffer.from([...printDocumentInPieces(document, noMembers).pieces].join('')),
  }
}

/** Calls the option `meta` before a write, because an error after the commit would return 500 for a committed write. */
export function callMetaOptionBeforeDatabaseWrite(responseContext: ResponseContext): ResponseContext {
  const { requestInfo, options } = responseContext
  if (options.meta === undefined || isReadRequest(requestInfo)) return responseContext
  const meta = options.meta(requestInfo)
  // Throws if it is not JSON.
  JSON.stringify(meta)
  return { ...responseContext, options: { ...options, meta: () => meta } }
}

function withProfiles(requestInfo: RequestInfo, profiles: readonly string[]): RequestInfo {
  return { ...requestInfo, profiles: [...requestInfo.profiles, ...profiles] }
}

/** Returns true for GET and HEAD. Only their responses are streamed: writes are committed or rolled back before their response is sent. */
export function isReadRequest({ method }: Pick<RequestInfo, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Links to `describedBy`, or to the OpenAPI document that the API serves. The link is absolute if the others are. */
function describingLinks({ base }: RequestUrl, { describedBy, openApi }: ResolvedApiOptions): Links | undefined {
  if (describedBy === undefined)
    return openApi.served === false ? undefined : { describedby: `${base}${OPEN_API_PATH}` }
  return { describedby: base.startsWith('http') ? new URL(describedBy, base).href : describedBy }
}

function baseOf({ findOrigin, mountPath }: RequestHead, { base }: LinkOptions): string {
  // Two slashes at the start of a path would turn its first segment into a host.
  const path = encodeIllegalCharacters(mountPath).replace(/^\/+/, '/')
  if (base === 'path') return path
  return base === 'request' ? `${findOrigin() ?? ''}${path}` : trimTrailing(base, '/')
}

/** Percent-encodes characters that are not allowed in a path. https://www.rfc-editor.org/rfc/rfc3986#section-3.3 */
function encodeIllegalCharacters(path: string): string {
  return path.replace(/[^\w\-.~!$&'()*+,;=:@%/]|%(?![\da-f]{2})/gi, encodeURIComponent)
}
