import type { Field, Relationship, StoredType } from '../graph/model/resource-graph'
import type { IncludedPages } from '../plan/read-plan'

/** What a store read for a plan. */
export interface ReadResult {
  readonly rows: readonly ResultRow[]
  /** All rows, where they were too many to be held at once; `rows` is empty then. They are read when they are asked for. */
  readonly windows?: AsyncIterable<readonly ResultRow[]>
  /** Of all rows that match; `undefined` where the plan did not ask. */
  readonly total: Total | undefined
  /** Whether there are more rows than fit into the range: behind the last row, or, where it was read backwards, before the first one. */
  readonly hasMore: boolean
}

/** How many rows there are: exactly so many, more than these, or about as many. */
export interface Total {
  readonly kind: 'exact' | 'over' | 'estimated'
  readonly count: number
}

/**
 * What tells one state of a resource, or of its linkage, from another: a number that the store counts up, or the values themselves, of
 * those fields that count. Nobody outside may see them.
 */
export type State =
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'values'; readonly textOf: (isSeen: (field: Field) => boolean) => string }

/** The rows at the other end of one relationship of one row: all of them, or a page. */
export interface RelatedRows {
  /** In the order of their layer's sort. */
  readonly rows: readonly ResultRow[]
  /** Whether there are rows behind those of the page. */
  readonly hasMore: boolean
  /** How many there are in all; `undefined` where they are not counted. */
  readonly total: number | undefined
  readonly pages: IncludedPages | undefined
}

/** What linkage tells of a row. */
export type ResourceKey = Pick<ResultRow, 'type' | 'id'>

export interface ResultRow {
  readonly type: StoredType
  readonly id: string
  /**
   * In the order of `plan.shown.of(type).fetched`, as `AttributeType` has them held. Where the plan says that they are but written, a moment may
   * be the text that a document has of it.
   */
  readonly values: readonly unknown[]
  /** By the relationships that are always linked; `null`: there is nothing at the other end. */
  readonly linked: ReadonlyMap<Relationship, ResourceKey | null>
  /** By the relationships that were included and that the stored type has. */
  readonly related: ReadonlyMap<Relationship, RelatedRows>
  /** With the keys of its relationships that lie in the row; only where the layer asked for it. */
  readonly state?: State | undefined
  /** Where the row stands in the sorted list; only of rows in a `CursorRange`. */
  readonly position?: readonly (string | null)[] | undefined
}
