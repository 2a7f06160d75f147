import { CURSOR_PAGINATION_SPELLINGS } from '../document/cursor-profile'
import { ATOMIC_OPERATIONS } from '../document/media-type'
import type { SupportedExtension } from '../graph/options/response-options'
import { type MediaTypeSupport, NO_EXTENSIONS } from '../request/http/negotiate'
import type { EndpointKind } from '../request/intent/intent'

/** Returns the extensions and profiles that clients may apply at an endpoint. */
export function mediaTypeSupportOf(
  endpoint: EndpointKind,
  extensions: readonly SupportedExtension[],
): MediaTypeSupport {
  const here = extensions.filter(({ endpoints }) => endpoints?.some((each) => each === endpoint) ?? true)
  const uris = here.map(({ uri }) => uri)
  const { profiles } = NO_EXTENSIONS
  if (endpoint === 'performOperations') {
    return { extensions: new Set([ATOMIC_OPERATIONS, ...uris]), required: ATOMIC_OPERATIONS, profiles, body: 'read' }
  }
  return {
    extensions: new Set(uris),
    profiles: PAGED.has(endpoint) ? CURSOR_PAGINATION_SPELLINGS : profiles,
    body: WITHOUT_DOCUMENT.has(endpoint) ? 'ignored' : 'read',
  }
}

/** Endpoints that return pages. */
const PAGED: ReadonlySet<EndpointKind> = new Set(['getCollection', 'getRelated', 'getRelationship'] as const)

/** Endpoints that read no document. HTTP libraries send `{}` or other bodies with a DELETE. */
const WITHOUT_DOCUMENT: ReadonlySet<EndpointKind> = new Set([
  'getCollection',
  'getResource',
  'getRelated',
  'getRelationship',
  'deleteResource',
] as const)
