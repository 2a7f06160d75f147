import { planLinkageRead } from '../plan/plan-read'
import type { GetRelationshipIntent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { buildRelationshipResponseDocument, profilesAppliedByPlan } from '../response/to-document'
import { assertCostWithRuleFilters, relationshipCostInputBesidesQuery } from './check-cost'
import { linkageRevisionToken, printRowSelectingQueryParameters } from './linkage-revisions'
import { getVisibleCandidateRelationship, loadSourceIdentifierWithRevision } from './load-requested-resource'
import type { RequestScope } from './request-scope'

/** GET /humans/1/relationships/children. https://jsonapi.org/format/1.1/#fetching-relationships */
export async function handleGetRelationship(
  intent: GetRelationshipIntent,
  scope: RequestScope,
): Promise<EndpointResult> {
  const { requestUrl } = scope
  const { plan, query, source, relationship } = await loadSourceAndPlanLinkage(intent, scope)
  const { type, id } = source
  const result = await scope.store.read(plan)
  const page = { name: printRowSelectingQueryParameters(requestUrl.parameters(), query), result }
  return {
    status: 200,
    document: buildRelationshipResponseDocument(
      { plan, result, query },
      { type, id, relationship, includesPrimary: query.includesPrimary },
      requestUrl,
    ),
    profiles: profilesAppliedByPlan(plan),
    revisionToken: linkageRevisionToken(source, relationship, page, scope),
  }
}

/** Loads the stored type and the revision of the source, on which the plan depends, and makes the plan. */
export async function loadSourceAndPlanLinkage(intent: GetRelationshipIntent, scope: RequestScope) {
  const { rules } = scope
  const source = await loadSourceIdentifierWithRevision(intent.target, scope)
  const { type, id } = source
  const { relationship, value: query } = getVisibleCandidateRelationship(intent.candidates, type, rules)
  assertCostWithRuleFilters(query, relationshipCostInputBesidesQuery(relationship, rules), scope)
  return { plan: planLinkageRead({ type, id }, relationship, query, rules), query, source, relationship }
}
