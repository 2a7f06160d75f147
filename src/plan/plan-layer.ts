import type { PageOptions, Pagination } from '../declarations/field-options'
import { hasField, isA } from '../graph/inheritance'
import type { Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import type { Filter, IncludeNode, PageRequest, Query, ScopedQuery, SortKey } from '../query/ast'
import { EMPTY_QUERY } from '../query/empty-query'
import { mergeNodes } from '../query/include-tree'
import { printFilter, printSort } from '../query/print'
import { pathKey } from '../query/relationship-path'
import { sortKeyWithRules, withRules } from './apply-rules'
import { isOpen, isPaginated, paginationOf, planCursorRange } from './plan-cursor-range'
import {
  type IncludedPages,
  type IncludeLayer,
  type Layer,
  numberRange,
  type RowCriteria,
  type RowRange,
} from './read-plan'
import type { ReadRules } from './read-rules'

export interface LayerParts {
  readonly type: ResourceType
  readonly criteria: RowCriteria
  readonly query: Query
  readonly rules: ReadRules
}

/** One row, or those with given ids: neither sorted nor cut into pages. */
export function singleLayer(parts: LayerParts): Layer {
  const { query, type, rules } = parts
  const includes = query.include === undefined ? defaultIncludes(type, rules) : query.include
  const under: IncludeParts = { rules, scoped: query.scoped, path: [], asked: query.include }
  return { ...unpagedLayer(parts), includes: planIncludes(type, includes, under) }
}

/** How a collection is cut into pages. */
export interface PagePolicy {
  readonly page: PageOptions | false
  readonly pagination: Pagination
}

/** A page of the rows, in an order that is total. */
export function pagedLayer({ paging, ...parts }: LayerParts & { readonly paging: PagePolicy }): Layer {
  const pagination = paginationOf(parts.query.page, paging.pagination)
  return paginate(singleLayer(parts), { page: paging.page, pagination }, parts)
}

function unpagedLayer({ type, criteria, query, rules }: LayerParts): Layer {
  const filter = joinFilters(query.filter, type, rules)
  return { type, criteria, filter, sort: [], range: undefined, includes: [], states: 'notRead' }
}

function paginate(layer: Layer, { page, pagination }: PagePolicy, { type, query, rules }: LayerParts): Layer {
  const maxSizeByRule = rules.pageSizeOf(type)
  const asked = query.sort.length === 0 ? rules.sortOf(type) : query.sort
  const keys = asked.map((key) => sortKeyWithRules(key, rules))
  if (pagination === 'cursors' && isPaginated(query.page, page, maxSizeByRule)) {
    const open = query.sort.length === 0 ? keys.filter(isOpen) : keys
    const sorted = { ...layer, sort: endWithId(open, type, open.at(-1)?.direction) }
    return { ...sorted, range: planCursorRange(sorted, query.page, { page, maxSizeByRule }) }
  }
  return { ...layer, sort: endWithId(keys, type), range: planRange(query.page, page, maxSizeByRule) }
}

interface IncludeParts {
  readonly rules: ReadRules
  readonly scoped: readonly ScopedQuery[]
  /** From the primary data to here. */
  readonly path: readonly Relationship[]
  /** `undefined`: the client said nothing of includes, and the rules have said what stands here. */
  readonly asked: readonly IncludeNode[] | undefined
}

/** One layer per relationship and step; scoped parts of the query belong to the step with their path. */
function planIncludes(type: ResourceType, nodes: readonly IncludeNode[], parts: IncludeParts): readonly IncludeLayer[] {
  return groupByChildren(type, nodes, parts).map(({ relationship, parentTypes, children }) => {
    const path = [...parts.path, relationship]
    const layer = includedLayer(relationship, { ...parts, path })
    return {
      relationship,
      parentTypes,
      pages: includedPagination(relationship, layer, scopeOf({ ...parts, path })),
      layer: { ...layer, includes: planIncludes(layer.type, children, { ...parts, path }) },
    }
  })
}

interface FollowedInclude {
  readonly relationship: Relationship
  readonly parentTypes: StoredType[]
  readonly children: readonly IncludeNode[]
}

/** A relationship once for all types from whose rows the same is included: `tandems:wheels.tube,wheels` reads the wheels of tandems apart. */
function groupByChildren(
  type: ResourceType,
  nodes: readonly IncludeNode[],
  parts: IncludeParts,
): readonly FollowedInclude[] {
  const groups = new Map<string, FollowedInclude>()
  for (const relationship of new Set(nodes.map((node) => node.relationship))) {
    for (const each of type.concreteTypes) {
      const own = nodes.filter(({ from }) => isA(each, from))
      if (!followedRelationships(each, own, parts).includes(relationship)) continue
      const same = own.filter((node) => node.relationship === relationship)
      const continued = same.filter(({ children }) => children.length > 0)
      const key = `${pathKey([relationship])} ${continued.map((node) => nodes.indexOf(node)).join()}`
      const group = groups.get(key)
      if (group !== undefined) group.parentTypes.push(each)
      else groups.set(key, { relationship, parentTypes: [each], children: childrenOf(same) })
    }
  }
  return [...groups.values()]
}

function childrenOf(nodes: readonly IncludeNode[]): readonly IncludeNode[] {
  const [only, ...others] = nodes
  return others.length === 0 ? (only?.children ?? []) : mergeNodes(nodes.flatMap(({ children }) => children))
}

function followedRelationships(
  type: StoredType,
  nodes: readonly IncludeNode[],
  { rules, asked }: IncludeParts,
): readonly Relationship[] {
  if (asked === undefined) return defaultRelationships(type, rules)
  const named = nodes.map(({ relationship }) => relationship)
  const own = named.filter((each) => hasField(type, each) && rules.isVisible(type, each))
  return rules.includesOf(type, own)
}

/** A rule may name what another one hides: that is not followed either. */
function defaultRelationships(type: StoredType, rules: ReadRules): readonly Relationship[] {
  return rules.includesOf(type, 'notSent').filter((each) => rules.isVisible(type, each))
}

function includedPagination(
  relationship: Relationship,
  { range }: Layer,
  asked: ScopedQuery | undefined,
): IncludedPages | undefined {
  if (relationship.kind === 'toOne') return undefined
  const { filter, sort = [] } = asked ?? {}
  const isCut = range?.kind === 'numbers'
  return {
    range: isCut ? range : undefined,
    total: isCut && relationship.includedPagination === true ? 'counted' : 'notCounted',
    filter: filter && printFilter(filter),
    sort: sort.length === 0 ? undefined : printSort(sort, relationship.target),
  }
}

function scopeOf({ scoped, path }: IncludeParts): ScopedQuery | undefined {
  return scoped.find((each) => isSamePath(each.path, path))
}

function includedLayer(relationship: Relationship, include: IncludeParts): Layer {
  const { rules } = include
  const query: Query = { ...EMPTY_QUERY, ...scopeOf(include) }
  const parts: LayerParts = { type: relationship.target, criteria: { kind: 'all' }, query, rules }
  return relationship.kind === 'toOne'
    ? unpagedLayer(parts)
    : paginate(unpagedLayer(parts), { page: relationship.page, pagination: 'numbers' }, parts)
}

/** What the rules of the primary data include when the client says nothing. */
function defaultIncludes(type: ResourceType, rules: ReadRules): readonly IncludeNode[] {
  const wanted = type.concreteTypes.flatMap((each) => defaultRelationships(each, rules))
  return [...new Set(wanted)].map((relationship) => ({ relationship, from: relationship.declaringType, children: [] }))
}

function isSamePath(one: readonly Relationship[], other: readonly Relationship[]): boolean {
  return one.length === other.length && one.every((relationship, index) => relationship === other[index])
}

function joinFilters(filter: Filter | undefined, type: ResourceType, rules: ReadRules): Filter | undefined {
  const rule = rules.ruleOf(type)
  const asked = filter && withRules(filter, rules)
  if (asked === undefined || rule === undefined) return asked ?? rule
  return { kind: 'logical', operator: 'and', terms: [asked, rule] }
}

/**
 * Every order is total: it ends with the id. Where that goes the way of the key before it, an index on that key has the order as well:
 * the id stands in it last.
 */
function endWithId(
  keys: readonly SortKey[],
  type: ResourceType,
  direction: SortKey['direction'] = 'ascending',
): readonly SortKey[] {
  if (keys.some(({ by }) => isIdOf(by, type))) return keys
  return [...keys, { direction, by: { kind: 'attributePath', steps: [], type, attribute: type.id } }]
}

/** Of a branch only (`men:id`) it leaves the others without an order. */
function isIdOf(by: SortKey['by'], type: ResourceType): boolean {
  return by.kind === 'attributePath' && by.steps.length === 0 && by.attribute === type.id && isA(type, by.type)
}

function planRange(asked: PageRequest, page: PageOptions | false, largest: number | undefined): RowRange | undefined {
  if (page === false) return undefined
  const wanted = asked.size ?? page.size
  const size = largest === undefined ? wanted : Math.min(wanted ?? largest, largest)
  return size === null ? undefined : numberRange(((asked.number ?? 1) - 1) * size, size)
}
