import { pointerTo } from '../document/pointer'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { isA } from '../graph/model/inheritance'
import type { StoredType } from '../graph/model/resource-graph'
import { planResource } from '../plan/plan-read'
import { assertNotHidden } from '../request/body/get-field'
import type { UpdateResource } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { EMPTY_DOCUMENT, toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import { checkCondition } from './check-condition'
import { type ExecutedWrite, executeWrite, outcomeWithoutHooks } from './execute-write'
import type { WriteContext } from './find-related'
import { lockTarget, toStoredRecord } from './find-target'
import { inclusionOf } from './inclusion'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { resolveLinks } from './resolve-links'
import { toRevisionToken } from './revisions'
import { type SingleStatementWrite, updateInOneStatement } from './write-in-one-statement'

/** PATCH /humans/1. https://jsonapi.org/format/1.1/#crud-updating */
export async function updateResource(
  intent: UpdateResource,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  const isShown = isDocumentDue(intent, outcomeWithoutHooks(intent.change.type), api)
  const updated = await updateInOneStatement(intent, isShown, api)
  if (updated === undefined) return updateInTransaction(intent, api, requestUrl)
  return withPreference(isShown ? toResult(updated, intent, requestUrl, api) : NO_CONTENT, intent.preference)
}

function updateInTransaction(intent: UpdateResource, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  const { target, change } = intent
  return performWrite(api, requestUrl, async (writeContext) => {
    const row = await lockTarget(target, writeContext.transaction, writeContext.rules)
    const stored = toStoredRecord(row)
    checkStoredType(intent, stored.type)
    assertNotHidden(
      change,
      { type: stored.type, request: 'update', isHidden: writeContext.rules.isHidden },
      intent.sent.pointer,
    )
    await api.validators.checkChanged({ type: stored.type, stored, values: change.attributes, place: intent.sent })
    const links = await resolveLinks(change, writeContext)
    await checkCondition(intent.condition, row, 'resource', writeContext, api)
    const executed = await executeWrite(
      { kind: 'update', type: stored.type, stored, attributes: change.attributes, links },
      api.definitions,
      writeContext,
    )
    const toResult = async () => {
      const reply = isDocumentDue(intent, executed.outcome, api)
        ? await readBack(intent, writeContext, requestUrl, api)
        : NO_CONTENT
      return withPreference(reply, intent.preference)
    }
    return { executed, toResult }
  })
}

/** A base may be named for a row that is stored as its descendant; nothing else may differ. */
function checkStoredType({ change, target, sent }: UpdateResource, stored: StoredType): void {
  if (isA(stored, change.type)) return
  const detail = `Found '${change.type.name}', but the resource with id '${target.id}' is of type '${stored.name}'.`
  throw new JsonApiError([clientError('document.type-conflict', detail, { pointer: pointerTo(sent.pointer, 'type') })])
}

/** https://jsonapi.org/format/1.1/#crud-updating-responses: a document when more was changed than was asked for, or when it is asked for. */
function isDocumentDue(
  { query, preference }: UpdateResource,
  outcome: ExecutedWrite['outcome'],
  { options: { updates } }: Api,
): boolean {
  if (outcome === 'modifiedByServer' || preference === 'representation') return true
  if (preference === 'minimal') return false
  return updates === 'document' || query.include !== undefined || query.fields.size > 0
}

async function readBack(
  intent: UpdateResource,
  { transaction, rules }: WriteContext,
  requestUrl: RequestUrl,
  api: Api,
): Promise<EndpointResult> {
  const plan = planResource(intent.target.type, intent.target.id, intent.query, rules)
  return toResult({ plan, result: await transaction.read(plan, 'noLock'), rules }, intent, requestUrl, api)
}

function toResult(
  { plan, result, rules }: SingleStatementWrite,
  intent: UpdateResource,
  requestUrl: RequestUrl,
  api: Api,
): EndpointResult {
  const [row] = result.rows
  if (row === undefined) return toUnseenResult(intent, api)
  const { query } = intent
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, requestUrl)
  return { status: 200, document, revisionToken: toRevisionToken(row, rules, api) }
}

/** The change has put the resource out of the client's sight. */
function toUnseenResult({ preference }: UpdateResource, { options: { updates } }: Api): EndpointResult {
  const isBodyDue = updates === 'document' && preference !== 'minimal'
  return isBodyDue ? { status: 200, document: EMPTY_DOCUMENT } : NO_CONTENT
}
