import type { FieldInfo, ReceivedApiResponse, ResourceIdentifierObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { hasSuccessStatus, send } from '../core/requests'
import { keyOf, primaryResourcesOf } from '../core/resources'
import type { IdentifierWithLabel } from './identifier-with-label'

/** What the page shows of a relationship. */
export interface ShownLinkage {
  readonly members: readonly IdentifierWithLabel[]
  /** True if there are more members than these. */
  readonly isPartial: boolean
  /** The ETag of the relationship's endpoint; `undefined` if only the resource was loaded, whose ETag need not be valid there. */
  readonly etag: string | null | undefined
}

type LinkageEtagResult =
  | { readonly kind: 'same'; readonly etag: string }
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly response: ReceivedApiResponse }

/**
 * Returns the ETag with which a change of the shown members has to be sent. If it is not known, loads the linkage and compares its members.
 * `canRead`: whether the endpoint of the relationship returns its linkage.
 */
export async function fetchEtagIfShownLinkageUnchanged(
  { members, etag }: ShownLinkage,
  { type, id }: ResourceIdentifierObject,
  { name }: FieldInfo,
  canRead: boolean,
): Promise<LinkageEtagResult> {
  if (etag !== undefined || !canRead) return { kind: 'same', etag: matchable(etag) }
  const response = await send({ method: 'GET', url: joinApiPath(type, id, 'relationships', name) })
  if (!hasSuccessStatus(response)) return { kind: 'failed', response }
  const isSame =
    toOrderIndependentKeyOfIdentifiers(primaryResourcesOf(response.document)) ===
    toOrderIndependentKeyOfIdentifiers(members.map(({ identifier }) => identifier))
  return isSame ? { kind: 'same', etag: matchable(response.headers.get('etag')) } : { kind: 'changed' }
}

/** An ETag without a version matches no write, and some APIs have no ETags. A write then has to accept any version. */
function matchable(etag: string | null | undefined): string {
  return etag?.includes('.') ? etag : '*'
}

/** The order is left out: the rows of an included relationship may be sorted otherwise. */
export function toOrderIndependentKeyOfIdentifiers(all: readonly ResourceIdentifierObject[]): string {
  return all.map(keyOf).toSorted().join(' ')
}
