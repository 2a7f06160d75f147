import { planRelationship } from '../plan/plan-read'
import type { GetRelationship } from '../request/intent'
import { profilesOf } from '../response/cursor-pages'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
import { toRelationshipDocument } from '../response/to-document'
import { type Api, readingRulesOf } from './api'
import { checkCostWithRules, primaryAt } from './check-cost'
import { chooseCandidate, findTargetState } from './find-target'
import { inclusionOf } from './inclusion'
import { linkageToken, pageNameOf } from './linkage-states'

/** GET /humans/1/relationships/children. https://jsonapi.org/format/1.1/#fetching-relationships */
export async function getRelationship(intent: GetRelationship, api: Api, requested: Requested): Promise<Reply> {
  const { plan, query, row, relationship, rules } = await planGetRelationship(intent, api)
  const { type, id } = row
  const result = await api.store.read(plan)
  const left = { type, id, relationship, includesPrimary: query.includesPrimary }
  return {
    status: 200,
    document: toRelationshipDocument({ plan, result, inclusion: inclusionOf(query) }, left, requested),
    profiles: profilesOf(plan),
    token: linkageToken(row, relationship, { name: pageNameOf(requested.queryString, query), result }, rules, api),
  }
}

/** What there is to read follows from the stored type of the left end, which is looked up. */
export async function planGetRelationship(intent: GetRelationship, api: Api) {
  const rules = readingRulesOf(api)
  const row = await findTargetState(intent.target, api.store, rules)
  const { type, id } = row
  const { relationship, value: query } = chooseCandidate(intent.candidates, type, rules)
  checkCostWithRules(query, primaryAt(relationship), rules, api)
  return { plan: planRelationship({ type, id }, relationship, query, rules), query, row, relationship, rules }
}
