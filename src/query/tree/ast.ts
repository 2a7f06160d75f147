import type { PaginationKind } from '../../declarations/field-options'
import type { FilterOrSortFunction } from '../../graph/model/filter-or-sort-function'
import type {
  Attribute,
  Relationship,
  ResourceType,
  StoredType,
  ToManyRelationship,
  ToOneRelationship,
} from '../../graph/model/resource-graph'
import type { EmbeddedMember } from '../../graph/model/value-type'
import type { Param } from './param'

/**
 * The nodes of a query string after its names are resolved. They hold fields of the graph, never names.
 * The plan adds `rule` (the filter that read rules require of related rows) and `only` (the stored types whose rules show the
 * field; for rows of other types it counts as missing).
 */
export type FilterNode =
  | Constant
  | ComparisonNode
  | IsNullNode
  | HasNoneNode
  | TextMatchNode
  | EqualsAnyNode
  | LogicalNode
  | NotNode
  | HasNode
  | IsTypeNode
  | IsExactlyNode
  | FunctionCall

/** True or false for every row. Never written by clients. */
interface Constant {
  readonly kind: 'constant'
  readonly value: boolean
}

export type ComparisonOperator = 'equals' | 'lessThan' | 'lessOrEqual' | 'greaterThan' | 'greaterOrEqual'

export interface ComparisonNode {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: NonLiteralOperand
  readonly right: NonLiteralOperand | Literal
}

/** Written `equals(x,null)`. A separate kind, so that `lessThan(x,null)` is impossible. */
export interface IsNullNode {
  readonly kind: 'isNull'
  readonly left: AttributePath | FunctionCall
}

/** Written `equals(toOne,null)`: there is no related resource. */
interface HasNoneNode {
  readonly kind: 'hasNone'
  readonly path: ToOnePathOperand
}

export type TextMatchOperator = 'contains' | 'startsWith' | 'endsWith'

export interface TextMatchNode {
  readonly kind: 'textMatch'
  readonly operator: TextMatchOperator
  readonly left: AttributePath | FunctionCall
  readonly text: Param<string>
}

export interface EqualsAnyNode {
  readonly kind: 'equalsAny'
  readonly left: NonLiteralOperand
  readonly values: readonly Literal[]
}

export interface LogicalNode {
  readonly kind: 'logical'
  readonly operator: 'and' | 'or'
  readonly terms: readonly FilterNode[]
}

export interface NotNode {
  readonly kind: 'not'
  readonly term: FilterNode
}

export interface HasNode {
  readonly kind: 'has'
  readonly path: ToManyPathOperand
  readonly filter: FilterNode | undefined
}

/** An is-a test: descendants of the type pass too. The filter is in the scope of `type`. */
export interface IsTypeNode {
  readonly kind: 'isType'
  /** No steps: the row in scope. */
  readonly path: readonly ToOneStep[]
  readonly type: ResourceType
  readonly filter: FilterNode | undefined
}

/** The row has exactly one of these stored types. Never written by clients: the plan combines read rules with it. */
interface IsExactlyNode {
  readonly kind: 'isExactly'
  readonly types: readonly StoredType[]
}

/** The left side of a comparison: everything that has a value. */
export type NonLiteralOperand = AttributePath | CountOperand | Truth | FunctionCall

export interface AttributePath {
  readonly kind: 'attributePath'
  readonly steps: readonly ToOneStep[]
  /** The type that has the attribute; rows at the end of the steps that are not of this type have no value. */
  readonly type: ResourceType
  readonly attribute: Attribute
  /** The path to a value in the attribute, if it is an embedded object. */
  readonly member?: EmbeddedMemberPath
  readonly only?: readonly StoredType[]
}

/** A value within an embedded object, and its path from there: `['place', 'north']`. */
export interface EmbeddedMemberPath extends EmbeddedMember {
  readonly path: readonly string[]
}

export interface CountOperand {
  readonly kind: 'count'
  readonly path: ToManyPathOperand
}

/** A filter used as a value: `equals(has(children),'true')`. */
interface Truth {
  readonly kind: 'truth'
  readonly filter: FilterNode
}

/** A call of an application's function. Only a `boolean` function can be a filter; in a comparison such a call is wrapped in a `Truth`. */
export interface FunctionCall {
  readonly kind: 'functionCall'
  readonly called: FilterOrSortFunction
  /** One for each of the function's `argumentTypes`. */
  readonly arguments: readonly FunctionArgument[]
}

export type FunctionArgument = AttributePath | CountOperand | FunctionCall | Literal

export interface Literal {
  readonly kind: 'literal'
  /** The value in the form that `AttributeType` describes. */
  readonly value: Param<unknown>
}

/** One step along a to-one relationship. */
export interface ToOneStep {
  readonly relationship: ToOneRelationship
  /** The type whose rows have the relationship: the type in scope, or one derived from it. */
  readonly type: ResourceType
  readonly rule?: FilterNode
  readonly only?: readonly StoredType[]
}

export interface ToOnePathOperand {
  readonly kind: 'toOnePath'
  /** At least one. */
  readonly steps: readonly ToOneStep[]
}

export interface ToManyPathOperand {
  readonly kind: 'toManyPath'
  readonly steps: readonly ToOneStep[]
  readonly type: ResourceType
  readonly relationship: ToManyRelationship
  readonly rule?: FilterNode
  readonly only?: readonly StoredType[]
}

export interface SortKeyNode {
  readonly direction: 'ascending' | 'descending'
  readonly by: AttributePath | CountOperand | FunctionCall
}

/** A relationship to include, and the relationships to include from there. */
export interface IncludeNode {
  readonly relationship: Relationship
  /** The relationship is followed only from rows of this type. */
  readonly from: ResourceType
  readonly children: readonly IncludeNode[]
}

/** `undefined`: the client did not send it. */
export interface PageRequest {
  readonly size: number | undefined
  readonly number: number | undefined
  /** The page cursor as the client sent it. It is decoded when the order of the collection is known. */
  readonly after?: string
  readonly before?: string
  /** The kind of pages that was negotiated by a profile. */
  readonly negotiatedPagination?: PaginationKind
}

/** The page parameters with a number: `page[size]`, `page[number]`. */
export type NumericPageParameterName = 'size' | 'number'

/** The page parameters with a cursor: `page[after]`, `page[before]`. Only the primary data has them. */
export type CursorParameterName = 'after' | 'before'

/** Sparse fieldsets: the names of the requested fields of each type. */
export type Fieldsets = ReadonlyMap<ResourceType, ReadonlySet<string>>

/** `filter[path]`, `sort[path]` and `page[size]=path:5` of an included relationship. One entry per path. */
export interface IncludedRelationshipQuery {
  readonly path: readonly Relationship[]
  readonly filter: FilterNode | undefined
  readonly sort: readonly SortKeyNode[]
  readonly page: PageRequest
}

/** A whole query string for one type of primary data. */
export interface ParsedQuery {
  readonly filter: FilterNode | undefined
  readonly sort: readonly SortKeyNode[]
  readonly page: PageRequest
  /** `undefined`: no `include` was sent. Empty: `include=` was. */
  readonly include: readonly IncludeNode[] | undefined
  readonly fields: Fieldsets
  readonly includePaths: readonly IncludedRelationshipQuery[]
}

/** The query of an empty query string. */
export const EMPTY_QUERY: ParsedQuery = {
  filter: undefined,
  sort: [],
  page: { size: undefined, number: undefined },
  include: undefined,
  fields: new Map(),
  includePaths: [],
}

/** An empty query for documents without `included`: no definition adds includes to it. */
export const QUERY_WITHOUT_INCLUDES: ParsedQuery = { ...EMPTY_QUERY, include: [] }

/** The query string of a relationship endpoint, for the type of the related resources. */
export interface RelationshipEndpointQuery extends ParsedQuery {
  /** True if `include` names the relationship itself: the related resources are included. */
  readonly includesPrimary: boolean
}
