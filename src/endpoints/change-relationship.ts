import { planLookUp, planRelationship, withStates } from '../plan/plan-read'
import { EMPTY_QUERY } from '../query/tree/ast'
import type { StoredRecord } from '../records/stored-record'
import type { AddToRelationship, RemoveFromRelationship, SetRelationship } from '../request/intent/intent'
import { profilesOf } from '../response/cursor-pages'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { toRelationshipDocument } from '../response/to-document'
import type { Api } from './api'
import type { ResolvedLink } from './apply-link-hooks'
import { checkCondition } from './check-condition'
import { executeWrite } from './execute-write'
import { findMembers, findRelated, type WriteContext } from './find-related'
import { chooseCandidate, lockTarget, toStoredRecord } from './find-target'
import { linkageRevisionToken } from './linkage-revisions'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { identifiersOf } from './resolve-links'

/** PATCH /humans/1/relationships/bestFriend. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function setRelationship(intent: SetRelationship, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  return changeLinks(intent, api, requestUrl, async (left, writeContext) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, writeContext.rules)
    return { relationship, mode: 'set', related: await findRelated(relationship, identifiersOf(value), writeContext) }
  })
}

/** POST /humans/1/relationships/children. https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships */
export function addToRelationship(
  intent: AddToRelationship,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  return changeLinks(intent, api, requestUrl, async (left, writeContext) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, writeContext.rules)
    return { relationship, mode: 'add', related: await findRelated(relationship, value, writeContext) }
  })
}

/** DELETE /humans/1/relationships/children: what is no member is ignored. */
export function removeFromRelationship(
  intent: RemoveFromRelationship,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  return changeLinks(intent, api, requestUrl, async (left, writeContext) => {
    const { relationship, value } = chooseCandidate(intent.candidates, left.type, writeContext.rules)
    return { relationship, mode: 'remove', related: await findMembers(relationship, value, writeContext) }
  })
}

type RelationshipIntent = SetRelationship | AddToRelationship | RemoveFromRelationship

function changeLinks(
  { kind, target, condition, preference }: RelationshipIntent,
  api: Api,
  requestUrl: RequestUrl,
  findLink: (left: StoredRecord, writeContext: WriteContext) => Promise<ResolvedLink>,
): Promise<EndpointResult> {
  return performWrite(api, requestUrl, async (writeContext) => {
    const row = await lockTarget(target, writeContext.transaction, writeContext.rules)
    const stored = toStoredRecord(row)
    const link = await findLink(stored, writeContext)
    await checkCondition(condition, row, link.relationship, writeContext, api)
    const executed = await executeWrite(
      { kind, type: stored.type, stored, attributes: new Map(), links: [link] },
      api.definitions,
      writeContext,
    )
    const toResult = async () => {
      const isDue = preference === 'representation' || executed.links.some(({ decidedBy }) => decidedBy === 'rule')
      const reply = isDue ? await readLinkageBack(stored, link, writeContext, requestUrl, api) : NO_CONTENT
      return withPreference(reply, preference)
    }
    return { executed, toResult }
  })
}

/** The linkage is answered where a rule made it another one than the request means, or where it is asked for. */
async function readLinkageBack(
  { type, id }: StoredRecord,
  { relationship }: ResolvedLink,
  { transaction, rules }: WriteContext,
  requestUrl: RequestUrl,
  api: Api,
): Promise<EndpointResult> {
  const plan = planRelationship({ type, id }, relationship, EMPTY_QUERY, rules)
  const result = await transaction.read(plan, 'noLock')
  const left = { type, id, relationship, includesPrimary: false }
  const document = toRelationshipDocument({ plan, result, inclusion: 'notIncluded' }, left, requestUrl)
  // The change may have put the resource out of the client's sight.
  const [row] = (await transaction.read(withStates(planLookUp(type, [id], rules)), 'noLock')).rows
  const revisionToken = row && linkageRevisionToken(row, relationship, { name: '', result }, rules, api)
  return { status: 200, document, profiles: profilesOf(plan), revisionToken }
}
