import { planLookUp, planRelationship, withStates } from '../plan/plan-read'
import { NO_QUERY } from '../query/no-query'
import type { StoredRecord } from '../records/stored-record'
import type { AddToRelationship, RemoveFromRelationship, SetRelationship } from '../request/intent'
import { profilesOf } from '../response/cursor-pages'
import type { Requested } from '../response/links'
import { NO_CONTENT, type Reply } from '../response/reply'
import { toRelationshipDocument } from '../response/to-document'
import type { Api } from './api'
import { checkCondition } from './check-condition'
import type { AskedLink } from './decide-links'
import { identifiersOf } from './find-links'
import { findMembers, findRights, type Looking } from './find-rights'
import { chooseCandidate, findLocked, toStoredRecord } from './find-target'
import { linkageToken } from './linkage-states'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { runWrite } from './run-write'

/** PATCH /humans/1/relationships/bestFriend. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function setRelationship(intent: SetRelationship, api: Api, requested: Requested): Promise<Reply> {
  return changeLinks(intent, api, requested, async (left, looking) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, looking.rules)
    return { relationship, mode: 'set', rights: await findRights(relationship, identifiersOf(value), looking) }
  })
}

/** POST /humans/1/relationships/children. https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships */
export function addToRelationship(intent: AddToRelationship, api: Api, requested: Requested): Promise<Reply> {
  return changeLinks(intent, api, requested, async (left, looking) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, looking.rules)
    return { relationship, mode: 'add', rights: await findRights(relationship, value, looking) }
  })
}

/** DELETE /humans/1/relationships/children: what is no member is ignored. */
export function removeFromRelationship(intent: RemoveFromRelationship, api: Api, requested: Requested): Promise<Reply> {
  return changeLinks(intent, api, requested, async (left, looking) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, looking.rules)
    return { relationship, mode: 'remove', rights: await findMembers(relationship, value, looking) }
  })
}

type RelationshipIntent = SetRelationship | AddToRelationship | RemoveFromRelationship

function changeLinks(
  { kind, target, condition, preference }: RelationshipIntent,
  api: Api,
  requested: Requested,
  findLink: (left: StoredRecord, looking: Looking) => Promise<AskedLink>,
): Promise<Reply> {
  return performWrite(api, requested, async (looking) => {
    const row = await findLocked(target, looking.transaction, looking.rules)
    const stored = toStoredRecord(row)
    const link = await findLink(stored, looking)
    await checkCondition(condition, row, link.relationship, looking, api)
    const done = await runWrite(
      { kind, type: stored.type, stored, attributes: new Map(), links: [link] },
      api.definitions,
      looking,
    )
    const answer = async () => {
      const isDue = preference === 'representation' || done.links.some(({ decidedBy }) => decidedBy === 'rule')
      const reply = isDue ? await readLinkageBack(stored, link, looking, requested, api) : NO_CONTENT
      return withPreference(reply, preference)
    }
    return { done, answer }
  })
}

/** The linkage is answered where a rule made it another one than the request means, or where it is asked for. */
async function readLinkageBack(
  { type, id }: StoredRecord,
  { relationship }: AskedLink,
  { transaction, rules }: Looking,
  requested: Requested,
  api: Api,
): Promise<Reply> {
  const plan = planRelationship({ type, id }, relationship, NO_QUERY, rules)
  const result = await transaction.read(plan, 'noLock')
  const left = { type, id, relationship, includesPrimary: false }
  const document = toRelationshipDocument({ plan, result, inclusion: 'notIncluded' }, left, requested)
  // The change may have put the resource out of the client's sight.
  const [row] = (await transaction.read(withStates(planLookUp(type, [id], rules)), 'noLock')).rows
  const token = row && linkageToken(row, relationship, { name: '', result }, rules, api)
  return { status: 200, document, profiles: profilesOf(plan), token }
}
