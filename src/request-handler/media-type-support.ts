import { CURSOR_PAGINATION_SPELLINGS } from '../document/cursor-profile'
import { ATOMIC_OPERATIONS } from '../document/media-type'
import type { SupportedExtension } from '../graph/options/response-options'
import { type MediaTypeSupport, NO_EXTENSIONS } from '../request/http/negotiate'
import type { EndpointKind } from '../request/intent/intent'

/** What clients may send to an endpoint, and apply there: the same object each time. */
export function mediaTypeSupportOf(
  endpoint: EndpointKind,
  extensions: readonly SupportedExtension[],
): MediaTypeSupport {
  const known = found.get(extensions) ?? new Map<EndpointKind, MediaTypeSupport>()
  const applicable = known.get(endpoint) ?? toMediaTypeSupport(endpoint, extensions)
  found.set(extensions, known.set(endpoint, applicable))
  return applicable
}

const found = new WeakMap<readonly SupportedExtension[], Map<EndpointKind, MediaTypeSupport>>()

function toMediaTypeSupport(endpoint: EndpointKind, extensions: readonly SupportedExtension[]): MediaTypeSupport {
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

/** Those that can answer with a page. */
const PAGED: ReadonlySet<EndpointKind> = new Set(['getCollection', 'getRelated', 'getRelationship'] as const)

/** Those that need no document. Clients send `{}` with a DELETE of a resource, or whatever else their HTTP library puts there. */
const WITHOUT_DOCUMENT: ReadonlySet<EndpointKind> = new Set([
  'getCollection',
  'getResource',
  'getRelated',
  'getRelationship',
  'deleteResource',
] as const)
