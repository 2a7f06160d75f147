import { hash } from 'node:crypto'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { ResponseKind } from '../graph/options/response-options'
import { parseEntityTags } from '../request/http/entity-tags'
import type { HttpRequest } from '../request/http/http-request'
import type { EndpointKind } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { type HttpResponse, isRead, type ResponseContext } from './http-response'

/** What a document shows, where it is all of something that the endpoint is about; `undefined` where it isn't. */
export function contentKindOf(endpoint: EndpointKind, { status, document }: EndpointResult): ResponseKind | undefined {
  if (status >= 300 || status === 202 || document === undefined || !('data' in document)) return undefined
  switch (endpoint) {
    case 'getCollection':
      return 'collection'
    case 'getRelated':
      return document.data.kind === 'list' ? 'collection' : 'individual'
    case 'getResource':
    case 'createResource':
    case 'updateResource':
      return 'individual'
    case 'getRelationship':
    case 'setRelationship':
    case 'addToRelationship':
    case 'removeFromRelationship':
      return 'relationship'
    default:
      return undefined
  }
}

/**
 * What is created is in no state yet, and several writes are of no one state: no condition can hold. The collection that a resource is
 * added to is always there. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function assertPreconditionsApply(endpoint: EndpointKind, { headers }: HttpRequest): void {
  const condition = headers['if-match']
  if (endpoint === 'createResource' && headers['if-none-match']?.trim() === '*') throw collectionIsThere()
  if (condition === undefined || condition.trim() === '*') return
  if (endpoint === 'createResource') throw notMatched('found what is to be created')
  if (endpoint === 'performOperations') throw notMatched("found operations: each says its own in 'meta.version'")
}

/** What an answer says of its content, beside the document. */
export interface ResponseContent {
  readonly kind: ResponseKind
  /** What stands for the state of the resource or the linkage. */
  readonly revisionToken: string | undefined
}

/**
 * The same answer with `ETag`. What is read has `Cache-Control` as well, and is answered with 304 and no body where the client has it already.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export function toConditionalResponse(
  reply: HttpResponse,
  content: ResponseContent,
  { facts, options }: ResponseContext,
): HttpResponse {
  const { etags, cacheControl } = options
  const isWanted = etags === 'all' || (etags === 'individuals' && content.kind !== 'collection')
  // What is not there yet has no hash.
  const etag = isWanted && reply.rest === undefined ? toEtag(content.revisionToken, reply.body) : undefined
  const { status, headers, body, rest } = reply
  if (!isRead(facts)) return { status, headers: withCacheHeaders(headers, etag, undefined), body, rest }
  const control = typeof cacheControl === 'function' ? cacheControl(facts, content.kind) : cacheControl
  const { 'if-match': wanted, 'if-none-match': known } = facts.headers
  if (wanted !== undefined && !matchesEtag(etag, wanted, 'strongly')) throw notMatched(`found ${etag ?? 'none'}`)
  if (etag !== undefined && known !== undefined && matchesEtag(etag, known, 'weakly')) {
    const { vary = 'Accept' } = headers
    return { status: 304, headers: withCacheHeaders({ vary }, etag, control), body: undefined }
  }
  return { status, headers: withCacheHeaders(headers, etag, control), body, rest }
}

/** With what a cache keeps beside the document. */
function withCacheHeaders(headers: HttpResponse['headers'], etag: string | undefined, control: string | undefined) {
  const tagged = etag === undefined ? headers : { etag, ...headers }
  return control === undefined ? tagged : { 'cache-control': control, ...tagged }
}

/**
 * Of the state, where there is one, and of the bytes: writes compare the first, caches the whole. SHA-1 is the fastest of what Node has: 2 µs
 * for 2 kB, 55 µs for 75 kB; nobody need be kept from collisions.
 */
function toEtag(token: string | undefined, body: HttpResponse['body'] = ''): string {
  const bytes = hash('sha1', body, 'base64url')
  return token === undefined ? `"${bytes}"` : `"${token}.${bytes}"`
}

/**
 * What a proxy has compressed on its way comes back as `W/"…"`, which is weakly the same. A header that can't be read names none.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2
 */
function matchesEtag(etag: string | undefined, header: string, compared: 'strongly' | 'weakly'): boolean {
  if (header.trim() === '*') return true
  return parseEntityTags(header).some(({ tag, isWeak }) => tag === etag && !(isWeak && compared === 'strongly'))
}

function notMatched(found: string): JsonApiError {
  return new JsonApiError([
    clientError('precondition.failed', `Expected one of the ETags of If-Match, ${found}.`, { header: 'If-Match' }),
  ])
}

function collectionIsThere(): JsonApiError {
  const detail = 'The collection at this URL is there. Leave If-None-Match out: an id that is taken answers 409.'
  return new JsonApiError([clientError('header.if-none-match', detail, { header: 'If-None-Match' })])
}
