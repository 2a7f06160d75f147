import type { LruCacheDefinition } from '../cache/segmented-lru-cache'
import { ACCEPTED_CURSOR_PAGINATION_URIS } from '../document/cursor-profile'
import { ATOMIC_OPERATIONS_URI } from '../document/media-type'
import type { ApiCore } from '../endpoints/api-core'
import type { SupportedExtension } from '../graph/options/response-options'
import type { HttpRequest } from '../request/http/http-request'
import {
  type ContentNegotiationResult,
  hasNonEmptyBody,
  type MediaTypeSupport,
  NO_EXTENSION_OR_PROFILE_SUPPORT,
  negotiateRequest,
} from '../request/http/negotiate-request'
import type { IntentKind } from '../request/intent/intent'

/** Caches `negotiateRequest`: clients repeat their headers. Saves a microsecond. Errors are not cached. */
export function negotiateCached(
  request: HttpRequest,
  endpoint: IntentKind,
  { caches, options }: Pick<ApiCore, 'caches' | 'options'>,
): ContentNegotiationResult {
  const { accept = '', 'content-type': contentType } = request.headers
  // Headers contain no line breaks. Most requests have no body, and a short key is found faster.
  const contentTypeKey =
    contentType === undefined && !hasNonEmptyBody(request) ? '' : `${hasNonEmptyBody(request)}\n${contentType}\n`
  const key = `${endpoint}\n${contentTypeKey}${accept}`
  return caches
    .of(NEGOTIATIONS)
    .getOrCompute(key, () => negotiateRequest(request, mediaTypeSupportOf(endpoint, options.extensions)))
}

const NEGOTIATIONS: LruCacheDefinition<ContentNegotiationResult> = {
  name: 'negotiations',
  maxEntries: 500,
  maxKeyLength: 500,
}

/** Returns the extensions and profiles that clients may apply at an endpoint. */
function mediaTypeSupportOf(endpoint: IntentKind, extensions: readonly SupportedExtension[]): MediaTypeSupport {
  const allowedExtensions = extensions.filter(({ endpoints }) => endpoints?.some((each) => each === endpoint) ?? true)
  const uris = allowedExtensions.map(({ uri }) => uri)
  const { profiles } = NO_EXTENSION_OR_PROFILE_SUPPORT
  if (endpoint === 'performOperations') {
    return {
      extensions: new Set([ATOMIC_OPERATIONS_URI, ...uris]),
      required: ATOMIC_OPERATIONS_URI,
      profiles,
      body: 'read',
    }
  }
  return {
    extensions: new Set(uris),
    profiles: ENDPOINTS_WITH_PAGES.has(endpoint) ? ACCEPTED_CURSOR_PAGINATION_URIS : profiles,
    body: ENDPOINTS_WITHOUT_DOCUMENT.has(endpoint) ? 'ignored' : 'read',
  }
}

/** Endpoints that return pages. */
const ENDPOINTS_WITH_PAGES: ReadonlySet<IntentKind> = new Set([
  'getCollection',
  'getRelated',
  'getRelationship',
] as const)

/** Endpoints that read no document. HTTP libraries send `{}` or other bodies with a DELETE. */
const ENDPOINTS_WITHOUT_DOCUMENT: ReadonlySet<IntentKind> = new Set([
  'getCollection',
  'getResource',
  'getRelated',
  'getRelationship',
  'deleteResource',
] as const)
