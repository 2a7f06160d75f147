import type { PageOptions, PaginationKind } from '../declarations/field-options'
import { createJsonApiError } from '../errors/json-api-error'
import { isFieldOfType, isSameOrDerivedType } from '../graph/model/inheritance'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import {
  EMPTY_QUERY,
  type FilterNode,
  type IncludedRelationshipQuery,
  type IncludeNode,
  type PageRequest,
  type ParsedQuery,
  type SortKeyNode,
} from '../query/tree/ast'
import { mergeIncludeNodes, relationshipPathKey } from '../query/tree/path'
import { printFilter, printSort } from '../query/tree/print'
import { addRulesToFilterSteps, addRulesToSortKeyOfRule, addRulesToSortKeySteps } from './apply-rules'
import { choosePaginationKind, isSortKeyVisible, planCursorRange, shouldPaginate } from './plan-cursor-range'
import {
  createRangeFromOffsetAndSize,
  type IncludePaging,
  type IncludePlan,
  type PageRange,
  type ReadPlanLayer,
  type RowCriteriaByIdOrRelationship,
} from './read-plan'
import type { ReadRules } from './read-rules'

interface LayerInput {
  readonly type: ResourceType
  readonly criteria: RowCriteriaByIdOrRelationship
  readonly query: ParsedQuery
  readonly rules: ReadRules
}

/** Plans the layer of the primary data with its includes, without order and pages: one row, or the rows with given ids. */
export function planUnpagedPrimaryLayer(parts: LayerInput): ReadPlanLayer {
  const { query, type, rules } = parts
  const includes = query.include === undefined ? defaultIncludes(type, rules) : query.include
  const context: IncludeContext = { rules, includePaths: query.includePaths, path: [], requested: query.include }
  return { ...unpagedLayer(parts), includes: planIncludes(type, includes, context) }
}

/** The pagination options of a collection. */
interface PaginationOptions {
  readonly page: PageOptions | false
  readonly pagination: PaginationKind
}

/** Plans the layer of the primary data with a total order, pages and includes. */
export function planPagedPrimaryLayer({
  paging,
  ...parts
}: LayerInput & { readonly paging: PaginationOptions }): ReadPlanLayer {
  const pagination = choosePaginationKind(parts.query.page, paging.pagination)
  return paginate(planUnpagedPrimaryLayer(parts), { page: paging.page, pagination }, parts)
}

function unpagedLayer({ type, criteria, query, rules }: LayerInput): ReadPlanLayer {
  const filter = joinFilters(query.filter, type, rules)
  return { type, criteria, filter, sort: [], range: undefined, includes: [], revisions: 'notRead' }
}

function paginate(
  layer: ReadPlanLayer,
  { page, pagination }: PaginationOptions,
  { type, query, rules }: LayerInput,
): ReadPlanLayer {
  const maxSizeByRule = rules.pageSizeOf(type)
  if (pagination === 'cursors' && shouldPaginate(query.page, page, maxSizeByRule)) {
    const keys = sortKeysForCursors(type, query.sort, rules)
    const sorted = { ...layer, sort: endWithId(keys, type, keys.at(-1)?.direction) }
    return { ...sorted, range: planCursorRange(sorted, query.page, { page, maxSizeByRule }) }
  }
  const keys = sortKeysForNumbers(type, query.sort, rules)
  return { ...layer, sort: endWithId(keys, type), range: planRange(query.page, page, maxSizeByRule, type) }
}

/** Returns the order of pages by cursors. Cursors contain its values, so it has no values that clients can't see. */
function sortKeysForCursors(type: ResourceType, requested: LayerSort, rules: ReadRules): LayerSort {
  const keys = requested.length === 0 ? rules.sortOf(type).filter((key) => isSortKeyVisible(key, rules)) : requested
  return keys.map((key) => addRulesToSortKeySteps(key, rules))
}

function sortKeysForNumbers(type: ResourceType, requested: LayerSort, rules: ReadRules): LayerSort {
  return requested.length === 0
    ? rules.sortOf(type).map((key) => addRulesToSortKeyOfRule(key, rules))
    : requested.map((key) => addRulesToSortKeySteps(key, rules))
}

type LayerSort = readonly SortKeyNode[]

interface IncludeContext {
  readonly rules: ReadRules
  readonly includePaths: readonly IncludedRelationshipQuery[]
  /** The relationships from the primary data to this layer. */
  readonly path: readonly Relationship[]
  /** `undefined` without the parameter `include`: then the `include` hooks decide. */
  readonly requested: readonly IncludeNode[] | undefined
}

/** Plans one layer for each included relationship. The query parts of an included collection apply to the layer with that path. */
function planIncludes(
  type: ResourceType,
  nodes: readonly IncludeNode[],
  parts: IncludeContext,
): readonly IncludePlan[] {
  return groupByChildren(type, nodes, parts).map(({ relationship, parentTypes, children }) => {
    const path = [...parts.path, relationship]
    const layer = includedLayer(relationship, { ...parts, path })
    return {
      relationship,
      parentTypes,
      paging: includedPagination(relationship, layer, scopeOf({ ...parts, path })),
      layer: { ...layer, includes: planIncludes(layer.type, children, { ...parts, path }) },
    }
  })
}

interface IncludeGroup {
  readonly relationship: Relationship
  readonly parentTypes: StoredType[]
  readonly children: readonly IncludeNode[]
}

/**
 * Groups the parent types for which a relationship has the same further includes. `tandems:wheels.tube,wheels` reads the wheels of tandems
 * in a separate layer.
 */
function groupByChildren(
  type: ResourceType,
  nodes: readonly IncludeNode[],
  parts: IncludeContext,
): readonly IncludeGroup[] {
  const groups = new Map<string, IncludeGroup>()
  for (const relationship of new Set(nodes.map((node) => node.relationship))) {
    for (const each of type.concreteTypes) {
      const own = nodes.filter(({ from }) => isSameOrDerivedType(each, from))
      if (!followedRelationships(each, own, parts).includes(relationship)) continue
      const matching = own.filter((node) => node.relationship === relationship)
      const withChildren = matching.filter(({ children }) => children.length > 0)
      const key = `${relationshipPathKey([relationship])} ${withChildren.map((node) => nodes.indexOf(node)).join()}`
      const group = groups.get(key)
      if (group !== undefined) group.parentTypes.push(each)
      else groups.set(key, { relationship, parentTypes: [each], children: childrenOf(matching) })
    }
  }
  return [...groups.values()]
}

function childrenOf(nodes: readonly IncludeNode[]): readonly IncludeNode[] {
  const [only, ...others] = nodes
  return others.length === 0 ? (only?.children ?? []) : mergeIncludeNodes(nodes.flatMap(({ children }) => children))
}

function followedRelationships(
  type: StoredType,
  nodes: readonly IncludeNode[],
  { rules, requested }: IncludeContext,
): readonly Relationship[] {
  if (requested === undefined) return defaultRelationships(type, rules)
  // A type and its base can both name a relationship: `children,men:children`.
  const relationships = new Set(nodes.map(({ relationship }) => relationship))
  const own = [...relationships].filter((each) => isFieldOfType(type, each) && rules.isVisible(type, each))
  return rules.includesOf(type, own)
}

/** Returns the default includes of a type, without relationships that the `fields` hook hides. */
function defaultRelationships(type: StoredType, rules: ReadRules): readonly Relationship[] {
  return rules.includesOf(type, 'notSent').filter((each) => rules.isVisible(type, each))
}

function includedPagination(
  relationship: Relationship,
  { range }: ReadPlanLayer,
  requested: IncludedRelationshipQuery | undefined,
): IncludePaging | undefined {
  if (relationship.kind === 'toOne') return undefined
  const { filter, sort = [] } = requested ?? {}
  const hasPages = range?.kind === 'numbers'
  return {
    range: hasPages ? range : undefined,
    total: hasPages && relationship.includedPagination === true ? 'counted' : 'notCounted',
    filter: filter && printFilter(filter),
    sort: sort.length === 0 ? undefined : printSort(sort, relationship.target),
  }
}

function scopeOf({ includePaths, path }: IncludeContext): IncludedRelationshipQuery | undefined {
  return includePaths.find((each) => isSamePath(each.path, path))
}

function includedLayer(relationship: Relationship, include: IncludeContext): ReadPlanLayer {
  const { rules } = include
  const query: ParsedQuery = { ...EMPTY_QUERY, ...scopeOf(include) }
  const parts: LayerInput = { type: relationship.target, criteria: { kind: 'all' }, query, rules }
  return relationship.kind === 'toOne'
    ? unpagedLayer(parts)
    : paginate(unpagedLayer(parts), { page: relationship.page, pagination: 'numbers' }, parts)
}

/** Returns the includes that apply without the parameter `include`. */
function defaultIncludes(type: ResourceType, rules: ReadRules): readonly IncludeNode[] {
  const relationships = type.concreteTypes.flatMap((each) => defaultRelationships(each, rules))
  return [...new Set(relationships)].map((relationship) => ({
    relationship,
    from: relationship.declaringType,
    children: [],
  }))
}

function isSamePath(one: readonly Relationship[], other: readonly Relationship[]): boolean {
  return one.length === other.length && one.every((relationship, index) => relationship === other[index])
}

function joinFilters(filter: FilterNode | undefined, type: ResourceType, rules: ReadRules): FilterNode | undefined {
  const rule = rules.visibilityFilterOf(type)
  const requested = filter && addRulesToFilterSteps(filter, rules)
  if (requested === undefined || rule === undefined) return requested ?? rule
  return { kind: 'logical', operator: 'and', terms: [requested, rule] }
}

/**
 * Makes the order total by adding the id as the last key, unless it is a key already. With cursors the id has the direction of the key before,
 * so that an index that ends with the id has the same order.
 */
function endWithId(
  keys: readonly SortKeyNode[],
  type: ResourceType,
  direction: SortKeyNode['direction'] = 'ascending',
): readonly SortKeyNode[] {
  if (keys.some(({ by }) => isIdOf(by, type))) return keys
  return [...keys, { direction, by: { kind: 'attributePath', steps: [], type, attribute: type.id } }]
}

/** Returns true if a key orders all rows of the type by id. `men:id` does not: rows of other types would have no order. */
function isIdOf(by: SortKeyNode['by'], type: ResourceType): boolean {
  return (
    by.kind === 'attributePath' &&
    by.steps.length === 0 &&
    by.attribute === type.id &&
    isSameOrDerivedType(type, by.type)
  )
}

function planRange(
  requested: PageRequest,
  page: PageOptions | false,
  largest: number | undefined,
  { name }: ResourceType,
): PageRange | undefined {
  if (page === false) return undefined
  const { number = 1 } = requested
  const requestedSize = requested.size ?? page.size
  const size = largest === undefined ? requestedSize : Math.min(requestedSize ?? largest, largest)
  if (size !== null) {
    const offset = (number - 1) * size
    if (Number.isSafeInteger(offset + size)) return createRangeFromOffsetAndSize(offset, size)
    const greatest = Math.floor(Number.MAX_SAFE_INTEGER / size)
    const detail = `Expected a page number of '${name}' from 1 to ${greatest}, found ${number}.`
    throw createJsonApiError('query.page', detail, { parameter: 'page[number]' })
  }
  if (number === 1) return undefined
  const detail = `Expected a page size of '${name}' with the page number ${number}, found none. Send 'page[size]' too.`
  throw createJsonApiError('query.page', detail, { parameter: 'page[number]' })
}
