import { getOrCompute } from '../cache/get-or-compute'
import { assertHookResult } from '../definitions/hook-results'
import type { RecordOrIdentifier } from '../definitions/hook-return-types'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import { createJsonApiError, JsonApiError } from '../errors/json-api-error'
import { rootTypeOf, selfAndAncestors } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import type { StoredRecord } from '../records/stored-record'
import type { DecidedRelationshipChange } from './call-relationship-hooks'
import type { WriteContext } from './request-scope'

export interface InverseHookContext {
  /** The write with the values that will be stored. */
  readonly write: ResourceWrite
  readonly links: readonly DecidedRelationshipChange[]
  readonly writeContext: WriteContext
  /** The calls of each relationship's hooks. Several relationships in the same columns can lead to the same call. */
  readonly finishedCalls: Map<Relationship, Set<string>>
}

export function hookedRelationshipsOf({ writeContext }: InverseHookContext) {
  return writeContext.scope.core.definitions.hookedRelationships
}

/** A change of a relationship of a resource that the request does not write itself. */
export interface InverseChange {
  readonly record: StoredRecord
  /** The relationship of this resource. */
  readonly relationship: Relationship
  readonly change: 'linked' | 'unlinked'
  /** The resources that are linked or unlinked. */
  readonly others: readonly StoredRecord[]
  /** The relationship that the client has sent; `undefined` without a document. */
  readonly sentAs: Relationship | undefined
  /** The write that the hook receives, if the resource is the one that the client writes. */
  readonly ownWrite?: ResourceWrite
}

/** Calls the hook of a relationship for one resource, if it has one. Its errors point to what the client has sent. */
export async function runHookOf(inverseChange: InverseChange, hookContext: InverseHookContext): Promise<void> {
  const { record, relationship, sentAs } = inverseChange
  const { write, links } = hookContext
  if (!hookedRelationshipsOf(hookContext).typesOf(relationship).includes(record.type)) return
  // The hook has run already if the client sent both ends of a link between a resource and itself.
  if (isWrittenRecord(record, write) && links.some((link) => link.relationship === relationship)) return
  if (!isFirstCall(inverseChange, hookContext)) return
  try {
    await callInverseHook(inverseChange, hookContext)
  } catch (error) {
    throw error instanceof JsonApiError ? withPointerTo(sentAs, error) : error
  }
}

function isFirstCall(
  { record, relationship, change, others }: InverseChange,
  { finishedCalls }: InverseHookContext,
): boolean {
  const calls = getOrCompute(finishedCalls, relationship, () => new Set())
  const { size } = calls
  return calls.add(JSON.stringify([change, record.id, ...others.map(({ id }) => id)])).size > size
}

async function callInverseHook(
  { record, relationship, change, others, ownWrite }: InverseChange,
  { write, writeContext }: InverseHookContext,
): Promise<void> {
  const definition = writeContext.scope.core.definitions.of(record.type)
  const { name } = relationship
  const writeOf = (kind: WriteKind) => ownWrite ?? toInverseWrite(record, kind, write)
  if (relationship.kind === 'toOne') {
    const [related = null] = change === 'linked' ? others : []
    const returned = await definition.setToOne(writeOf('setRelationship'), name, related)
    const choice = assertHookResult(returned, 'setToOne', definition, record.type)
    if (choice !== undefined) assertUnchanged(related === null ? [] : [related], choice === null ? [] : [choice])
    return
  }
  const [hook, kind] = TO_MANY_HOOKS[change]
  const returned = await definition[hook](writeOf(kind), name, others)
  const choices = assertHookResult(returned, hook, definition, record.type) ?? undefined
  if (choices !== undefined) assertUnchanged(others, choices)
}

const TO_MANY_HOOKS = {
  linked: ['addToMany', 'addToRelationship'],
  unlinked: ['removeFromMany', 'removeFromRelationship'],
} as const

/** Returns the write as a change of this resource's relationship, without fields that the client sent. */
function toInverseWrite(record: StoredRecord, kind: WriteKind, write: ResourceWrite): ResourceWrite {
  const { id, type, instance } = record
  const origin = { kind: write.kind, type: write.type, id: write.id }
  const own = { kind, type, id, previous: record, values: instance }
  return { ...write, ...own, origin, sentFields: NOTHING_SENT, relationships: NO_RELATIONSHIPS }
}

const NOTHING_SENT: ResourceWrite['sentFields'] = new Set()
const NO_RELATIONSHIPS: ResourceWrite['relationships'] = {}

/** Throws if a hook returns other resources: this end can't be written by the request. */
function assertUnchanged(requested: readonly StoredRecord[], choices: readonly RecordOrIdentifier[]): void {
  const byId = new Map(requested.map((record) => [record.id, record]))
  const chosenIds = new Set(choices.map(({ id }) => id))
  if (chosenIds.size === byId.size && choices.every((choice) => isChoiceOf(choice, byId.get(choice.id)))) return
  const detail =
    'A rule of another relationship that changes as well requires another change. Send it to that relationship.'
  throw createJsonApiError('rule.rejected', detail)
}

/** Returns true if a hook chose this record, which has the same id. An identifier may name its type or a base of it. */
function isChoiceOf({ type }: RecordOrIdentifier, record: StoredRecord | undefined): boolean {
  const chosenType = typeof type === 'string' ? type : type.name
  return record !== undefined && selfAndAncestors(record.type).some(({ name }) => name === chosenType)
}

/** Replaces the fields in errors: the client has not sent those of the other end, but this relationship. */
function withPointerTo(sentAs: Relationship | undefined, { errors }: JsonApiError): JsonApiError {
  const requestedIds = sentAs === undefined ? {} : { field: sentAs.name }
  return new JsonApiError(errors.map(({ field: _field, source: _source, ...rest }) => ({ ...rest, ...requestedIds })))
}

export function isWrittenRecord({ type, id }: StoredRecord, write: ResourceWrite): boolean {
  return id === write.id && rootTypeOf(type) === rootTypeOf(write.type)
}
