import { DEFAULT_OPTIONS } from '../../../../src/graph/options'
import type { ResourceType } from '../../../../src/graph/resource-graph'
import type { Filter, Query } from '../../../../src/query/ast'
import { parseFilter } from '../../../../src/query/parse-filter'
import { type AllowedParameters, parseQuery } from '../../../../src/query/parse-query'
import { articles, graph } from './graph'

export function readQuery(
  queryString: string,
  type: ResourceType = articles,
  allowed: AllowedParameters = 'collection',
): Query {
  return parseQuery(queryString, allowed, type, graph, DEFAULT_OPTIONS)
}

export function readFilter(text: string, type: ResourceType = articles): Filter {
  return parseFilter(text, type, graph)
}
