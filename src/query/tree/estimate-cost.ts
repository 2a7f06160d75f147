import type { PageOptions } from '../../declarations/field-options'
import type { Relationship, ToMany } from '../../graph/model/resource-graph'
import type { IncludeNode, PageRequest, Query, ScopedQuery } from './ast'
import { costOfFilter, costOfSort, NO_RULES, type RuleOf } from './filter-cost'
import { pathKey } from './path'

/** What a part of a query string adds to the cost of the whole. */
export interface CostPart {
  /** The parameter that would lower it. */
  readonly parameter: string
  /** As a person would name it: `the include 'articles.comments'`. */
  readonly named: string
  readonly cost: number
}

/** Where pages may be of any size, for nobody knows how many there are; the application has allowed as many as there are. */
const ROWS_WITHOUT_PAGE = 100
const ROWS_OF_PARENT = 10

/** Filters of included resources ask those of each parent: a hundredth of a table. */
const PARENTS_OF_ALL = 100

/** A collection that a query is about, or one resource. */
export type CostedCollection = Pick<ToMany, 'page' | 'totals'> | 'single'

/**
 * How much work an answer could be, and what each part adds, in resources of a document: every page full, every related resource another one,
 * every filter asked of 100,000 rows. The rows themselves are not asked, so that the same request costs the same tomorrow.
 *
 * `?include=comments` of a page of 10 -> 10 for the page, 100 for the comments of each, 10 at most
 */
export function estimateCost(query: Query, primary: CostedCollection, ruleOf: RuleOf = NO_RULES): readonly CostPart[] {
  const rows = primary === 'single' ? 1 : sizeOf(primary.page, query.page, ROWS_WITHOUT_PAGE)
  const scopes = new Map(query.scoped.map((each) => [pathKey(each.path), each]))
  const filter = Math.ceil(costOfFilter(query.filter, ruleOf, 'all'))
  const isCounted = primary !== 'single' && primary.page !== false && primary.totals !== false
  return [
    { parameter: 'page[size]', named: 'the page', cost: rows },
    ...costOfIncludes(query.include ?? [], [], rows, { scopes, ruleOf }),
    ...[
      { parameter: 'filter', named: "'filter'", cost: filter },
      { parameter: 'filter', named: "the total of 'filter'", cost: isCounted ? filter : 0 },
      { parameter: 'sort', named: "'sort'", cost: Math.ceil(costOfSort(query.sort, ruleOf, 'all')) },
    ].filter(({ cost }) => cost > 0),
  ]
}

interface Scopes {
  /** What is said of included relationships, by the keys of their paths: there can be hundreds, and as many paths to include. */
  readonly scopes: ReadonlyMap<string, ScopedQuery>
  readonly ruleOf: RuleOf
}

/** A name of several derived branches stands for a relationship of each, of which a resource has one: that which costs most. */
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
    if (sumOf(cost) > sumOf(byName.get(name) ?? [])) byName.set(name, cost)
  }
  return [...byName.values()].flat()
}

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
  return [
    { parameter: 'include', named: `the include '${named}'`, cost: rows },
    ...costOfIncludedFilters({ relationship, scoped, named }, parents, within.ruleOf),
    ...costOfIncludes(children, path, rows, within),
  ]
}

interface CostedInclude {
  readonly relationship: Relationship
  readonly scoped: ScopedQuery | undefined
  /** Its path. */
  readonly named: string
}

/** What included rows are asked, and what definitions ask them. */
function costOfIncludedFilters(
  { relationship, scoped, named }: CostedInclude,
  parents: number,
  ruleOf: RuleOf,
): readonly CostPart[] {
  const rule = ruleOf(relationship.target)
  const parts = [
    { parameter: `filter[${named}]`, named: `'filter[${named}]'`, whole: costOfFilter(scoped?.filter, ruleOf, 'some') },
    { parameter: `sort[${named}]`, named: `'sort[${named}]'`, whole: costOfSort(scoped?.sort ?? [], ruleOf, 'some') },
    { parameter: 'include', named: `the API's own filter of '${named}'`, whole: costOfFilter(rule, NO_RULES, 'some') },
  ]
  const part = Math.min(parents / PARENTS_OF_ALL, 1)
  return parts
    .filter(({ whole }) => whole > 0)
    .map(({ whole, ...each }) => ({ ...each, cost: Math.ceil(whole * part) }))
}

function sizeOf(page: PageOptions | false, asked: PageRequest | undefined, unbounded: number): number {
  if (page === false) return unbounded
  const size = asked?.size ?? page.size ?? unbounded
  return page.maxSize === null ? Math.min(size, unbounded) : size
}

export function sumOf(parts: readonly CostPart[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0)
}
