import type { Relationship, ResourceType } from '../graph/resource-graph'
import type { Query } from '../query/ast'
import { NOTHING_INCLUDED } from '../query/no-query'
import { ALL_FIELDS, NO_FIELDS, planFields } from './plan-fields'
import { pagedLayer, singleLayer } from './plan-layer'
import type { Among, ReadPlan } from './read-plan'
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
