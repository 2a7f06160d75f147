import { appendToPointer } from '../document/pointer'
import { createJsonApiError } from '../errors/json-api-error'
import { isSameOrDerivedType } from '../graph/model/inheritance'
import type { StoredType } from '../graph/model/resource-graph'
import { planResourceById } from '../plan/plan-read'
import { restrictInputToStoredType } from '../request/body/get-writable-field'
import type { UpdateResourceIntent } from '../request/intent/intent'
import {
  EMPTY_META_DOCUMENT,
  type EndpointResult,
  NO_CONTENT,
  withPreferenceApplied,
} from '../response/endpoint-result'
import { buildResourceResponseDocument } from '../response/to-document'
import type { ApiCore } from './api-core'
import { assertPreconditions } from './assert-preconditions'
import { assertCostWithRuleFilters } from './check-cost'
import { type ExecutedWrite, predictServerModificationOnUpdate, runWriteHooksAndStatements } from './execute-write'
import { loadRelatedRecordsOfWrite } from './load-related-records-of-write'
import { loadAndLockRequestedResource, resourceRowToRecord } from './load-requested-resource'
import type { RequestScope, WriteContext } from './request-scope'
import { toRevisionToken } from './revisions'
import { runWriteInTransaction } from './run-in-transaction'
import { type ReadBackResult, tryUpdateInOneStatement } from './write-in-one-statement'

/** PATCH /humans/1. https://jsonapi.org/format/1.1/#crud-updating */
export async function handleUpdateResource(intent: UpdateResourceIntent, scope: RequestScope): Promise<EndpointResult> {
  assertCostWithRuleFilters(intent.query, 'single', scope)
  const isShown = updateResponseNeedsDocument(
    intent,
    predictServerModificationOnUpdate(intent.change.type, intent.change, scope.rules),
    scope.core,
  )
  const updated = await tryUpdateInOneStatement(intent, isShown, scope)
  if (updated !== undefined)
    return withPreferenceApplied(
      isShown ? toEndpointResultOfUpdatedRow(updated, intent, scope) : NO_CONTENT,
      intent.preference,
    )
  return runWriteInTransaction(intent, { execute: executeUpdate, toResult: toUpdatedResult }, scope)
}

async function executeUpdate(intent: UpdateResourceIntent, writeContext: WriteContext): Promise<ExecutedWrite> {
  const { target, sent, condition } = intent
  const { core } = writeContext.scope
  const row = await loadAndLockRequestedResource(target, writeContext)
  const stored = resourceRowToRecord(row)
  const { type } = stored
  const change = narrowUpdateToStoredType(intent, type, writeContext.scope)
  await core.validators.checkChanged({ type, stored, values: change.attributes, location: sent })
  const relationshipChanges = await loadRelatedRecordsOfWrite(type, change, writeContext)
  await assertPreconditions(condition, row, 'resource', writeContext)
  return runWriteHooksAndStatements(
    { kind: 'update', type, stored, attributes: change.attributes, relationshipChanges },
    writeContext,
  )
}

async function toUpdatedResult(
  intent: UpdateResourceIntent,
  { outcome }: ExecutedWrite,
  { transaction, scope }: WriteContext,
): Promise<EndpointResult> {
  if (!updateResponseNeedsDocument(intent, outcome, scope.core)) return NO_CONTENT
  const plan = planResourceById(intent.target.type, intent.target.id, intent.query, scope.rules)
  return toEndpointResultOfUpdatedRow({ plan, result: await transaction.read(plan, 'noLock') }, intent, scope)
}

/** Throws 409 unless the document has the stored type or one of its bases, and 422 if it has fields that the stored type hides, or leaves them out. */
export function narrowUpdateToStoredType(
  { change, target, sent }: UpdateResourceIntent,
  stored: StoredType,
  { rules }: RequestScope,
): UpdateResourceIntent['change'] {
  if (isSameOrDerivedType(stored, change.type))
    return restrictInputToStoredType(
      change,
      { type: stored, request: 'update', isHidden: rules.isHidden },
      sent.pointer,
    )
  const detail = `Found '${change.type.name}', but the resource with id '${target.id}' is of type '${stored.name}'.`
  throw createJsonApiError('document.type-conflict', detail, { pointer: appendToPointer(sent.pointer, 'type') })
}

/** Returns true if the response must contain the resource. https://jsonapi.org/format/1.1/#crud-updating-responses */
export function updateResponseNeedsDocument(
  { query, preference }: UpdateResourceIntent,
  outcome: ExecutedWrite['outcome'],
  { options: { updates } }: ApiCore,
): boolean {
  if (outcome === 'modifiedByServer' || preference === 'representation') return true
  if (preference === 'minimal') return false
  return updates === 'document' || query.include !== undefined || query.fields.size > 0
}

export function toEndpointResultOfUpdatedRow(
  { plan, result }: ReadBackResult,
  intent: UpdateResourceIntent,
  scope: RequestScope,
): EndpointResult {
  const [row] = result.rows
  if (row === undefined) return toUnseenResult(intent, scope.core)
  const document = buildResourceResponseDocument({ plan, result, query: intent.query }, scope.requestUrl)
  return { status: 200, document, revisionToken: toRevisionToken(row, scope) }
}

/** Returns the result for a resource that the read rules hide from the client since the change. */
function toUnseenResult({ preference }: UpdateResourceIntent, { options: { updates } }: ApiCore): EndpointResult {
  const needsBody = updates === 'document' && preference !== 'minimal'
  return needsBody ? { status: 200, document: EMPTY_META_DOCUMENT } : NO_CONTENT
}
