import type { TotalOption } from '../declarations/field-options'
import type { RecordReadHooks } from '../definitions/record-read-hooks'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import type { FilterNode, SortKeyNode, ToOneStep } from '../query/tree/ast'
import { Param } from '../query/tree/param'

/** What to read, independent of the store: a tree with one layer per include step. Frozen. */
export interface ReadPlan {
  readonly layer: ReadPlanLayer
  /** Whether and how all matching rows are counted. The text of the statement depends on it. */
  readonly total: TotalOption
  readonly projection: FieldSelection
}

/** Rows of one declared type. Each row has its own stored type. `Size`: how the store holds page sizes. */
export interface ReadPlanLayer<Size = number> {
  readonly type: ResourceType
  /** Which rows are read: all, those with given ids, or those at one end of a relationship. */
  readonly criteria: RowCriteriaByIdOrRelationship
  /** The filters of the client and of the read rules. */
  readonly filter: FilterNode | undefined
  /** Ends with the id, so that the order is total. Empty if no order is needed: for one row, or rows with given ids. */
  readonly sort: readonly SortKeyNode[]
  readonly range: PageRange<Size> | undefined
  readonly includes: readonly IncludePlan[]
  /** Whether each row is read with its revision, for the ETag. Always `notRead` in includes. */
  readonly revisions: 'read' | 'notRead'
}

export type RowCriteriaByIdOrRelationship =
  | { readonly kind: 'all' }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'relatedTo'
      readonly relationship: Relationship
      readonly source: { readonly type: ResourceType; readonly id: string }
      /** Limits the rows to these ids; missing: no limit. */
      readonly ids?: readonly string[]
    }
  /** The rows whose relationship leads to any of these ids. */
  | { readonly kind: 'linkingTo'; readonly relationship: Relationship; readonly ids: readonly string[] }

/** A page of the sorted rows. */
export type PageRange<Size = number> = OffsetRange<Size> | CursorRange<Size>

/** At most `size` rows from `offset` on. In an include, the range applies to the rows of each parent. */
export interface OffsetRange<Size = number> {
  readonly kind: 'numbers'
  readonly offset: Param<number>
  readonly size: Size
  /** `end`: `offset` counts from the end of the list. The store sets it for pages that are nearer to the end; never in includes. */
  readonly from?: 'end'
}

export function createRangeFromOffsetAndSize(offset: number, size: number): OffsetRange {
  return { kind: 'numbers', offset: new Param(offset), size }
}

/** A position in a list: the values of an item's sort keys as text, or `end` for the position after the last item. */
export type CursorPosition = readonly (string | null)[] | 'end'

/**
 * At most `size` rows after one position and before another. With `before` alone, they are the last rows before it; otherwise the first.
 * Every row is read with its position.
 */
export interface CursorRange<Size = number> {
  readonly kind: 'cursors'
  readonly size: Size
  readonly after: readonly (Param<string> | null)[] | 'end' | undefined
  readonly before: CursorRange['after']
  /** Identifies the list in its cursors. */
  readonly fingerprint: Param<string>
}

/** Reads the related rows of all parent rows with the `parentTypes`. The `criteria` of its layer is `all`. */
export interface IncludePlan<Size = number> {
  /** The members that are read for each parent row; `undefined` for a to-one relationship. */
  readonly paging: IncludePaging | undefined
  readonly relationship: Relationship
  /** The types that have the relationship, and whose rules don't hide it. */
  readonly parentTypes: readonly StoredType[]
  readonly layer: ReadPlanLayer<Size>
}

export interface IncludePaging {
  /** `undefined`: the relationship has no pages. */
  readonly range: OffsetRange | undefined
  /** Whether the members of each parent row are counted, for the total. */
  readonly total: 'counted' | 'notCounted'
  /** The client's filter and sort, as parameters of the relationship endpoint. */
  readonly filter: string | undefined
  readonly sort: string | undefined
}

/** The fields of each stored type in a document, and the fields to fetch for them. */
export interface FieldSelection {
  of(type: StoredType): TypeProjection
}

export interface TypeProjection {
  /** The attributes in the order of the statement: those in the document, or all if hooks receive records. */
  readonly fetched: readonly Attribute[]
  /** `runtime` if hooks receive records with the values; `serialized` if the values are only written into a document. */
  readonly values: 'runtime' | 'serialized'
  readonly attributes: readonly Attribute[]
  readonly fields: ReadonlySet<Field>
  /** To-one relationships whose linkage is always read with the row (`linkage: 'always'`). */
  readonly linked: readonly ToOneStep[]
  /** The record hooks of the type's definition. */
  readonly hooks: RecordReadHooks | undefined
}
