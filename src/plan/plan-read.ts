import { decodeIdToRuntimeKey } from '../graph/model/record-id'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import type { AttributePath, FilterNode, ParsedQuery } from '../query/tree/ast'
import { QUERY_WITHOUT_INCLUDES } from '../query/tree/ast'
import { Param } from '../query/tree/param'
import { FULL_PROJECTION, IDENTIFIER_PROJECTION, planFieldSelection } from './plan-field-selection'
import { planPagedPrimaryLayer, planUnpagedPrimaryLayer } from './plan-layer'
import type { IncludePlan, ReadPlan, ReadPlanLayer, RowCriteriaByIdOrRelationship } from './read-plan'
import type { ReadRules } from './read-rules'

type PlanQuery = (type: ResourceType, query: ParsedQuery, rules: ReadRules) => ReadPlan

/** Plans a page of the rows of a type. */
export const planCollection = planOnce((type, query, rules) =>
  freeze({
    layer: planPagedPrimaryLayer({ type, criteria: { kind: 'all' }, paging: type, query, rules }),
    total: type.totals,
    projection: planFieldSelection(query.fields, rules),
  }),
)

/** Plans one resource by its id, with its revision. */
export function planResourceById(type: ResourceType, id: string, query: ParsedQuery, rules: ReadRules): ReadPlan {
  return withIds(planIndividual(type, query, rules), [id])
}

/** Plans several resources of a type by their ids, with their revisions. */
export function planResourcesByIds(
  type: ResourceType,
  ids: readonly string[],
  query: ParsedQuery,
  rules: ReadRules,
): ReadPlan {
  return withIds(planIndividual(type, query, rules), ids)
}

const planIndividual = planOnce((type, query, rules) => {
  const layer = planUnpagedPrimaryLayer({ type, criteria: NO_IDS, query, rules })
  return withRevisionSources({ layer, total: false, projection: planFieldSelection(query.fields, rules) })
})

/** Plans the related resources of one resource: a page, or at most one. */
export function planRelated(
  source: SourceResource,
  relationship: Relationship,
  query: ParsedQuery,
  rules: ReadRules,
): ReadPlan {
  const criteria: RowCriteriaByIdOrRelationship = { kind: 'relatedTo', relationship, source }
  const type = relationship.target
  const projection = planFieldSelection(query.fields, rules)
  if (relationship.kind === 'toOne') {
    return freeze({ layer: planUnpagedPrimaryLayer({ type, criteria, query, rules }), total: false, projection })
  }
  const layer = planPagedPrimaryLayer({ type, criteria, paging: relationship, query, rules })
  return freeze({ layer, total: relationship.totals, projection })
}

/** Plans the linkage of one resource. Default includes of rules are not read. */
export function planLinkageRead(
  source: SourceResource,
  relationship: Relationship,
  query: ParsedQuery,
  rules: ReadRules,
): ReadPlan {
  const plan = planRelated(source, relationship, query, rules)
  if (query.include !== undefined) return plan
  return freeze({ ...plan, layer: { ...plan.layer, includes: [] }, projection: IDENTIFIER_PROJECTION })
}

/** Plans all visible members of a to-many relationship. */
export function planReadOfAllVisibleRelated(
  source: SourceResource,
  relationship: Relationship,
  rules: ReadRules,
): ReadPlan {
  const criteria: RowCriteriaByIdOrRelationship = { kind: 'relatedTo', relationship, source }
  const layer = planUnpagedPrimaryLayer({ type: relationship.target, criteria, query: QUERY_WITHOUT_INCLUDES, rules })
  return freeze({ layer, total: false, projection: IDENTIFIER_PROJECTION })
}

/** Plans all members, hidden ones too, with all attributes, for inverse hooks. `ids` limits them. */
export function planRelatedIncludingHiddenRows(
  source: SourceResource,
  relationship: Relationship,
  ids?: readonly string[],
): ReadPlan {
  const criteria: RowCriteriaByIdOrRelationship = {
    kind: 'relatedTo',
    relationship,
    source,
    ...(ids !== undefined && { ids }),
  }
  return freeze({ layer: wholeLayer(relationship.target, criteria), total: false, projection: FULL_PROJECTION })
}

/** Plans the rows of some types whose relationship leads to one of the ids, hidden ones too. */
export function planRecordsReferencingIds(
  relationship: Relationship,
  ids: readonly string[],
  types: readonly StoredType[],
): ReadPlan {
  const layer = wholeLayer(relationship.declaringType, { kind: 'linkingTo', relationship, ids })
  return freeze({
    layer: { ...layer, filter: { kind: 'isExactly', types } },
    total: false,
    projection: FULL_PROJECTION,
  })
}

/** Plans the rows of `planRecordsReferencingIds`, each with its related rows among the ids. */
export function planReadOfReferencingRecordsWithRelated(
  relationship: Relationship,
  ids: readonly string[],
  types: readonly StoredType[],
): ReadPlan {
  const plan = planRecordsReferencingIds(relationship, ids, types)
  const { target } = relationship
  const members = { ...wholeLayer(target, { kind: 'all' }), filter: isAmongIds(target, ids) }
  const include: IncludePlan = { relationship, parentTypes: types, paging: undefined, layer: members }
  return freeze({ ...plan, layer: { ...plan.layer, includes: [include] } })
}

/** Plans the rows with these ids, hidden ones too, under their stored types. */
export function planIdentifiersIncludingHiddenRows(type: ResourceType, ids: readonly string[]): ReadPlan {
  return freeze({ layer: wholeLayer(type, { kind: 'ids', ids }), total: false, projection: IDENTIFIER_PROJECTION })
}

/** Plans a layer without rules and query. */
function wholeLayer(type: ResourceType, criteria: RowCriteriaByIdOrRelationship): ReadPlanLayer {
  return { type, criteria, filter: undefined, sort: [], range: undefined, includes: [], revisions: 'notRead' }
}

function isAmongIds(type: ResourceType, ids: readonly string[]): FilterNode {
  const attribute: AttributePath = { kind: 'attributePath', steps: [], type, attribute: type.id }
  const values = ids.map((id) => ({
    kind: 'literal' as const,
    value: new Param(decodeIdToRuntimeKey(id, type.id.constraints)),
  }))
  return { kind: 'equalsAny', left: attribute, values }
}

/** Plans the identifiers of the visible rows with these ids, under their stored types. */
export function planIdentifiersByIds(type: ResourceType, ids: readonly string[], rules: ReadRules): ReadPlan {
  return withIds(planVisible(type, QUERY_WITHOUT_INCLUDES, rules), ids)
}

const planVisible = planOnce((type, query, rules) =>
  freeze({
    layer: planUnpagedPrimaryLayer({ type, criteria: NO_IDS, query, rules }),
    total: false,
    projection: IDENTIFIER_PROJECTION,
  }),
)

/** Plans the visible rows with these ids, with all attributes, for hooks. */
export function planRecordsByIds(type: ResourceType, ids: readonly string[], rules: ReadRules): ReadPlan {
  return withIds(planVisibleRecords(type, QUERY_WITHOUT_INCLUDES, rules), ids)
}

const planVisibleRecords = planOnce((type, query, rules) =>
  freeze({ ...planVisible(type, query, rules), projection: FULL_PROJECTION }),
)

/** Adds to a plan what the revision of each row is made of, for ETags and preconditions. */
export function withRevisionSources(plan: ReadPlan): ReadPlan {
  return freeze({ ...plan, layer: { ...plan.layer, revisions: 'read' } })
}

export interface SourceResource {
  readonly type: ResourceType
  readonly id: string
}

function freeze(plan: ReadPlan): ReadPlan {
  return Object.freeze(plan)
}

const NO_IDS: RowCriteriaByIdOrRelationship = { kind: 'ids', ids: [] }

function withIds(plan: ReadPlan, ids: readonly string[]): ReadPlan {
  return freeze({ ...plan, layer: { ...plan.layer, criteria: { kind: 'ids', ids } } })
}

/** Caches the plan of each parsed query if all requests share the rules. Clients repeat queries, and parsed queries are cached too. */
function planOnce(plan: PlanQuery): PlanQuery {
  const plans = new WeakMap<ReadRules, WeakMap<ParsedQuery, Map<ResourceType, ReadPlan>>>()
  return (type, query, rules) => {
    const known = plans.get(rules)?.get(query)?.get(type)
    if (known !== undefined) return known
    const planned = plan(type, query, rules)
    if (!rules.areShared) return planned
    const byQuery = plans.get(rules) ?? new WeakMap<ParsedQuery, Map<ResourceType, ReadPlan>>()
    const byType = byQuery.get(query) ?? new Map<ResourceType, ReadPlan>()
    plans.set(rules, byQuery.set(query, byType.set(type, planned)))
    return planned
  }
}
