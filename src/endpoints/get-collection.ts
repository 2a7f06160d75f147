import { planCollection } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import type { GetCollectionIntent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { buildCollectionResponseDocument, profilesAppliedByPlan } from '../response/to-document'
import type { ReadResult } from '../store/read-result'
import { assertCostWithRuleFilters, collectionCostInputBesidesQuery } from './check-cost'
import type { RequestScope } from './request-scope'

/** GET /humans. https://jsonapi.org/format/1.1/#fetching-resources */
export async function handleGetCollection(
  { type, query }: GetCollectionIntent,
  scope: RequestScope,
): Promise<EndpointResult> {
  assertCostWithRuleFilters(query, collectionCostInputBesidesQuery(type, scope.rules), scope)
  const plan = planCollection(type, query, scope.rules)
  const result = await readOrStreamList(plan, scope)
  const document = buildCollectionResponseDocument({ plan, result, query }, scope.requestUrl)
  return { status: 200, document, profiles: profilesAppliedByPlan(plan) }
}

/** Reads a list. If responses are streamed, its rows are read while the response is sent. */
export function readOrStreamList(plan: ReadPlan, { core, store }: RequestScope): Promise<ReadResult> {
  return core.options.streamThreshold === null ? store.read(plan) : store.readList(plan)
}
