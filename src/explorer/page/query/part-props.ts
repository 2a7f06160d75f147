import type { OpenApiParameter, QueryParameters } from '../core/api-types'
import type { QueryTarget } from './chips'

export interface BuilderTarget extends QueryTarget {
  readonly parameters: ReadonlyMap<string, OpenApiParameter>
}

/** What a form for a part of the query gets. */
export interface PartProps {
  readonly at: BuilderTarget
  readonly query: QueryParameters
  readonly onChange: (query: QueryParameters) => void
}
