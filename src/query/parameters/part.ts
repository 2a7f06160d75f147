import type { ResourceType } from '../../graph/model/resource-graph'
import type { PageElement } from '../parsing/parse-page'
import type { QueryText } from '../parsing/to-query-error'
import type { Filter, PageCursorName, PagePart, SortKey } from '../tree/ast'
import type { BranchPath, Path } from '../tree/path'

/** What one parameter says of one collection, or of the document. An empty path is that of the primary data. */
export type ParameterPart = FilterPart | SortPart | PageNumberPart | PageCursorPart | IncludePart | FieldsPart

export interface FilterPart {
  readonly kind: 'filter'
  /** As it was sent: `filter[comments]`. */
  readonly parameter: string
  readonly path: Path
  readonly filter: Filter
  /** Of a filter by a field: which, in whatever way its name was written. */
  readonly field?: string
}

export interface SortPart {
  readonly kind: 'sort'
  readonly parameter: string
  readonly path: Path
  /** How many keys the client has named; those that make no difference are left out of `keys`. */
  readonly written: number
  readonly keys: readonly SortKey[]
}

export interface PageNumberPart {
  readonly kind: 'page'
  readonly path: Path
  readonly part: PagePart
  readonly element: PageElement
  readonly place: QueryText
}

/** Of the primary data. */
export interface PageCursorPart {
  readonly kind: 'pageCursor'
  readonly path: Path
  readonly part: PageCursorName
  readonly text: string
  readonly place: QueryText
}

export interface IncludePart {
  readonly kind: 'include'
  readonly parameter: string
  /** How many paths the client has named; each leads to all the places on its way. */
  readonly written: number
  readonly paths: readonly BranchPath[]
}

export interface FieldsPart {
  readonly kind: 'fields'
  readonly type: ResourceType
  readonly names: ReadonlySet<string>
}
