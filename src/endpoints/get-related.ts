import { planRelated } from '../plan/plan-read'
import type { GetRelated } from '../request/intent/intent'
import { profilesOf } from '../response/cursor-pages'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { toCollectionDocument, toResourceDocument } from '../response/to-document'
import { type Api, readRulesOf } from './api'
import { checkCostWithRules, costedCollectionOf } from './check-cost'
import { chooseCandidate, findTarget } from './find-target'
import { inclusionOf } from './inclusion'
import { readList } from './read-list'

/** GET /humans/1/children. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getRelated(intent: GetRelated, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  const { plan, query, relationship } = await planGetRelated(intent, api)
  const result = await readList(plan, api)
  const read = { plan, result, inclusion: inclusionOf(query) }
  const toDocument = relationship.kind === 'toMany' ? toCollectionDocument : toResourceDocument
  return { status: 200, document: toDocument(read, requestUrl), profiles: profilesOf(plan) }
}

/** What there is to read follows from the stored type of the left end, which is looked up. */
export async function planGetRelated(intent: GetRelated, api: Api) {
  const rules = readRulesOf(api)
  const left = await findTarget(intent.target, api.store, rules)
  const { relationship, value: query } = chooseCandidate(intent.candidates, left.type, rules)
  checkCostWithRules(query, costedCollectionOf(relationship), rules, api)
  return { plan: planRelated(left, relationship, query, rules), query, relationship }
}
