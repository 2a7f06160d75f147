import type { ResourceGraph, ResourceType } from '../graph/resource-graph'
import { Kept } from '../kept/kept'
import type { Query } from '../query/ast'
import { type AllowedParameters, parseQuery, type RequestOptions } from '../query/parse-query'

/**
 * As `parseQuery`. Clients ask for the same again and again, and what a query string says follows from it, the type and the options alone:
 * 3.5 µs for a page by its number, 9 for a filter. Mistakes are not kept.
 */
export function readRecent(
  queryString: string,
  allowed: AllowedParameters,
  type: ResourceType,
  graph: ResourceGraph,
  options: RequestOptions,
): Query {
  // What rules hide depends on who is asking.
  if (queryString === '' || queryString.length > LONGEST || options.isHidden !== undefined)
    return parseQuery(queryString, allowed, type, graph, options)
  const recent = recentOf(options)
  const key = `${allowed} ${type.name} ${queryString}`
  const known = recent.get(key)
  if (known?.type === type) return known.query
  const query = parseQuery(queryString, allowed, type, graph, options)
  recent.set(key, { type, query })
  return query
}

interface Recent {
  readonly type: ResourceType
  readonly query: Query
}

/** Each API has options of its own. */
const RECENT = new WeakMap<RequestOptions, Kept<Recent>>()
const MOST = 300
const LONGEST = 300

function recentOf(options: RequestOptions): Kept<Recent> {
  const known = RECENT.get(options)
  if (known !== undefined) return known
  const recent = new Kept<Recent>({ most: MOST })
  RECENT.set(options, recent)
  return recent
}
