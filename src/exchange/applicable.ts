import { CURSOR_PAGINATION_SPELLINGS } from '../document/cursor-profile'
import type { Extension } from '../graph/response-options'
import type { Intent } from '../request/intent'
import { type Applicable, NOTHING_APPLICABLE } from '../request/negotiate'

/** What clients may send to an endpoint, and apply there. */
export function applicableAt(endpoint: Intent['kind'], extensions: readonly Extension[]): Applicable {
  const here = extensions.filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true)
  return {
    extensions: new Set(here.map(({ uri }) => uri)),
    profiles: PAGED.has(endpoint) ? CURSOR_PAGINATION_SPELLINGS : NOTHING_APPLICABLE.profiles,
    body: WITHOUT_DOCUMENT.has(endpoint) ? 'ignored' : 'read',
  }
}

/** Those that can answer with a page. */
const PAGED: ReadonlySet<Intent['kind']> = new Set(['getCollection', 'getRelated', 'getRelationship'] as const)

/** Those that need no document. Clients send `{}` with a DELETE of a resource, or whatever else their HTTP library puts there. */
const WITHOUT_DOCUMENT: ReadonlySet<Intent['kind']> = new Set([
  'getCollection',
  'getResource',
  'getRelated',
  'getRelationship',
  'deleteResource',
] as const)
