import type { TotalOption } from '../declarations/field-options'
import type { RecordReadHooks } from '../definitions/record-read-hooks'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import type { Filter, RelationshipStep, SortKey } from '../query/tree/ast'
import { Param } from '../query/tree/param'

/** What to read, independent of the store: a tree with one layer per include step. Frozen. */
export interface ReadPlan {
  readonly layer: PlanLayer
  /** How all matching rows are counted. The text of the statement depends on it. */
  readonly total: TotalOption
  readonly projection: Projection
}

/** Rows of one declared type. Each row has its own stored type. */
export interface PlanLayer {
  readonly type: ResourceType
  /** Which rows: all, those with these ids, or those at either end of a relationship of others. */
  readonly criteria: RowCriteria
  /** The filters of the client and of the read rules. */
  readonly filter: Filter | undefined
  /** Ends with the id, so that it is total. Empty where at most one row is read. */
  readonly sort: readonly SortKey[]
  readonly range: RowRange | undefined
  readonly includes: readonly IncludeLayer[]
  /** Whether each row is read with its state. Not of includes. */
  readonly states: 'read' | 'notRead'
}

export type RowCriteria =
  | { readonly kind: 'all' }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'relatedTo'
      readonly relationship: Relationship
      readonly source: { readonly type: ResourceType; readonly id: string }
      /** Only those with these ids. */
      readonly ids?: readonly string[]
    }
  /** Rows from which a relationship of theirs leads to any of these ids. */
  | { readonly kind: 'linkingTo'; readonly relationship: Relationship; readonly ids: readonly string[] }

/** A page of the sorted rows. */
export type RowRange = OffsetRange | CursorRange

/** Those from `offset` on, at most `size`. In an include: of each parent's rows. */
export interface OffsetRange {
  readonly kind: 'numbers'
  readonly offset: Param<number>
  readonly size: Param<number>
  /** Where `offset` counts from, whichever way the rows are wanted; left out: from the start of the list. Not of includes. */
  readonly from?: 'end'
}

export function createOffsetRange(offset: number, size: number): OffsetRange {
  return { kind: 'numbers', offset: new Param(offset), size: new Param(size) }
}

/** A position in a list: the values of an item's sort keys as text, or behind the last item. */
export type CursorPosition = readonly (string | null)[] | 'end'

/**
 * At most `size` of those behind one position and before another: with `before` alone the last ones, else the first ones.
 * Every row is read with its own position.
 */
export interface CursorRange {
  readonly kind: 'cursors'
  readonly size: Param<number>
  readonly after: readonly (Param<string> | null)[] | 'end' | undefined
  readonly before: CursorRange['after']
  /** Identifies the list in its cursors. */
  readonly fingerprint: Param<string>
}

/** The related rows of all rows in the layer above that have these types. The `criteria` of its layer is `all`. */
export interface IncludeLayer {
  /** The members that are read for each row above; `undefined` for a to-one relationship. */
  readonly pages: IncludePaging | undefined
  readonly relationship: Relationship
  /** The types that have the relationship, and whose rules don't hide it. */
  readonly parentTypes: readonly StoredType[]
  readonly layer: PlanLayer
}

export interface IncludePaging {
  /** `undefined`: the relationship has no pages. */
  readonly range: OffsetRange | undefined
  /** Whether the members of each row above are counted, for the total. */
  readonly total: 'counted' | 'notCounted'
  /** The client's filter and sort, as parameters of the relationship endpoint. */
  readonly filter: string | undefined
  readonly sort: string | undefined
}

/** The fields of each stored type in a document, and the fields to fetch for them. */
export interface Projection {
  of(type: StoredType): TypeProjection
}

export interface TypeProjection {
  /** In the order of the statement: the shown attributes, or all if hooks receive records. */
  readonly fetched: readonly Attribute[]
  /** `runtime` if hooks receive records with the values; `serialized` if the values are only written into a document. */
  readonly values: 'runtime' | 'serialized'
  readonly attributes: readonly Attribute[]
  readonly fields: ReadonlySet<Field>
  /** To-one relationships whose linkage is read with the row, included or not. */
  readonly linked: readonly RelationshipStep[]
  /** The record hooks of the type's definition. */
  readonly hooks: RecordReadHooks | undefined
}
