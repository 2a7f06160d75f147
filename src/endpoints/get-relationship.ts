import { planRelationship } from '../plan/plan-read'
import type { GetRelationship } from '../request/intent/intent'
import { profilesOf } from '../response/cursor-pages'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { toRelationshipDocument } from '../response/to-document'
import { type Api, readRulesOf } from './api'
import { checkCostWithRules, costedCollectionOf } from './check-cost'
import { chooseCandidate, findTargetRevision } from './find-target'
import { inclusionOf } from './inclusion'
import { linkageRevisionToken, pageNameOf } from './linkage-revisions'

/** GET /humans/1/relationships/children. https://jsonapi.org/format/1.1/#fetching-relationships */
export async function getRelationship(
  intent: GetRelationship,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  const { plan, query, row, relationship, rules } = await planGetRelationship(intent, api)
  const { type, id } = row
  const result = await api.store.read(plan)
  const left = { type, id, relationship, includesPrimary: query.includesPrimary }
  return {
    status: 200,
    document: toRelationshipDocument({ plan, result, inclusion: inclusionOf(query) }, left, requestUrl),
    profiles: profilesOf(plan),
    revisionToken: linkageRevisionToken(
      row,
      relationship,
      { name: pageNameOf(requestUrl.queryString, query), result },
      rules,
      api,
    ),
  }
}

/** What there is to read follows from the stored type of the left end, which is looked up. */
export async function planGetRelationship(intent: GetRelationship, api: Api) {
  const rules = readRulesOf(api)
  const row = await findTargetRevision(intent.target, api.store, rules)
  const { type, id } = row
  const { relationship, value: query } = chooseCandidate(intent.candidates, type, rules)
  checkCostWithRules(query, costedCollectionOf(relationship), rules, api)
  return { plan: planRelationship({ type, id }, relationship, query, rules), query, row, relationship, rules }
}
