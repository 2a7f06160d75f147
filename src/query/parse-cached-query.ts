import { SegmentedLruCache } from '../cache/segmented-lru-cache'
import type { ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import type { AllowedParameters, QueryOptions } from './parameters/parse-part'
import { parseQuery } from './parse-query'
import type { Query } from './tree/ast'

/**
 * Caches `parseQuery`. Clients repeat queries, and the result depends only on the query string, the type and the options.
 * Saves 3.5 µs for a page number, 9 µs for a filter. Errors are not cached.
 */
export function parseCachedQuery(
  queryString: string,
  allowed: AllowedParameters,
  type: ResourceType,
  graph: ResourceGraph,
  options: QueryOptions,
): Query {
  // Hidden fields depend on the client.
  if (queryString === '' || queryString.length > MAX_LENGTH || options.isHidden !== undefined)
    return parseQuery(queryString, allowed, type, graph, options)
  const recent = cacheOf(options)
  const key = `${allowed} ${type.name} ${queryString}`
  const known = recent.get(key)
  if (known?.type === type) return known.query
  const query = parseQuery(queryString, allowed, type, graph, options)
  recent.set(key, { type, query })
  return query
}

interface CachedQuery {
  readonly type: ResourceType
  readonly query: Query
}

/** Each API has its own options. */
const CACHES = new WeakMap<QueryOptions, SegmentedLruCache<CachedQuery>>()
const MAX_QUERIES = 300
const MAX_LENGTH = 300

function cacheOf(options: QueryOptions): SegmentedLruCache<CachedQuery> {
  const known = CACHES.get(options)
  if (known !== undefined) return known
  const recent = new SegmentedLruCache<CachedQuery>({ maxEntries: MAX_QUERIES })
  CACHES.set(options, recent)
  return recent
}
