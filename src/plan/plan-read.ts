import { decodeId } from '../graph/record-id'
import type { Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import type { AttributePath, Filter, Query } from '../query/ast'
import { NOTHING_INCLUDED } from '../query/empty-query'
import { param } from '../query/param'
import { pagedLayer, singleLayer } from './plan-layer'
import { ALL_FIELDS, NO_FIELDS, planProjection } from './plan-projection'
import type { IncludeLayer, Layer, ReadPlan, RowCriteria } from './read-plan'
import type { ReadRules } from './read-rules'

/** Rows of a type, a page of them. */
export function planCollection(type: ResourceType, query: Query, rules: ReadRules): ReadPlan {
  return freeze({
    layer: pagedLayer({ type, criteria: { kind: 'all' }, paging: type, query, rules }),
    total: type.totals,
    projection: planProjection(query.fields, rules),
  })
}

/** One resource by its id, with its state. */
export function planResource(type: ResourceType, id: string, query: Query, rules: ReadRules): ReadPlan {
  const layer = singleLayer({ type, criteria: { kind: 'ids', ids: [id] }, query, rules })
  return withStates({ layer, total: false, projection: planProjection(query.fields, rules) })
}

/** What stands at the other end of a relationship of one resource: a page of resources, or the one there is. */
export function planRelated(
  source: SourceResource,
  relationship: Relationship,
  query: Query,
  rules: ReadRules,
): ReadPlan {
  const criteria: RowCriteria = { kind: 'relatedTo', relationship, source }
  const type = relationship.target
  const projection = planProjection(query.fields, rules)
  if (relationship.kind === 'toOne') {
    return freeze({ layer: singleLayer({ type, criteria, query, rules }), total: false, projection })
  }
  const layer = pagedLayer({ type, criteria, paging: relationship, query, rules })
  return freeze({ layer, total: relationship.totals, projection })
}

/** The same, as identifiers. What a rule includes of its own accord has no place beside them, and is not read. */
export function planRelationship(
  source: SourceResource,
  relationship: Relationship,
  query: Query,
  rules: ReadRules,
): ReadPlan {
  const plan = planRelated(source, relationship, query, rules)
  if (query.include !== undefined) return plan
  return freeze({ ...plan, layer: { ...plan.layer, includes: [] }, projection: NO_FIELDS })
}

/** All members of a to-many relationship that can be seen. */
export function planMembers(source: SourceResource, relationship: Relationship, rules: ReadRules): ReadPlan {
  const criteria: RowCriteria = { kind: 'relatedTo', relationship, source }
  const layer = singleLayer({ type: relationship.target, criteria, query: NOTHING_INCLUDED, rules })
  return freeze({ layer, total: false, projection: NO_FIELDS })
}

/** The same of whatever there is, seen or not, with all attributes: for rules of the other end. `ids`: only those of them. */
export function planLinked(source: SourceResource, relationship: Relationship, ids?: readonly string[]): ReadPlan {
  const criteria: RowCriteria = { kind: 'relatedTo', relationship, source, ...(ids !== undefined && { ids }) }
  return freeze({ layer: wholeLayer(relationship.target, criteria), total: false, projection: ALL_FIELDS })
}

/** Rows of some stored types from which a relationship of theirs leads to any of these ids, seen or not. */
export function planLeading(
  relationship: Relationship,
  ids: readonly string[],
  types: readonly StoredType[],
): ReadPlan {
  const layer = wholeLayer(relationship.declaringType, { kind: 'linkingTo', relationship, ids })
  return freeze({ layer: { ...layer, filter: { kind: 'isExactly', types } }, total: false, projection: ALL_FIELDS })
}

/** The same, each with those of the ids that it leads to. */
export function planOwners(relationship: Relationship, ids: readonly string[], types: readonly StoredType[]): ReadPlan {
  const plan = planLeading(relationship, ids, types)
  const { target } = relationship
  const members = { ...wholeLayer(target, { kind: 'all' }), filter: isAmongIds(target, ids) }
  const include: IncludeLayer = { relationship, parentTypes: types, pages: undefined, layer: members }
  return freeze({ ...plan, layer: { ...plan.layer, includes: [include] } })
}

/** These rows, seen or not, as what they are stored. */
export function planAny(type: ResourceType, ids: readonly string[]): ReadPlan {
  return freeze({ layer: wholeLayer(type, { kind: 'ids', ids }), total: false, projection: NO_FIELDS })
}

/** Whatever no rule and no client limits. */
function wholeLayer(type: ResourceType, criteria: RowCriteria): Layer {
  return { type, criteria, filter: undefined, sort: [], range: undefined, includes: [], states: 'notRead' }
}

function isAmongIds(type: ResourceType, ids: readonly string[]): Filter {
  const left: AttributePath = { kind: 'attributePath', steps: [], type, attribute: type.id }
  const values = ids.map((id) => ({ kind: 'literal' as const, value: param(decodeId(id, type.id.range)) }))
  return { kind: 'anyOf', left, values }
}

/** Which of these ids exist and can be seen, and as what they are stored. */
export function planLookUp(type: ResourceType, ids: readonly string[], rules: ReadRules): ReadPlan {
  const layer = singleLayer({ type, criteria: { kind: 'ids', ids }, query: NOTHING_INCLUDED, rules })
  return freeze({ layer, total: false, projection: NO_FIELDS })
}

/** The same, with all attributes: for rules that want to see them. */
export function planRecords(type: ResourceType, ids: readonly string[], rules: ReadRules): ReadPlan {
  return freeze({ ...planLookUp(type, ids, rules), projection: ALL_FIELDS })
}

/** The same, with the state of each row: whatever is shown of it, and whoever asks. */
export function withStates(plan: ReadPlan): ReadPlan {
  return freeze({ ...plan, layer: { ...plan.layer, states: 'read' } })
}

export interface SourceResource {
  readonly type: ResourceType
  readonly id: string
}

function freeze(plan: ReadPlan): ReadPlan {
  return Object.freeze(plan)
}
