import { planRelated } from '../plan/plan-read'
import type { GetRelatedIntent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import {
  buildCollectionResponseDocument,
  buildResourceResponseDocument,
  profilesAppliedByPlan,
} from '../response/to-document'
import { assertCostWithRuleFilters, relationshipCostInputBesidesQuery } from './check-cost'
import { readOrStreamList } from './get-collection'
import { getVisibleCandidateRelationship, loadSourceIdentifier } from './load-requested-resource'
import type { RequestScope } from './request-scope'

/** GET /humans/1/children. https://jsonapi.org/format/1.1/#fetching-resources */
export async function handleGetRelated(intent: GetRelatedIntent, scope: RequestScope): Promise<EndpointResult> {
  const { plan, query, relationship } = await loadSourceAndPlanRelated(intent, scope)
  const result = await readOrStreamList(plan, scope)
  const read = { plan, result, query }
  const toDocument = relationship.kind === 'toMany' ? buildCollectionResponseDocument : buildResourceResponseDocument
  return { status: 200, document: toDocument(read, scope.requestUrl), profiles: profilesAppliedByPlan(plan) }
}

/** Loads the stored type of the source, on which the plan depends, and makes the plan. */
export async function loadSourceAndPlanRelated(intent: GetRelatedIntent, scope: RequestScope) {
  const { rules } = scope
  const source = await loadSourceIdentifier(intent.target, scope)
  const { relationship, value: query } = getVisibleCandidateRelationship(intent.candidates, source.type, rules)
  assertCostWithRuleFilters(query, relationshipCostInputBesidesQuery(relationship, rules), scope)
  return { plan: planRelated(source, relationship, query, rules), query, relationship }
}
