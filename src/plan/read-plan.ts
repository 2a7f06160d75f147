import type { TotalOption } from '../declarations/field-options'
import type { RecordHooks } from '../definitions/record-hooks'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import type { Filter, RelationshipStep, SortKey } from '../query/ast'
import { type Param, param } from '../query/param'

/** What to read, whatever the store: a tree with one layer per include step. Frozen once made. */
export interface ReadPlan {
  readonly layer: Layer
  /** How all rows that match are counted, beyond those on the page. The text of the statement depends on it. */
  readonly total: TotalOption
  readonly projection: Projection
}

/** Rows of one declared type, of which each has its own stored type. */
export interface Layer {
  readonly type: ResourceType
  /** Which rows: all, those with these ids, or those at either end of a relationship of others. */
  readonly criteria: RowCriteria
  /** What the client and the reading rules demand. */
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
export type RowRange = NumberRange | CursorRange

/** Those from `offset` on, at most `size`. In an include: of each parent's rows. */
export interface NumberRange {
  readonly kind: 'numbers'
  readonly offset: Param<number>
  readonly size: Param<number>
  /** Where `offset` counts from, whichever way the rows are wanted; left out: from the start of the list. Not of includes. */
  readonly from?: 'end'
}

export function numberRange(offset: number, size: number): NumberRange {
  return { kind: 'numbers', offset: param(offset), size: param(size) }
}

/** Where a list is cut: at an item, by the values of its sort keys as text; or behind the last one. */
export type PagePosition = readonly (string | null)[] | 'end'

/**
 * At most `size` of those behind one position and before another: with `before` alone the last ones, else the first ones.
 * Every row is read with its own position.
 */
export interface CursorRange {
  readonly kind: 'cursors'
  readonly size: Param<number>
  readonly after: readonly (Param<string> | null)[] | 'end' | undefined
  readonly before: CursorRange['after']
  /** That of the cursors of this list. */
  readonly fingerprint: Param<string>
}

/** Rows at the other end of a relationship, of all the rows of the layer above that are of these types. Its `criteria` is `all`. */
export interface IncludeLayer {
  /** Which of the members of each row above are read; `undefined`: the relationship is to one. */
  readonly pages: IncludedPages | undefined
  readonly relationship: Relationship
  /** Those that have the relationship, and whose rules let it be followed. */
  readonly parentTypes: readonly StoredType[]
  readonly layer: Layer
}

export interface IncludedPages {
  /** `undefined`: the relationship has no pages. */
  readonly range: NumberRange | undefined
  /** Whether the members of each row above are counted, for the total. */
  readonly total: 'counted' | 'notCounted'
  /** What the client asked of the related resources, as the parameters of the relationship endpoint. */
  readonly filter: string | undefined
  readonly sort: string | undefined
}

/** What a document shows of the resources of each stored type, and what is fetched for that. */
export interface Projection {
  of(type: StoredType): TypeProjection
}

export interface TypeProjection {
  /** In the order in which they are fetched: those that are shown, or all where hooks want to see a record. */
  readonly fetched: readonly Attribute[]
  /** What the values are for: hooks and rules see records that hold them; all others are but written into a document. */
  readonly values: 'runtime' | 'serialized'
  readonly attributes: readonly Attribute[]
  readonly fields: ReadonlySet<Field>
  /** To-one relationships whose right ends are read with the row, whether they are included or not. */
  readonly linked: readonly RelationshipStep[]
  /** What the definition of the type says of each record. */
  readonly hooks: RecordHooks | undefined
}
