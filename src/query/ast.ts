import type { Pagination } from '../declarations/field-options'
import type { QueryFunction } from '../graph/query-function'
import type { Attribute, Relationship, ResourceType, StoredType, ToMany, ToOne } from '../graph/resource-graph'
import type { ShapeMember } from '../graph/value-type'
import type { Param } from './param'

/**
 * What stands in a query string once its names are resolved. Nodes hold fields of the graph, never names.
 * `rule` and `only` are put in by the plan: what the reading rules of the far end demand, and the stored types whose rules show the
 * field; rows of others count as lacking it.
 */
export type Filter =
  | Constant
  | Comparison
  | IsNull
  | HasNone
  | TextMatch
  | AnyOf
  | Logical
  | Not
  | Has
  | IsType
  | IsExactly
  | FunctionCall

/** True or false for every row. Never written by clients. */
export interface Constant {
  readonly kind: 'constant'
  readonly value: boolean
}

export type ComparisonOperator = 'equals' | 'lessThan' | 'lessOrEqual' | 'greaterThan' | 'greaterOrEqual'

export interface Comparison {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: Operand
  readonly right: Operand | Literal
}

/** Written `equals(x,null)`. A kind of its own, so that `lessThan(x,null)` cannot be said. */
export interface IsNull {
  readonly kind: 'isNull'
  readonly left: AttributePath | FunctionCall
}

/** Written `equals(toOne,null)`: nothing stands at the end of the path. */
export interface HasNone {
  readonly kind: 'hasNone'
  readonly path: ToOnePath
}

export type TextMatchOperator = 'contains' | 'startsWith' | 'endsWith'

export interface TextMatch {
  readonly kind: 'textMatch'
  readonly operator: TextMatchOperator
  readonly left: AttributePath | FunctionCall
  readonly text: Param<string>
}

export interface AnyOf {
  readonly kind: 'anyOf'
  readonly left: Operand
  readonly values: readonly Literal[]
}

export interface Logical {
  readonly kind: 'logical'
  readonly operator: 'and' | 'or'
  readonly terms: readonly Filter[]
}

export interface Not {
  readonly kind: 'not'
  readonly term: Filter
}

export interface Has {
  readonly kind: 'has'
  readonly path: ToManyPath
  readonly filter: Filter | undefined
}

/** An is-a test: descendants of the type pass too. The filter is in the scope of `type`. */
export interface IsType {
  readonly kind: 'isType'
  /** No steps: the row in scope. */
  readonly path: readonly RelationshipStep[]
  readonly type: ResourceType
  readonly filter: Filter | undefined
}

/** The row is stored as one of exactly these types. Never written by clients: reading rules are joined with it. */
export interface IsExactly {
  readonly kind: 'isExactly'
  readonly types: readonly StoredType[]
}

/** What can stand left of a comparison: everything that has a value of its own. */
export type Operand = AttributePath | Count | Truth | FunctionCall

export interface AttributePath {
  readonly kind: 'attributePath'
  readonly steps: readonly RelationshipStep[]
  /** The type in whose scope the attribute was found; the rows at the end of the steps are of it, or lack the attribute. */
  readonly type: ResourceType
  readonly attribute: Attribute
  /** Of an embedded object: which of its values is meant. */
  readonly member?: MemberPath
  readonly only?: readonly StoredType[]
}

/** A value within an embedded object, and the names that lead to it from there: `['place', 'north']`. */
export interface MemberPath extends ShapeMember {
  readonly path: readonly string[]
}

export interface Count {
  readonly kind: 'count'
  readonly path: ToManyPath
}

/** A filter used as a value: `equals(has(children),'true')`. */
export interface Truth {
  readonly kind: 'truth'
  readonly filter: Filter
}

/** A function of the application with its values. As a filter it is one that gives `boolean`; compared, such a one is a `Truth`. */
export interface FunctionCall {
  readonly kind: 'functionCall'
  readonly called: QueryFunction
  /** As many as it takes. */
  readonly arguments: readonly Argument[]
}

export type Argument = AttributePath | Count | FunctionCall | Literal

export interface Literal {
  readonly kind: 'literal'
  /** As `AttributeType` has it held. */
  readonly value: Param<unknown>
}

/** One step along a to-one relationship. */
export interface RelationshipStep {
  readonly relationship: ToOne
  /** The type whose rows have the relationship: the scope, or a branch of it. */
  readonly type: ResourceType
  readonly rule?: Filter
  readonly only?: readonly StoredType[]
}

export interface ToOnePath {
  readonly kind: 'toOnePath'
  /** At least one. */
  readonly steps: readonly RelationshipStep[]
}

export interface ToManyPath {
  readonly kind: 'toManyPath'
  readonly steps: readonly RelationshipStep[]
  readonly type: ResourceType
  readonly relationship: ToMany
  readonly rule?: Filter
  readonly only?: readonly StoredType[]
}

export interface SortKey {
  readonly direction: 'ascending' | 'descending'
  readonly by: AttributePath | Count | FunctionCall
}

/** One relationship to be included, and what is to be included from there. */
export interface IncludeNode {
  readonly relationship: Relationship
  /** Only from rows of this type. */
  readonly from: ResourceType
  readonly children: readonly IncludeNode[]
}

/** `undefined`: the client did not say. */
export interface PageRequest {
  readonly size: number | undefined
  readonly number: number | undefined
  /** Page cursors, as they were sent: what they mean depends on the order of the collection. */
  readonly after?: string
  readonly before?: string
  /** Which kind of pages the client has asked for beside its parameters. */
  readonly wanted?: Pagination
}

/** The fields that the client wants of a type. */
export type Fieldsets = ReadonlyMap<ResourceType, ReadonlySet<string>>

/** What `filter[path]`, `sort[path]` and `page[size]=path:5` say of an included relationship. One entry per path. */
export interface ScopedQuery {
  readonly path: readonly Relationship[]
  readonly filter: Filter | undefined
  readonly sort: readonly SortKey[]
  readonly page: PageRequest
}

/** A whole query string, read against the type of the primary data. */
export interface Query {
  readonly filter: Filter | undefined
  readonly sort: readonly SortKey[]
  readonly page: PageRequest
  /** `undefined`: no `include` was sent. Empty: `include=` was. */
  readonly include: readonly IncludeNode[] | undefined
  readonly fields: Fieldsets
  readonly scoped: readonly ScopedQuery[]
}

/** The query string of a relationship endpoint, read against the type of what is related. */
export interface RelationshipQuery extends Query {
  /** The paths of `include` start with the relationship's own name: the related resources themselves are to be included. */
  readonly includesPrimary: boolean
}
