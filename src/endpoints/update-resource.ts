import { pointerTo } from '../document/pointer'
import { JsonApiError, problem } from '../errors/json-api-error'
import { isA } from '../graph/inheritance'
import type { StoredType } from '../graph/resource-graph'
import { planResource } from '../plan/plan-read'
import { refuseHidden } from '../request/get-field'
import type { UpdateResource } from '../request/intent'
import type { Requested } from '../response/links'
import { NO_CONTENT, type Reply } from '../response/reply'
import { EMPTY_DOCUMENT, toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import { checkCondition } from './check-condition'
import { findLinks } from './find-links'
import type { Looking } from './find-rights'
import { findLocked, toStoredRecord } from './find-target'
import { inclusionOf } from './inclusion'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { type DoneWrite, outcomeUnattended, runWrite } from './run-write'
import { toToken } from './states'
import { updateAtOnce, type WrittenAtOnce } from './write-at-once'

/** PATCH /humans/1. https://jsonapi.org/format/1.1/#crud-updating */
export async function updateResource(intent: UpdateResource, api: Api, requested: Requested): Promise<Reply> {
  const isShown = isDocumentDue(intent, outcomeUnattended(intent.change.type), api)
  const updated = await updateAtOnce(intent, isShown, api)
  if (updated === undefined) return updateInSteps(intent, api, requested)
  return withPreference(isShown ? toReply(updated, intent, requested, api) : NO_CONTENT, intent.preference)
}

function updateInSteps(intent: UpdateResource, api: Api, requested: Requested): Promise<Reply> {
  const { target, change } = intent
  return performWrite(api, requested, async (looking) => {
    const row = await findLocked(target, looking.transaction, looking.rules)
    const stored = toStoredRecord(row)
    checkStoredType(intent, stored.type)
    refuseHidden(
      change,
      { type: stored.type, request: 'update', isHidden: looking.rules.isHidden },
      intent.sent.pointer,
    )
    await api.validators.checkChanged({ type: stored.type, stored, values: change.attributes, place: intent.sent })
    const links = await findLinks(change, looking)
    await checkCondition(intent.condition, row, 'resource', looking, api)
    const done = await runWrite(
      { kind: 'update', type: stored.type, stored, attributes: change.attributes, links },
      api.definitions,
      looking,
    )
    const answer = async () => {
      const reply = isDocumentDue(intent, done.outcome, api)
        ? await readBack(intent, looking, requested, api)
        : NO_CONTENT
      return withPreference(reply, intent.preference)
    }
    return { done, answer }
  })
}

/** A base may be named for a row that is stored as its descendant; nothing else may differ. */
function checkStoredType({ change, target, sent }: UpdateResource, stored: StoredType): void {
  if (isA(stored, change.type)) return
  const detail = `Found '${change.type.name}', but the resource with id '${target.id}' is of type '${stored.name}'.`
  throw new JsonApiError([problem('document.type-conflict', detail, { pointer: pointerTo(sent.pointer, 'type') })])
}

/** https://jsonapi.org/format/1.1/#crud-updating-responses: a document when more was changed than was asked for, or when it is asked for. */
function isDocumentDue(
  { query, preference }: UpdateResource,
  outcome: DoneWrite['outcome'],
  { options: { updates } }: Api,
): boolean {
  if (outcome === 'beyondRequest' || preference === 'representation') return true
  if (preference === 'minimal') return false
  return updates === 'document' || query.include !== undefined || query.fields.size > 0
}

async function readBack(
  intent: UpdateResource,
  { transaction, rules }: Looking,
  requested: Requested,
  api: Api,
): Promise<Reply> {
  const plan = planResource(intent.target.type, intent.target.id, intent.query, rules)
  return toReply({ plan, result: await transaction.read(plan, 'noLock'), rules }, intent, requested, api)
}

function toReply(
  { plan, result, rules }: WrittenAtOnce,
  intent: UpdateResource,
  requested: Requested,
  api: Api,
): Reply {
  const [row] = result.rows
  if (row === undefined) return replyUnseen(intent, api)
  const { query } = intent
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, requested)
  return { status: 200, document, token: toToken(row, rules, api) }
}

/** The change has put the resource out of the client's sight. */
function replyUnseen({ preference }: UpdateResource, { options: { updates } }: Api): Reply {
  const isBodyDue = updates === 'document' && preference !== 'minimal'
  return isBodyDue ? { status: 200, document: EMPTY_DOCUMENT } : NO_CONTENT
}
