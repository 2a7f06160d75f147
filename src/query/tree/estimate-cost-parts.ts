import type { PageOptions } from '../../declarations/field-options'
import type { Relationship, ToMany } from '../../graph/model/resource-graph'
import type { Filter, IncludedQuery, IncludeNode, PageRequest, Query } from './ast'
import {
  costOfFilter,
  costOfSort,
  type FindVisibilityFilter,
  NO_VISIBILITY_FILTER,
  type TestedRows,
} from './filter-cost'
import { pathKey } from './path'

/** The cost of one part of a query string. */
export interface CostPart {
  /** The parameter that would lower it; `undefined`: none, because the API itself filters the primary data. */
  readonly parameter: string | undefined
  /** A name for messages: `the include 'articles.comments'`. */
  readonly named: string
  readonly cost: number
}

/** Rows assumed for collections and relationships without a page size. */
const ROWS_WITHOUT_PAGE = 100
const ROWS_OF_PARENT = 10

/** A filter of included resources tests those of each parent: taken to be a hundredth of a table. */
const PARENTS_OF_ALL = 100

/** The primary data of a query: one resource, or a list. */
export type PrimaryCostInput = CostedList | 'single'

interface CostedList extends Pick<ToMany, 'page' | 'totals'> {
  /** `all`: a collection. `some`: the related resources of one resource. */
  readonly tested: TestedRows
  /** The filter that a definition requires of these rows; `undefined`: none. */
  readonly rule: Filter | undefined
}

/**
 * Estimates the cost of a response in resources of a document, part by part: every page is full, every related resource is different,
 * every filter tests 100,000 rows. It reads no rows, so the cost of a request does not change with the data.
 *
 * `?include=comments` of a page of 10 -> 10 for the page, 100 for its comments, at most 10 of each resource
 */
export function estimateCostParts(
  query: Query,
  primary: PrimaryCostInput,
  visibilityFilterOf: FindVisibilityFilter = NO_VISIBILITY_FILTER,
): readonly CostPart[] {
  const rows = primary === 'single' ? 1 : sizeOf(primary.page, query.page, ROWS_WITHOUT_PAGE)
  const scopes = new Map(query.scoped.map((each) => [pathKey(each.path), each]))
  return [
    { parameter: 'page[size]', named: 'the page', cost: rows },
    ...costOfIncludes(query.include ?? [], [], rows, { scopes, visibilityFilterOf }),
    ...(primary === 'single' ? [] : costOfList(query, primary, visibilityFilterOf)).filter(({ cost }) => cost > 0),
  ]
}

/** A total tests all rows once more. */
function costOfList(
  query: Query,
  { page, totals, tested, rule }: CostedList,
  visibilityFilterOf: FindVisibilityFilter,
): readonly CostPart[] {
  const isCounted = page !== false && totals !== false
  const filter = Math.ceil(costOfFilter(query.filter, visibilityFilterOf, tested))
  const ofRule = Math.ceil(costOfFilter(rule, NO_VISIBILITY_FILTER, tested))
  return [
    { parameter: 'filter', named: "'filter'", cost: filter },
    { parameter: 'filter', named: "the total of 'filter'", cost: isCounted ? filter : 0 },
    { parameter: 'sort', named: "'sort'", cost: Math.ceil(costOfSort(query.sort, visibilityFilterOf, tested)) },
    { parameter: undefined, named: "the API's own filter", cost: isCounted ? 2 * ofRule : ofRule },
  ]
}

interface Scopes {
  /** The queries of included relationships, by `pathKey`. There can be hundreds. */
  readonly scopes: ReadonlyMap<string, IncludedQuery>
  readonly visibilityFilterOf: FindVisibilityFilter
}

/** A name can mean a relationship of several derived types. A resource has one of them, so only the most expensive counts. */
function costOfIncludes(
  nodes: readonly IncludeNode[],
  before: readonly Relationship[],
  parents: number,
  within: Scopes,
): readonly CostPart[] {
  const byName = new Map<string, readonly CostPart[]>()
  for (const node of nodes) {
    const { name } = node.relationship
    const cost = costOfInclude(node, before, parents, within)
    if (totalCostOf(cost) > totalCostOf(byName.get(name) ?? [])) byName.set(name, cost)
  }
  return [...byName.values()].flat()
}

/** The cost of the included resources, and of their filters and sorts, those of definitions included. */
function costOfInclude(
  { relationship, children }: IncludeNode,
  before: readonly Relationship[],
  parents: number,
  within: Scopes,
): readonly CostPart[] {
  const path = [...before, relationship]
  const scoped = within.scopes.size === 0 ? undefined : within.scopes.get(pathKey(path))
  const rows = parents * (relationship.kind === 'toOne' ? 1 : sizeOf(relationship.page, scoped?.page, ROWS_OF_PARENT))
  const named = path.map(({ name }) => name).join('.')
  const { visibilityFilterOf } = within
  const rule = visibilityFilterOf(relationship.target)
  const filters = [
    {
      parameter: `filter[${named}]`,
      named: `'filter[${named}]'`,
      whole: costOfFilter(scoped?.filter, visibilityFilterOf, 'some'),
    },
    {
      parameter: `sort[${named}]`,
      named: `'sort[${named}]'`,
      whole: costOfSort(scoped?.sort ?? [], visibilityFilterOf, 'some'),
    },
    {
      parameter: 'include',
      named: `the API's own filter of '${named}'`,
      whole: costOfFilter(rule, NO_VISIBILITY_FILTER, 'some'),
    },
  ]
  return [
    { parameter: 'include', named: `the include '${named}'`, cost: rows },
    ...filters
      .filter(({ whole }) => whole > 0)
      .map(({ whole, ...each }) => ({ ...each, cost: Math.ceil(whole * Math.min(parents / PARENTS_OF_ALL, 1)) })),
    ...costOfIncludes(children, path, rows, within),
  ]
}

function sizeOf(page: PageOptions | false, asked: PageRequest | undefined, unbounded: number): number {
  if (page === false) return unbounded
  const size = asked?.size ?? page.size ?? unbounded
  return page.maxSize === null ? Math.min(size, unbounded) : size
}

export function totalCostOf(parts: readonly CostPart[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0)
}
