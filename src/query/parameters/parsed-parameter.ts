import type { ResourceType } from '../../graph/model/resource-graph'
import type { PageSizeOrNumberOfCollection } from '../parsing/parse-page'
import type { ParameterNameAndText } from '../parsing/to-query-error'
import type { CursorParameterName, FilterNode, NumericPageParameterName, SortKeyNode } from '../tree/ast'
import type { RelationshipChain, RelationshipPathWithSourceTypes } from '../tree/path'

/** A parsed parameter for one collection or for the document. An empty path means the primary data. */
export type ParsedParameter =
  | ParsedFilter
  | ParsedSortParameter
  | ParsedPageNumber
  | ParsedPageCursor
  | ParsedIncludePaths
  | ParsedFieldset

export interface ParsedFilter {
  readonly kind: 'filter'
  /** The name as the client sent it: `filter[comments]`. */
  readonly parameter: string
  readonly path: RelationshipChain
  readonly filter: FilterNode
  /** The `deduplicationKeyOfFilteredField` of a filter by field; missing for an expression. */
  readonly field?: string
}

export interface ParsedSortParameter {
  readonly kind: 'sort'
  readonly parameter: string
  readonly path: RelationshipChain
  /** The number of keys that the client sent; `keys` leaves out those without effect. */
  readonly written: number
  readonly keys: readonly SortKeyNode[]
}

interface ParsedPageNumber {
  readonly kind: 'page'
  readonly path: RelationshipChain
  readonly part: NumericPageParameterName
  readonly element: PageSizeOrNumberOfCollection
  readonly parameterText: ParameterNameAndText
}

/** A cursor for the primary data. */
interface ParsedPageCursor {
  readonly kind: 'pageCursor'
  readonly path: RelationshipChain
  readonly part: CursorParameterName
  readonly text: string
  readonly parameterText: ParameterNameAndText
}

export interface ParsedIncludePaths {
  readonly kind: 'include'
  readonly parameter: string
  /** The number of paths that the client sent; `paths` has intermediate resources as well. */
  readonly written: number
  readonly paths: readonly RelationshipPathWithSourceTypes[]
}

export interface ParsedFieldset {
  readonly kind: 'fields'
  readonly type: ResourceType
  readonly names: ReadonlySet<string>
}
