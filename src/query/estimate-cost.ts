import type { PageOptions } from '../declarations/field-options'
import type { Relationship } from '../graph/resource-graph'
import type { IncludeNode, PageRequest, Query, ScopedQuery } from './ast'
import { measureFilter, measureSort } from './measure-filter'
import { pathKey } from './relationship-path'

/** What a part of a query string adds to the cost of the whole. */
export interface CostPart {
  /** The parameter that would lower it. */
  readonly parameter: string
  /** As a person would name it: `the include 'articles.comments'`. */
  readonly named: string
  readonly cost: number
}

/** Where pages may be of any size, for nobody knows how many there are; the application has allowed as many as there are. */
const OF_NO_PAGE = 100
const OF_EACH_PARENT = 10

/**
 * How many resources an answer could have to be made of, and what each part adds: every page full, every related resource another one. The
 * rows themselves are not asked, so that the same request costs the same tomorrow.
 *
 * `?include=comments` of a page of 10 -> 10 for the page, 100 for the comments of each, 10 at most
 */
export function estimateCost(query: Query, primary: PageOptions | 'off' | 'single'): readonly CostPart[] {
  const rows = primary === 'single' ? 1 : sizeOf(primary, query.page, OF_NO_PAGE)
  const scopes: Scopes = new Map(query.scoped.map((each) => [pathKey(each.path), each]))
  return [
    { parameter: 'page[size]', named: 'the page', cost: rows },
    ...costOfIncludes(query.include ?? [], [], rows, scopes),
    ...costOfLookUps(query, '', 1),
  ]
}

/** What is said of included relationships, by the keys of their paths: there can be hundreds, and as many paths to include. */
type Scopes = ReadonlyMap<string, ScopedQuery>

/** A name of several derived branches stands for a relationship of each, of which a resource has one: that which costs most. */
function costOfIncludes(
  nodes: readonly IncludeNode[],
  before: readonly Relationship[],
  parents: number,
  scopes: Scopes,
): readonly CostPart[] {
  const byName = new Map<string, readonly CostPart[]>()
  for (const node of nodes) {
    const { name } = node.relationship
    const cost = costOfInclude(node, before, parents, scopes)
    if (sumOf(cost) > sumOf(byName.get(name) ?? [])) byName.set(name, cost)
  }
  return [...byName.values()].flat()
}

function costOfInclude(
  { relationship, children }: IncludeNode,
  before: readonly Relationship[],
  parents: number,
  scopes: Scopes,
): readonly CostPart[] {
  const path = [...before, relationship]
  const scoped = scopes.size === 0 ? undefined : scopes.get(pathKey(path))
  const rows = parents * (relationship.kind === 'toOne' ? 1 : sizeOf(relationship.page, scoped?.page, OF_EACH_PARENT))
  const named = path.map(({ name }) => name).join('.')
  return [
    { parameter: 'include', named: `the include '${named}'`, cost: rows },
    ...(scoped === undefined ? [] : costOfLookUps(scoped, `[${named}]`, parents / OF_EACH_PARENT)),
    ...costOfIncludes(children, path, rows, scopes),
  ]
}

/** What `has` and `count` look at; of included resources those of each parent, which are fewer. */
function costOfLookUps(
  { filter, sort }: Pick<Query, 'filter' | 'sort'>,
  scope: string,
  times: number,
): readonly CostPart[] {
  const measures = [
    { parameter: `filter${scope}`, measure: filter && measureFilter(filter) },
    { parameter: `sort${scope}`, measure: measureSort(sort) },
  ]
  return measures.flatMap(({ parameter, measure }) =>
    measure === undefined || measure.cost === 0
      ? []
      : [{ parameter, named: `'${parameter}'`, cost: measure.cost * times }],
  )
}

function sizeOf(page: PageOptions | 'off', asked: PageRequest | undefined, unbounded: number): number {
  if (page === 'off') return unbounded
  const size = asked?.size ?? page.size ?? unbounded
  return page.maximumSize === null ? Math.min(size, unbounded) : size
}

export function sumOf(parts: readonly CostPart[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0)
}
