import type { CacheDefinition } from '../cache/segmented-lru-cache'
import type { App } from '../endpoints/app'
import type { HttpRequest } from '../request/http/http-request'
import { hasBody, type Negotiation, negotiateRequest } from '../request/http/negotiate'
import type { EndpointKind } from '../request/intent/intent'
import { mediaTypeSupportOf } from './media-type-support'

/** Caches `negotiateRequest`: clients repeat their headers. Saves a microsecond. Errors are not cached. */
export function negotiateCached(
  request: HttpRequest,
  endpoint: EndpointKind,
  { caches, options }: Pick<App, 'caches' | 'options'>,
): Negotiation {
  const { accept = '', 'content-type': contentType } = request.headers
  // Headers contain no line breaks. Most requests have no body, and a short key is found faster.
  const sent = contentType === undefined && !hasBody(request) ? '' : `${hasBody(request)}\n${contentType}\n`
  const key = `${endpoint}\n${sent}${accept}`
  return caches
    .of(NEGOTIATIONS)
    .getOrCompute(key, () => negotiateRequest(request, mediaTypeSupportOf(endpoint, options.extensions)))
}

const NEGOTIATIONS: CacheDefinition<Negotiation> = { name: 'negotiations', maxEntries: 500, maxKeyLength: 500 }
