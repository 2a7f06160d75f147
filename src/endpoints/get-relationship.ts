import { planRelationship } from '../plan/plan-read'
import type { GetRelationship } from '../request/intent'
import { profilesOf } from '../response/cursor-pages'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
import { toRelationshipDocument } from '../response/to-document'
import { type Api, readingRulesOf } from './api'
import { chooseCandidate, findTarget } from './find-target'
import { inclusionOf } from './inclusion'

/** GET /humans/1/relationships/children. https://jsonapi.org/format/1.1/#fetching-relationships */
export async function getRelationship(intent: GetRelationship, api: Api, requested: Requested): Promise<Reply> {
  const rules = readingRulesOf(api)
  const { type, id } = await findTarget(intent.target, api.store, rules)
  const { relationship, value: query } = chooseCandidate(intent.candidates, type, rules)
  const plan = planRelationship({ type, id }, relationship, query, rules)
  const result = await api.store.read(plan)
  const left = { type, id, relationship, includesPrimary: query.includesPrimary }
  return {
    status: 200,
    document: toRelationshipDocument({ plan, result, inclusion: inclusionOf(query) }, left, requested),
    profiles: profilesOf(plan),
  }
}
