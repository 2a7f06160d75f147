import type { Field, Relationship, StoredType } from '../graph/model/resource-graph'
import type { IncludePaging } from '../plan/read-plan'

/** The rows that a store read for a plan. */
export interface ReadResult {
  readonly rows: readonly ResourceRow[]
  /** All rows, read on demand, if there are too many for memory; `rows` is empty then. */
  readonly batches?: AsyncIterable<readonly ResourceRow[]>
  /** The total of all matching rows; `undefined` if the plan does not request it. */
  readonly total: Total | undefined
  /** True if there are rows beyond the range: after its last row, or before its first row if it was read backwards. */
  readonly hasMore: boolean
}

/** A number of rows: exact, a lower bound, or an estimate. */
export interface Total {
  readonly kind: 'exact' | 'over' | 'estimated'
  readonly count: number
}

/** The source of the revision of a resource or of its linkage: a version number, or the values of the fields that count. Never sent to clients as it is. */
export type RevisionSource =
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'values'; readonly textOf: (isSeen: (field: Field) => boolean) => string }

/** The rows at the other end of one relationship of one row: all of them, or a page. */
export interface RelatedRowsPage {
  readonly relationship: Relationship
  /** In the order of their layer's sort. */
  readonly rows: readonly ResourceRow[]
  /** True if there are rows after the page. */
  readonly hasMore: boolean
  /** The number of all members; `undefined` if they are not counted. */
  readonly total: number | undefined
  readonly paging: IncludePaging | undefined
}

/** The stored type and id of a row, as linkage contains them. */
export type StoredTypeAndId = Pick<ResourceRow, 'type' | 'id'>

/** A row as the resource that it stores, with its values converted. */
export interface ResourceRow {
  readonly type: StoredType
  readonly id: string
  /** The values of the fetched attributes of the projection, in that order. A moment that is only serialized can be a text. */
  readonly values: readonly unknown[]
  /** The related resources of the relationships that always have linkage; `null`: no related resource. */
  readonly linked: ReadonlyMap<Relationship, StoredTypeAndId | null>
  /** The related rows of each included relationship that the stored type has. */
  readonly related: readonly RelatedRowsPage[]
  /** Includes the foreign keys of its to-one relationships, if the layer requests them. */
  readonly revisionSource?: RevisionSource | undefined
  /** The position of the row in the sorted list; only for rows of a `CursorRange`. */
  readonly position?: readonly (string | null)[] | undefined
}

/** Returns the related rows of one relationship; `undefined` if it is not included. Rows have few of them, so a `Map` would take longer. */
export function findRelatedRowsPageByRelationship(
  related: readonly RelatedRowsPage[],
  relationship: Relationship,
): RelatedRowsPage | undefined {
  for (const each of related) if (each.relationship === relationship) return each
  return undefined
}
