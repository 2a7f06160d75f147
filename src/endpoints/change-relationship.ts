import type { WriteKind } from '../definitions/resource-write'
import { planRelationship } from '../plan/plan-read'
import { NO_QUERY } from '../query/no-query'
import type { StoredRecord } from '../records/stored-record'
import type { AddToRelationship, RemoveFromRelationship, SetRelationship, Target } from '../request/intent'
import { profilesOf } from '../response/cursor-pages'
import type { Requested } from '../response/links'
import { NO_CONTENT, type Reply } from '../response/reply'
import { toRelationshipDocument } from '../response/to-document'
import type { Api } from './api'
import type { AskedLink } from './decide-links'
import { identifiersOf } from './find-links'
import { findMembers, findRights, type Looking } from './find-rights'
import { chooseCandidate, findRecord } from './find-target'
import { performWrite } from './perform-write'
import { type DoneWrite, runWrite } from './run-write'

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

interface RelationshipIntent {
  readonly kind: Extract<WriteKind, `${string}Relationship`>
  readonly target: Target
}

function changeLinks(
  { kind, target }: RelationshipIntent,
  api: Api,
  requested: Requested,
  findLink: (left: StoredRecord, looking: Looking) => Promise<AskedLink>,
): Promise<Reply> {
  return performWrite(api, async (looking) => {
    const stored = await findRecord(target, looking.transaction, looking.rules)
    const link = await findLink(stored, looking)
    const done = await runWrite(
      { kind, type: stored.type, stored, attributes: new Map(), links: [link] },
      api.definitions.of(stored.type),
      looking,
    )
    return { done, value: await replyWithLinkage(stored, link, done, looking, requested) }
  })
}

/** The linkage is answered only where a rule made it another one than the request means. */
async function replyWithLinkage(
  { type, id }: StoredRecord,
  { relationship }: AskedLink,
  { links }: DoneWrite,
  { transaction, rules }: Looking,
  requested: Requested,
): Promise<Reply> {
  if (links.every(({ decidedBy }) => decidedBy === 'request')) return NO_CONTENT
  const plan = planRelationship({ type, id }, relationship, NO_QUERY, rules)
  const result = await transaction.read(plan, 'noLock')
  const left = { type, id, relationship, includesPrimary: false }
  const document = toRelationshipDocument({ plan, result, inclusion: 'notIncluded' }, left, requested)
  return { status: 200, document, profiles: profilesOf(plan) }
}
