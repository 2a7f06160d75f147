import type { Relationship, StoredType } from '../graph/resource-graph'

/** What a store read for a plan. */
export interface ReadResult {
  readonly rows: readonly ResultRow[]
  /** All rows that match; `undefined` where the plan did not ask. */
  readonly total: number | undefined
  /** Whether there are more rows than fit into the range: behind the last row, or, where it was read backwards, before the first one. */
  readonly hasMore: boolean
}

export interface ResultRow {
  readonly type: StoredType
  readonly id: string
  /** In the order of `plan.shown.of(type).fetched`, as `ValueType` has them held. */
  readonly values: readonly unknown[]
  /** By the relationships that were included and that the stored type has; in the order of their layer's sort. */
  readonly related: ReadonlyMap<Relationship, readonly ResultRow[]>
  /** Where the row stands in the sorted list; only of rows in a `CursorRange`. */
  readonly position?: readonly (string | null)[]
}
