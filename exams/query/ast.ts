import type { AttributeModel } from '../shared/model'

// The structure of a query, which the generator and the evaluator share.

/** A step along a relationship. `of`: the type that a row must have. */
export interface Step {
  readonly field: string
  readonly of: string
  /** The type prefix of the name: `men:`. */
  readonly prefix?: string | undefined
}

export type Operand =
  | { readonly kind: 'attribute'; readonly steps: readonly Step[]; readonly end: Step; readonly model: AttributeModel }
  | { readonly kind: 'count'; readonly steps: readonly Step[]; readonly end: Step }
  | { readonly kind: 'filter'; readonly filter: Filter }
  /** `model`: the type of the other operand. */
  | { readonly kind: 'literal'; readonly text: string; readonly model: AttributeModel }

export type ComparisonOperator = 'equals' | 'lessThan' | 'lessOrEqual' | 'greaterThan' | 'greaterOrEqual'
export type MatchOperator = 'contains' | 'startsWith' | 'endsWith'

export type Filter =
  | { readonly kind: 'compare'; readonly by: ComparisonOperator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'isNull'; readonly operand: Operand }
  | { readonly kind: 'isEmpty'; readonly steps: readonly Step[] }
  | { readonly kind: 'match'; readonly by: MatchOperator; readonly left: Operand; readonly text: string }
  | { readonly kind: 'any'; readonly left: Operand; readonly values: readonly Operand[] }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'has'; readonly steps: readonly Step[]; readonly end: Step; readonly filter: Filter | undefined }
  | {
      readonly kind: 'isType'
      readonly steps: readonly Step[]
      readonly type: string
      readonly filter: Filter | undefined
    }

export interface SortKey {
  readonly isDescending: boolean
  readonly by: Operand
}

/** The query of a list: the primary data, or an included relationship. */
export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly sort: readonly SortKey[]
  readonly size: number | undefined
  readonly number: number | undefined
}

export interface Include {
  readonly step: Step
  readonly listing: ListQuery
  readonly below: readonly Include[]
}

export type Endpoint =
  | { readonly kind: 'collection'; readonly type: string }
  | { readonly kind: 'resource'; readonly type: string; readonly id: string }
  | { readonly kind: 'related' | 'linkage'; readonly type: string; readonly id: string; readonly field: string }

export interface Query {
  readonly endpoint: Endpoint
  readonly listing: ListQuery
  /** At a relationship endpoint: include paths below the relationship's own name. `undefined`: not sent. */
  readonly includes: readonly Include[] | undefined
  readonly fields: ReadonlyMap<string, readonly string[]>
}
