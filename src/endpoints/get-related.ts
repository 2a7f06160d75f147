import { planRelated } from '../plan/plan-read'
import type { GetRelated } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { appliedProfiles, toCollectionDocument, toResourceDocument } from '../response/to-document'
import { assertCostWithRules, relatedRowsForCost } from './check-cost'
import { readListRows } from './get-collection'
import { getRelationshipCandidate, loadTarget } from './load-target'
import type { RequestScope } from './request-scope'

/** GET /humans/1/children. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getRelated(intent: GetRelated, scope: RequestScope): Promise<EndpointResult> {
  const { plan, query, relationship } = await prepareGetRelated(intent, scope)
  const result = await readListRows(plan, scope)
  const read = { plan, result, query }
  const toDocument = relationship.kind === 'toMany' ? toCollectionDocument : toResourceDocument
  return { status: 200, document: toDocument(read, scope.requestUrl), profiles: appliedProfiles(plan) }
}

/** Looks up the stored type of the source, on which the plan depends. */
export async function prepareGetRelated(intent: GetRelated, scope: RequestScope) {
  const { rules } = scope
  const source = await loadTarget(intent.target, scope)
  const { relationship, value: query } = getRelationshipCandidate(intent.candidates, source.type, rules)
  assertCostWithRules(query, relatedRowsForCost(relationship, rules), scope)
  return { plan: planRelated(source, relationship, query, rules), query, relationship }
}
