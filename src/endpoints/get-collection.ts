import { planCollection } from '../plan/plan-read'
import type { GetCollection } from '../request/intent/intent'
import { profilesOf } from '../response/cursor-pages'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { toCollectionDocument } from '../response/to-document'
import { type Api, readRulesOf } from './api'
import { checkCostWithRules } from './check-cost'
import { inclusionOf } from './inclusion'
import { readList } from './read-list'

/** GET /humans. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getCollection(
  { type, query }: GetCollection,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  const rules = readRulesOf(api)
  checkCostWithRules(query, type, rules, api)
  const plan = planCollection(type, query, rules)
  const result = await readList(plan, api)
  const document = toCollectionDocument({ plan, result, inclusion: inclusionOf(query) }, requestUrl)
  return { status: 200, document, profiles: profilesOf(plan) }
}
