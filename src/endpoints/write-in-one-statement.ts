import { NO_FIELD_HIDDEN_PREDICATE } from '../graph/model/capabilities'
import { keyFieldsNotWritableOnCreate } from '../graph/model/key-fields'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { planIdentifiersByIds, planResourceById } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import type { RelationshipChange } from '../plan/write-plan'
import type { RequestedLinkage } from '../records/parsed-resource-object'
import { findMissingFieldErrors } from '../request/body/assert-required-fields'
import type { CreateResourceIntent, UpdateResourceIntent } from '../request/intent/intent'
import type { ReadResult } from '../store/read-result'
import type { RequestScope } from './request-scope'

// Without hooks, the store may be able to find, check, write and read back one row in a single statement. The result is the same as with a
// transaction. All other requests, and those that will be rejected, run in a transaction. Reasons: docs/internals/decisions/007.

/** A row that was written, and the plan with which it was read. */
export interface ReadBackResult {
  readonly plan: ReadPlan
  readonly result: ReadResult
}

/** Returns `undefined` if nothing was written. */
export async function tryCreateInOneStatement(
  { type: endpointType, change, query, sent, preference }: CreateResourceIntent,
  scope: RequestScope,
): Promise<ReadBackResult | undefined> {
  const { type, id, attributes: values, relationships } = change
  if (endpointType !== type || preference === 'minimal' || needsTransaction(type, scope)) return undefined
  const relationshipChanges = toRelationshipChanges(relationships, scope)
  if (relationshipChanges === undefined) return undefined
  if (
    findMissingFieldErrors(type, new Set([...values.keys(), ...relationships.keys()]), sent, NO_FIELD_HIDDEN_PREDICATE)
      .length > 0
  )
    return undefined
  const plan = planResourceById(type, '', query, scope.rules)
  const readOnly = keyFieldsNotWritableOnCreate(type, scope.rules.isHidden)
  const write = { kind: 'create', type, id, values, relationshipChanges, readOnlyKeyFields: readOnly } as const
  const result = await scope.store.writeInOneStatement(write, plan)
  return result && { plan, result }
}

/** Returns `undefined` if nothing was written. `isShown`: whether the response has a document. */
export async function tryUpdateInOneStatement(
  { target: { type: endpointType, id }, change, query, condition }: UpdateResourceIntent,
  isShown: boolean,
  scope: RequestScope,
): Promise<ReadBackResult | undefined> {
  const { type, attributes: values, relationships } = change
  const isMatched = condition.kind === 'any' || (condition.kind === 'none' && type.ifMatch === 'optional')
  const isConditional = !isMatched || condition.except !== undefined
  if (endpointType !== type || isConditional || needsTransaction(type, scope)) return undefined
  if (scope.core.validators.hasChecks(type)) return undefined
  const relationshipChanges = toRelationshipChanges(relationships, scope)
  if (relationshipChanges === undefined || values.size + relationshipChanges.length === 0) return undefined
  const plan = isShown ? planResourceById(type, id, query, scope.rules) : planIdentifiersByIds(type, [id], scope.rules)
  const result = await scope.store.writeInOneStatement({ kind: 'update', type, id, values, relationshipChanges }, plan)
  return result && { plan, result }
}

/** Returns true if hooks run, several stored types are possible, or the write is part of a larger transaction. */
function needsTransaction(type: StoredType, { core, openTransaction, beforeCommit }: RequestScope): boolean {
  const isOnlyType = type.concreteTypes.length === 1
  return (
    openTransaction !== undefined || beforeCommit !== undefined || !isOnlyType || core.definitions.hasWriteHooks(type)
  )
}

/** Returns `undefined` if related resources have to be looked up first. */
function toRelationshipChanges(
  relationships: ReadonlyMap<Relationship, RequestedLinkage>,
  { core: { definitions } }: RequestScope,
): RelationshipChange[] | undefined {
  const changes: RelationshipChange[] = []
  for (const [relationship, linkage] of relationships) {
    if (linkage.kind === 'toMany' || definitions.hookedRelationships.hasInverseHook(relationship)) return undefined
    const { identifier } = linkage
    if (identifier === null) {
      changes.push({ relationship, mode: 'set', related: [] })
      continue
    }
    const type = identifier.kind === 'existing' ? onlyConcreteType(identifier.type) : undefined
    if (identifier.kind !== 'existing' || type === undefined || definitions.hasFilterHook(type)) return undefined
    changes.push({ relationship, mode: 'set', related: [{ type, id: identifier.id }] })
  }
  return changes
}

/** Returns the only stored type that rows of a declared type can have. */
function onlyConcreteType({ concreteTypes: [only, ...others] }: ResourceType): StoredType | undefined {
  return others.length === 0 ? only : undefined
}
