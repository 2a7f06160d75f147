import { decodeId } from '../graph/record-id'
import type { Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import type { AttributePath, Filter, Query } from '../query/ast'
import { NOTHING_INCLUDED } from '../query/no-query'
import { ALL_FIELDS, NO_FIELDS, planFields } from './plan-fields'
import { pagedLayer, singleLayer } from './plan-layer'
import type { Among, IncludeLayer, Layer, ReadPlan } from './read-plan'
import type { ReadingRules } from './reading-rules'

/** Rows of a type, a page of them. */
export function planCollection(type: ResourceType, query: Query, rules: ReadingRules): ReadPlan {
  return freeze({
    layer: pagedLayer({ type, among: { kind: 'all' }, paging: type, query, rules }),
    total: type.totals,
    shown: planFields(query.fields, rules),
  })
}

/** One resource by its id, with its state. */
export function planResource(type: ResourceType, id: string, query: Query, rules: ReadingRules): ReadPlan {
  const layer = singleLayer({ type, among: { kind: 'ids', ids: [id] }, query, rules })
  return withStates({ layer, total: 'off', shown: planFields(query.fields, rules) })
}

/** What stands at the other end of a relationship of one resource: a page of resources, or the one there is. */
export function planRelated(left: LeftEnd, relationship: Relationship, query: Query, rules: ReadingRules): ReadPlan {
  const among: Among = { kind: 'relatedTo', relationship, left }
  const type = relationship.target
  const shown = planFields(query.fields, rules)
  if (relationship.kind === 'toOne') {
    return freeze({ layer: singleLayer({ type, among, query, rules }), total: 'off', shown })
  }
  const layer = pagedLayer({ type, among, paging: relationship, query, rules })
  return freeze({ layer, total: relationship.totals, shown })
}

/** The same, as identifiers. What a rule includes of its own accord has no place beside them, and is not read. */
export function planRelationship(
  left: LeftEnd,
  relationship: Relationship,
  query: Query,
  rules: ReadingRules,
): ReadPlan {
  const plan = planRelated(left, relationship, query, rules)
  if (query.include !== undefined) return plan
  return freeze({ ...plan, layer: { ...plan.layer, includes: [] }, shown: NO_FIELDS })
}

/** All members of a to-many relationship that can be seen. */
export function planMembers(left: LeftEnd, relationship: Relationship, rules: ReadingRules): ReadPlan {
  const among: Among = { kind: 'relatedTo', relationship, left }
  const layer = singleLayer({ type: relationship.target, among, query: NOTHING_INCLUDED, rules })
  return freeze({ layer, total: 'off', shown: NO_FIELDS })
}

/** The same of whatever there is, seen or not, with all attributes: for rules of the other end. `ids`: only those of them. */
export function planLinked(left: LeftEnd, relationship: Relationship, ids?: readonly string[]): ReadPlan {
  const among: Among = { kind: 'relatedTo', relationship, left, ...(ids !== undefined && { ids }) }
  return freeze({ layer: wholeLayer(relationship.target, among), total: 'off', shown: ALL_FIELDS })
}

/** Rows of some stored types from which a relationship of theirs leads to any of these ids, seen or not. */
export function planLeading(
  relationship: Relationship,
  ids: readonly string[],
  types: readonly StoredType[],
): ReadPlan {
  const layer = wholeLayer(relationship.declaringType, { kind: 'leadingTo', relationship, ids })
  return freeze({ layer: { ...layer, filter: { kind: 'isExactly', types } }, total: 'off', shown: ALL_FIELDS })
}

/** The same, each with those of the ids that it leads to. */
export function planOwners(relationship: Relationship, ids: readonly string[], types: readonly StoredType[]): ReadPlan {
  const plan = planLeading(relationship, ids, types)
  const { target } = relationship
  const members = { ...wholeLayer(target, { kind: 'all' }), filter: isAmongIds(target, ids) }
  const include: IncludeLayer = { relationship, leftTypes: types, pages: undefined, layer: members }
  return freeze({ ...plan, layer: { ...plan.layer, includes: [include] } })
}

/** These rows, seen or not, as what they are stored. */
export function planAny(type: ResourceType, ids: readonly string[]): ReadPlan {
  return freeze({ layer: wholeLayer(type, { kind: 'ids', ids }), total: 'off', shown: NO_FIELDS })
}

/** Whatever no rule and no client limits. */
function wholeLayer(type: ResourceType, among: Among): Layer {
  return { type, among, filter: undefined, sort: [], range: undefined, includes: [], states: 'notRead' }
}

function isAmongIds(type: ResourceType, ids: readonly string[]): Filter {
  const left: AttributePath = { kind: 'attributePath', hops: [], type, attribute: type.id }
  const values = ids.map((id) => ({ kind: 'literal' as const, value: decodeId(id, type.id.range) }))
  return { kind: 'anyOf', left, values }
}

/** Which of these ids exist and can be seen, and as what they are stored. */
export function planLookUp(type: ResourceType, ids: readonly string[], rules: ReadingRules): ReadPlan {
  const layer = singleLayer({ type, among: { kind: 'ids', ids }, query: NOTHING_INCLUDED, rules })
  return freeze({ layer, total: 'off', shown: NO_FIELDS })
}

/** The same, with all attributes: for rules that want to see them. */
export function planRecords(type: ResourceType, ids: readonly string[], rules: ReadingRules): ReadPlan {
  return freeze({ ...planLookUp(type, ids, rules), shown: ALL_FIELDS })
}

/** The same, with the state of each row: whatever is shown of it, and whoever asks. */
export function withStates(plan: ReadPlan): ReadPlan {
  return freeze({ ...plan, layer: { ...plan.layer, states: 'read' } })
}

export interface LeftEnd {
  readonly type: ResourceType
  readonly id: string
}

function freeze(plan: ReadPlan): ReadPlan {
  return Object.freeze(plan)
}
