import type { Caches } from '../cache/caches'
import type { LruCacheDefinition } from '../cache/segmented-lru-cache'
import type { ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import type { PrimaryDataCardinality, QueryParsingOptions } from './parameters/parse-query-parameter-by-family'
import { parseQuery } from './parse-query'
import type { ParsedQuery } from './tree/ast'

/**
 * Caches the results of `parseQuery`, because clients repeat queries. Within an API they depend only on the parts of the cache key. Saves
 * 3.5 µs for a page number, 9 µs for a filter. Errors are not cached.
 */
export function parseCachedQuery(
  queryString: string,
  allowed: PrimaryDataCardinality,
  type: ResourceType,
  { graph, options, caches }: QuerySources,
): ParsedQuery {
  const parse = () => parseQuery(queryString, allowed, type, graph, options)
  // Hidden fields depend on the client.
  if (queryString === '' || options.isHidden !== undefined) return parse()
  return caches
    .of(QUERIES)
    .getOrCompute(`${allowed}\n${options.negotiatedPagination}\n${type.name}\n${queryString}`, parse)
}

/** The parts that all queries of an API share. */
interface QuerySources {
  readonly graph: ResourceGraph
  readonly options: QueryParsingOptions
  readonly caches: Caches
}

const QUERIES: LruCacheDefinition<ParsedQuery> = { name: 'queries', maxEntries: 300, maxKeyLength: 400 }
