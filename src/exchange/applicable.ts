import { ATOMIC_OPERATIONS } from '../document/atomic-operations'
import { CURSOR_PAGINATION_SPELLINGS } from '../document/cursor-profile'
import type { Extension } from '../graph/response-options'
import type { EndpointKind } from '../request/intent'
import { type Applicable, NOTHING_APPLICABLE } from '../request/negotiate'

/** What clients may send to an endpoint, and apply there: the same object each time. */
export function applicableAt(endpoint: EndpointKind, extensions: readonly Extension[]): Applicable {
  const known = found.get(extensions) ?? new Map<EndpointKind, Applicable>()
  const applicable = known.get(endpoint) ?? toApplicable(endpoint, extensions)
  found.set(extensions, known.set(endpoint, applicable))
  return applicable
}

const found = new WeakMap<readonly Extension[], Map<EndpointKind, Applicable>>()

function toApplicable(endpoint: EndpointKind, extensions: readonly Extension[]): Applicable {
  const here = extensions.filter(({ endpoints }) => endpoints?.some((each) => each === endpoint) ?? true)
  const uris = here.map(({ uri }) => uri)
  const { profiles } = NOTHING_APPLICABLE
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
