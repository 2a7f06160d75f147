import { CURSOR_PAGINATION_SPELLINGS } from '../document/cursor-profile'
import type { Extension } from '../graph/response-options'
import type { Intent } from '../request/intent'
import { type Applicable, NOTHING_APPLICABLE } from '../request/negotiate'

/** The extensions and profiles that clients may apply at an endpoint. */
export function applicableAt(endpoint: Intent['kind'], extensions: readonly Extension[]): Applicable {
  const here = extensions.filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true)
  return {
    extensions: new Set(here.map(({ uri }) => uri)),
    profiles: PAGED.has(endpoint) ? CURSOR_PAGINATION_SPELLINGS : NOTHING_APPLICABLE.profiles,
  }
}

/** Those that can answer with a page. */
const PAGED: ReadonlySet<Intent['kind']> = new Set(['getCollection', 'getRelated', 'getRelationship'] as const)
