import { withoutEnd } from '../document/cut-text'
import { joinLinks, type Links } from '../document/document'
import { type MediaTypeParameters, printMediaType } from '../document/media-type'
import type { Options } from '../graph/options/options'
import type { LinkOptions, RequestInfo } from '../graph/options/response-options'
import type { Deadline } from '../request/http/deadline'
import type { RequestHead } from '../request/http/http-request'
import { OPEN_API_PATH } from '../request/intent/routes'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { printDocument } from '../response/print-document'
import { type BufferedBody, bufferBody } from './buffer-body'

/** What goes out, whatever carries it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `undefined`: the answer has no body. */
  readonly body: BufferedBody['body'] | undefined
  /** What follows the body, where it is but the start of a document that is made while it is sent. */
  readonly rest?: BufferedBody['rest']
  /** The answer in place of this one, where what follows the body fails before anything is sent. */
  readonly toErrorResponse?: (error: unknown) => HttpResponse
  /** By when something of what follows the body has to be there. Whoever sends it ends it. */
  readonly deadline?: Deadline | undefined
}

/** What holds for every answer to one request. */
export interface ResponseContext {
  readonly requestUrl: RequestUrl
  readonly facts: RequestInfo
  readonly options: Options
}

export const NOTHING_APPLIED: MediaTypeParameters = { extensions: [], profiles: [] }

export function toResponseContext(head: RequestHead, applied: MediaTypeParameters, options: Options): ResponseContext {
  const { method, path, queryString, headers } = head
  const requestUrl = { base: baseOf(head, options.links), path: toLegal(path), queryString }
  return { requestUrl, facts: { method, path, headers, ...applied }, options }
}

/** What is answered depends on `Accept`, also where nothing of it was applied. */
export function toHttpResponse(
  { status, headers, document, profiles = [] }: EndpointResult,
  responseContext: ResponseContext,
  links?: Links,
): HttpResponse {
  if (document === undefined) return { status, headers: { vary: 'Accept', ...headers }, body: undefined }
  const { options, requestUrl } = responseContext
  const facts = profiles.length === 0 ? responseContext.facts : withProfiles(responseContext.facts, profiles)
  const text = printDocument(document, {
    applied: facts,
    links: joinLinks(links, describingLinks(requestUrl, options)),
    meta: options.meta?.(facts),
  })
  const { body, rest } = bufferBody(text, isRead(facts) ? (options.streamThreshold ?? Infinity) : Infinity)
  return { status, headers: { vary: 'Accept', 'content-type': printMediaType(facts), ...headers }, body, rest }
}

/**
 * With what the application puts around the answer to a write, which it is asked for before anything is written: what fails there later would
 * answer 500 for a write that stands.
 */
export function withMetaBeforeWrite(responseContext: ResponseContext): ResponseContext {
  const { facts, options } = responseContext
  if (options.meta === undefined || isRead(facts)) return responseContext
  const meta = options.meta(facts)
  // It may be no JSON: that is found out here as well.
  JSON.stringify(meta)
  return { ...responseContext, options: { ...options, meta: () => meta } }
}

function withProfiles(facts: RequestInfo, profiles: readonly string[]): RequestInfo {
  return { ...facts, profiles: [...facts.profiles, ...profiles] }
}

/** Writes are over, or undone, before anything is sent. */
export function isRead({ method }: Pick<RequestInfo, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** To what the application says, else to the document that it serves. Where links are absolute, this one is too: on the same host. */
function describingLinks({ base }: RequestUrl, { describedBy, openApi }: Options): Links | undefined {
  if (describedBy === undefined)
    return openApi.served === false ? undefined : { describedby: `${base}${OPEN_API_PATH}` }
  return { describedby: base.startsWith('http') ? new URL(describedBy, base).href : describedBy }
}

function baseOf({ findOrigin, mountPath }: RequestHead, { base }: LinkOptions): string {
  // Two slashes at the start of a path would make a host of what follows.
  const path = toLegal(mountPath).replace(/^\/+/, '/')
  if (base === 'path') return path
  return base === 'request' ? `${findOrigin() ?? ''}${path}` : withoutEnd(base, '/')
}

/** A path as it was sent, but with what may only stand in it percent-encoded. https://www.rfc-editor.org/rfc/rfc3986#section-3.3 */
function toLegal(path: string): string {
  return path.replace(/[^\w\-.~!$&'()*+,;=:@%/]|%(?![\da-f]{2})/gi, encodeURIComponent)
}
