import type { PageOptions } from '../../declarations/field-options'
import type { Relationship, ToManyRelationship } from '../../graph/model/resource-graph'
import type { FilterNode, IncludedRelationshipQuery, IncludeNode, PageRequest, ParsedQuery } from './ast'
import {
  type AllRowsOrRowsOfSomeParents,
  costOfFilter,
  costOfSort,
  type FindVisibilityFilter,
  NO_VISIBILITY_FILTER,
} from './filter-cost'
import { relationshipPathKey } from './path'

/** The estimated cost of one part of a query string, in resources of a document. */
export interface CostPart {
  /** The parameter that a client can change to lower the cost; `undefined` for the API's own filter of the primary data. */
  readonly parameter: string | undefined
  /** A name for messages: `the include 'articles.comments'`. */
  readonly named: string
  readonly cost: number
}

/** The parameter of the cost of the primary data. */
export const PAGE_SIZE_PARAMETER = 'page[size]'

/** Rows assumed for collections and relationships without a page size. */
const ROWS_WITHOUT_PAGE = 100
const ROWS_PER_PARENT = 10

/**
 * A filter of included resources tests only the related rows of each parent. The estimate takes the rows of one parent as a hundredth of a
 * table.
 */
const PARENTS_PER_TABLE = 100

/** The primary data of a query: one resource, or a list. */
export type PrimaryDataCostInput = ListCostInput | 'single'

interface ListCostInput extends Pick<ToManyRelationship, 'page' | 'totals'> {
  /** `all`: a collection. `some`: the related resources of one resource. */
  readonly tested: AllRowsOrRowsOfSomeParents
  /** The filter that a definition requires of these rows; `undefined`: none. */
  readonly rule: FilterNode | undefined
}

/**
 * Estimates the cost of a response in resources of a document, part by part: every page is full, every related resource is different,
 * every filter tests 100,000 rows. It reads no rows, so the cost of a request does not change with the data.
 *
 * `?include=comments` of a page of 10 -> 10 for the page, 100 for its comments, at most 10 of each resource
 */
export function estimateCostParts(
  query: ParsedQuery,
  primary: PrimaryDataCostInput,
  visibilityFilterOf: FindVisibilityFilter = NO_VISIBILITY_FILTER,
): readonly CostPart[] {
  const rows = primary === 'single' ? 1 : sizeOf(primary.page, query.page, ROWS_WITHOUT_PAGE)
  const scopes = new Map(query.includePaths.map((each) => [relationshipPathKey(each.path), each]))
  return [
    { parameter: PAGE_SIZE_PARAMETER, named: 'the page', cost: rows },
    ...costOfIncludes(query.include ?? [], [], rows, { scopes, visibilityFilterOf }),
    ...(primary === 'single' ? [] : costOfList(query, primary, visibilityFilterOf)).filter(({ cost }) => cost > 0),
  ]
}

/** Estimates the filter and sort of a list. A total tests all rows a second time. */
function costOfList(
  query: ParsedQuery,
  { page, totals, tested, rule }: ListCostInput,
  visibilityFilterOf: FindVisibilityFilter,
): readonly CostPart[] {
  const isCounted = page !== false && totals !== false
  const filter = Math.ceil(costOfFilter(query.filter, visibilityFilterOf, tested))
  const ruleCost = Math.ceil(costOfFilter(rule, NO_VISIBILITY_FILTER, tested))
  return [
    { parameter: 'filter', named: "'filter'", cost: filter },
    { parameter: 'filter', named: "the total of 'filter'", cost: isCounted ? filter : 0 },
    { parameter: 'sort', named: "'sort'", cost: Math.ceil(costOfSort(query.sort, visibilityFilterOf, tested)) },
    { parameter: undefined, named: "the API's own filter", cost: isCounted ? 2 * ruleCost : ruleCost },
  ]
}

interface IncludeContext {
  /** The queries of included relationships, by `relationshipPathKey`. There can be hundreds. */
  readonly scopes: ReadonlyMap<string, IncludedRelationshipQuery>
  readonly visibilityFilterOf: FindVisibilityFilter
}

/**
 * Estimates the includes of a layer. Steps from several types over one relationship count once, with all further steps: `children.father,men:children.mother`. If a name means relationships of several derived types, only the most expensive counts, because a
 * resource has only one of them.
 */
function costOfIncludes(
  nodes: readonly IncludeNode[],
  parentPath: readonly Relationship[],
  parents: number,
  context: IncludeContext,
): readonly CostPart[] {
  const byName = new Map<string, readonly CostPart[]>()
  for (const relationship of new Set(nodes.map((node) => node.relationship))) {
    const { name } = relationship
    const children = nodes.flatMap((node) => (node.relationship === relationship ? node.children : []))
    const cost = costOfInclude({ relationship, children }, parentPath, parents, context)
    if (sumCostParts(cost) > sumCostParts(byName.get(name) ?? [])) byName.set(name, cost)
  }
  return [...byName.values()].flat()
}

/** Estimates the included resources of one relationship with their filters and sorts, including the filters of definitions. */
function costOfInclude(
  { relationship, children }: Pick<IncludeNode, 'relationship' | 'children'>,
  parentPath: readonly Relationship[],
  parents: number,
  context: IncludeContext,
): readonly CostPart[] {
  const path = [...parentPath, relationship]
  const scoped = context.scopes.size === 0 ? undefined : context.scopes.get(relationshipPathKey(path))
  const rows = parents * (relationship.kind === 'toOne' ? 1 : sizeOf(relationship.page, scoped?.page, ROWS_PER_PARENT))
  const named = path.map(({ name }) => name).join('.')
  const { visibilityFilterOf } = context
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
      .filter(({ whole: allRowsCost }) => allRowsCost > 0)
      .map(({ whole: allRowsCost, ...each }) => ({
        ...each,
        cost: Math.ceil(allRowsCost * Math.min(parents / PARENTS_PER_TABLE, 1)),
      })),
    ...costOfIncludes(children, path, rows, context),
  ]
}

function sizeOf(page: PageOptions | false, requested: PageRequest | undefined, defaultSize: number): number {
  if (page === false) return defaultSize
  const size = requested?.size ?? page.size ?? defaultSize
  return page.maxSize === null ? Math.min(size, defaultSize) : size
}

export function sumCostParts(parts: readonly CostPart[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0)
}
