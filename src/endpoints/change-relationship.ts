import type { ResourceWrite } from '../definitions/resource-write'
import { assertNever } from '../errors/invariant'
import { planIdentifiersByIds, planLinkageRead, withRevisionSources } from '../plan/plan-read'
import { EMPTY_QUERY } from '../query/tree/ast'
import type { ResourceRecord } from '../records/resource-record'
import type {
  AddToRelationshipIntent,
  RemoveFromRelationshipIntent,
  SetRelationshipIntent,
} from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import { buildRelationshipResponseDocument, profilesAppliedByPlan } from '../response/to-document'
import type { HookProcessedRelationshipChange } from './apply-relationship-hooks'
import { assertPreconditions } from './assert-preconditions'
import { type ExecutedWrite, runWriteHooksAndStatements } from './execute-write'
import { linkageRevisionToken } from './linkage-revisions'
import {
  findRecordsByIdentifiers,
  identifiersInLinkage,
  loadRecordsByIdentifiers,
  type ResolvedRelationshipChange,
} from './load-related-records-of-write'
import {
  getVisibleCandidateRelationship,
  loadAndLockRequestedResource,
  resourceRowToRecord,
} from './load-requested-resource'
import type { RequestScope, WriteContext } from './request-scope'
import { runWriteInTransaction } from './run-in-transaction'

type ChangeRelationshipIntent = SetRelationshipIntent | AddToRelationshipIntent | RemoveFromRelationshipIntent

/**
 * PATCH, POST and DELETE /humans/1/relationships/children. DELETE ignores resources that are no members.
 * https://jsonapi.org/format/1.1/#crud-updating-relationships
 */
export function handleChangeRelationship(
  intent: ChangeRelationshipIntent,
  scope: RequestScope,
): Promise<EndpointResult> {
  return runWriteInTransaction(intent, { execute: executeChange, toResult: toChangedResult }, scope)
}

async function executeChange(intent: ChangeRelationshipIntent, writeContext: WriteContext): Promise<ExecutedWrite> {
  const row = await loadAndLockRequestedResource(intent.target, writeContext)
  const stored = resourceRowToRecord(row)
  const change = await resolveRelationshipChange(intent, stored, writeContext)
  await assertPreconditions(intent.condition, row, change.relationship, writeContext)
  return runWriteHooksAndStatements(
    { kind: intent.kind, type: stored.type, stored, attributes: new Map(), relationshipChanges: [change] },
    writeContext,
  )
}

async function resolveRelationshipChange(
  intent: ChangeRelationshipIntent,
  { type }: ResourceRecord,
  writeContext: WriteContext,
): Promise<ResolvedRelationshipChange> {
  const { rules } = writeContext.scope
  switch (intent.kind) {
    case 'setRelationship': {
      const { relationship, value } = getVisibleCandidateRelationship(intent.candidates, type, rules)
      return {
        relationship,
        mode: 'set',
        related: await loadRecordsByIdentifiers({ type, relationship }, identifiersInLinkage(value), writeContext),
      }
    }
    case 'addToRelationship': {
      const { relationship, value } = getVisibleCandidateRelationship(intent.candidates, type, rules)
      const related = await loadRecordsByIdentifiers({ type, relationship }, value, writeContext)
      return { relationship, mode: 'add', related }
    }
    case 'removeFromRelationship': {
      const { relationship, value } = getVisibleCandidateRelationship(intent.candidates, type, rules)
      return {
        relationship,
        mode: 'remove',
        related: await findRecordsByIdentifiers({ type, relationship }, value, writeContext),
      }
    }
    default:
      return assertNever(intent)
  }
}

/** Returns the linkage if the client prefers it, or if a hook or listener may have changed it. Otherwise returns 204. */
function toChangedResult(
  { preference }: ChangeRelationshipIntent,
  { write, relationshipChanges: [change] }: ExecutedWrite,
  writeContext: WriteContext,
): EndpointResult | Promise<EndpointResult> {
  if (change === undefined) return NO_CONTENT
  const { relationship, decidedBy } = change
  // What listeners do to other relationships is not written.
  const isChangedByListeners = relationship.kind === 'toOne' && relationship.holdsKey && write.type.hasUpdateListeners
  const hasDocument = preference === 'representation' || decidedBy === 'rule' || isChangedByListeners
  return hasDocument ? readLinkageBack(write, change, writeContext) : NO_CONTENT
}

async function readLinkageBack(
  { type, id }: Pick<ResourceWrite, 'type' | 'id'>,
  { relationship }: HookProcessedRelationshipChange,
  { transaction, scope }: WriteContext,
): Promise<EndpointResult> {
  const { rules, requestUrl } = scope
  const plan = planLinkageRead({ type, id }, relationship, EMPTY_QUERY, rules)
  const result = await transaction.read(plan, 'noLock')
  const source = { type, id, relationship, includesPrimary: false }
  const document = buildRelationshipResponseDocument({ plan, result, query: EMPTY_QUERY }, source, requestUrl)
  // Since the change, the read rules may hide the resource from the client.
  const [row] = (await transaction.read(withRevisionSources(planIdentifiersByIds(type, [id], rules)), 'noLock')).rows
  const revisionToken = row && linkageRevisionToken(row, relationship, { name: '', result }, scope)
  return { status: 200, document, profiles: profilesAppliedByPlan(plan), revisionToken }
}
