import type { OpenApiParameter, ParsedQueryString } from '../core/api-types'
import type { ExplorerQueryContext } from './chips'

export interface BuilderTarget extends ExplorerQueryContext {
  readonly parameters: ReadonlyMap<string, OpenApiParameter>
}

/** What a form for a part of the query gets. */
export interface QueryPartProps {
  readonly at: BuilderTarget
  readonly query: ParsedQueryString
  readonly onChange: (query: ParsedQueryString) => void
}
