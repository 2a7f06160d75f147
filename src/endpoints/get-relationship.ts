import { planLinkage } from '../plan/plan-read'
import type { GetRelationship } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { appliedProfiles, toRelationshipDocument } from '../response/to-document'
import { assertCostWithRules, relatedRowsForCost } from './check-cost'
import { linkageRevisionToken, printPageParameters } from './linkage-revisions'
import { getRelationshipCandidate, loadTargetWithState } from './load-target'
import type { RequestScope } from './request-scope'

/** GET /humans/1/relationships/children. https://jsonapi.org/format/1.1/#fetching-relationships */
export async function getRelationship(intent: GetRelationship, scope: RequestScope): Promise<EndpointResult> {
  const { requestUrl } = scope
  const { plan, query, source, relationship } = await prepareGetRelationship(intent, scope)
  const { type, id } = source
  const result = await scope.store.read(plan)
  const page = { name: printPageParameters(requestUrl.parameters(), query), result }
  return {
    status: 200,
    document: toRelationshipDocument(
      { plan, result, query },
      { type, id, relationship, includesPrimary: query.includesPrimary },
      requestUrl,
    ),
    profiles: appliedProfiles(plan),
    revisionToken: linkageRevisionToken(source, relationship, page, scope),
  }
}

/** Looks up the stored type and the revision of the source, on which the plan depends. */
export async function prepareGetRelationship(intent: GetRelationship, scope: RequestScope) {
  const { rules } = scope
  const source = await loadTargetWithState(intent.target, scope)
  const { type, id } = source
  const { relationship, value: query } = getRelationshipCandidate(intent.candidates, type, rules)
  assertCostWithRules(query, relatedRowsForCost(relationship, rules), scope)
  return { plan: planLinkage({ type, id }, relationship, query, rules), query, source, relationship }
}
