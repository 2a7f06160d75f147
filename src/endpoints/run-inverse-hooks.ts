import { assertHookResult } from '../definitions/hook-results'
import type { RecordOrIdentifier } from '../definitions/hook-return-types'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import { createJsonApiError, JsonApiError } from '../errors/json-api-error'
import { isSameOrDerivedType, selfAndAncestors } from '../graph/model/inheritance'
import { inversesOf, type Relationship } from '../graph/model/resource-graph'
import {
  planIdentifiersIncludingHiddenRows,
  planReadOfReferencingRecordsWithRelated,
  planRecordsReferencingIds,
  planRelatedIncludingHiddenRows,
} from '../plan/plan-read'
import type { ResourceRecord } from '../records/resource-record'
import { findRelatedRowsPageByRelationship } from '../store/read-result'
import type { HookProcessedRelationshipChange } from './apply-relationship-hooks'
import { resourceRowToRecord } from './load-requested-resource'
import type { WriteContext } from './request-scope'
import { isRecordOfWrite, toResourceRecordFromWrite } from './to-resource-record-from-write'

/**
 * Calls the relationship hooks of all relationships that change although the request writes another one. These are those of the resources at
 * the other end, of those that lose a related resource, of those that refer to a deleted one, and those of the written resource that are stored
 * with the sent one. Each hook runs for the stored type of its resource, hidden or not, and can accept or reject the change. See
 * docs/guide/rules.md. The number of statements depends on the relationships; it is 0 without such hooks.
 */
export async function runInverseHooks(
  write: ResourceWrite,
  relationshipChanges: readonly HookProcessedRelationshipChange[],
  writeContext: WriteContext,
): Promise<void> {
  const hookContext: InverseHookContext = { write, relationshipChanges, writeContext }
  if (write.kind === 'delete') {
    for (const relationship of hookedRelationshipsOf(hookContext).pointingTo(write.type))
      await runHooksOfReferences(relationship, hookContext)
    return
  }
  for (const each of relationshipChanges) await runHooksOfRelationshipChange(each, hookContext)
}

interface InverseHookContext {
  /** The write with the values that will be stored. */
  readonly write: ResourceWrite
  readonly relationshipChanges: readonly HookProcessedRelationshipChange[]
  readonly writeContext: WriteContext
}

function hookedRelationshipsOf({ writeContext }: InverseHookContext) {
  return writeContext.scope.core.definitions.hookedRelationships
}

/** A change of a relationship that the request does not write itself. */
interface InverseChange {
  readonly record: ResourceRecord
  /** The relationship of this resource. */
  readonly relationship: Relationship
  readonly change: 'linked' | 'unlinked'
  /** The resources that are linked or unlinked. */
  readonly others: readonly ResourceRecord[]
  /** The relationship that the client has sent; `undefined` without a document. */
  readonly sentAs: Relationship | undefined
}

/** Calls the hooks of the resources that refer to a deleted one, because the deletion removes it from their relationships. */
async function runHooksOfReferences(relationship: Relationship, hookContext: InverseHookContext): Promise<void> {
  const { write, writeContext } = hookContext
  const self = toResourceRecordFromWrite(write)
  const plan = planRecordsReferencingIds(
    relationship,
    [self.id],
    hookedRelationshipsOf(hookContext).typesOf(relationship),
  )
  for (const row of (await writeContext.transaction.read(plan, 'lock')).rows) {
    const record = resourceRowToRecord(row)
    if (isRecordOfWrite(record, write)) continue
    await runHookOf({ record, relationship, change: 'unlinked', others: [self], sentAs: undefined }, hookContext)
  }
}

async function runHooksOfRelationshipChange(
  relationshipChange: HookProcessedRelationshipChange,
  hookContext: InverseHookContext,
): Promise<void> {
  const { relationship } = relationshipChange
  const hookedRelationships = hookedRelationshipsOf(hookContext)
  if (!hookedRelationships.hasInverseHook(relationship)) return
  const ofOwners = hookedRelationships.ofOwnersIn(relationship)
  const ofSelf = relationship.storedTogether.filter((each) =>
    hookedRelationships.typesOf(each).includes(hookContext.write.type),
  )
  const { removed, added } = await findChangedMembers(relationshipChange, hookContext)
  for (const each of ofSelf) await runHooksOfSelf(each, { removed, added }, relationship, hookContext)
  for (const record of removed) await runHooksOfRelated({ record, change: 'unlinked' }, relationship, hookContext)
  await runHooksOfOwners({ relationship, ofOwners, added }, hookContext)
  for (const record of added) await runHooksOfRelated({ record, change: 'linked' }, relationship, hookContext)
}

/** Calls the hooks of a relationship of the written resource that is stored together with the sent one. */
async function runHooksOfSelf(
  relationship: Relationship,
  { removed, added }: ChangedMembers,
  sentAs: Relationship,
  hookContext: InverseHookContext,
): Promise<void> {
  const ofTarget = (members: readonly ResourceRecord[]) =>
    members.filter(({ type }) => isSameOrDerivedType(type, relationship.target))
  const [unlinked, linked] = [ofTarget(removed), ofTarget(added)]
  const common = { record: toResourceRecordFromWrite(hookContext.write), relationship, sentAs }
  const isReplaced = relationship.kind === 'toOne' && linked.length > 0
  if (!isReplaced) await runHookOf({ ...common, change: 'unlinked', others: unlinked }, hookContext)
  await runHookOf({ ...common, change: 'linked', others: linked }, hookContext)
}

/** Calls the hooks of a related resource. Its stored type decides which relationships lead back. */
async function runHooksOfRelated(
  { record, change }: Pick<InverseChange, 'record' | 'change'>,
  sentAs: Relationship,
  hookContext: InverseHookContext,
): Promise<void> {
  const others = [toResourceRecordFromWrite(hookContext.write)]
  for (const relationship of inversesOf(sentAs, record.type)) {
    // An inverse can lead to some of the types only that inherit the sent relationship.
    const canLead = isSameOrDerivedType(hookContext.write.type, relationship.target)
    // A relationship that is its own inverse is stored in one direction. A link does not change the other end.
    if (!canLead || relationship === sentAs) continue
    await runHookOf({ record, relationship, change, others, sentAs }, hookContext)
  }
}

interface ChangedMembers {
  readonly removed: readonly ResourceRecord[]
  readonly added: readonly ResourceRecord[]
}

/** Returns the members that a write adds and removes. Adding a present member or removing an absent one changes nothing. */
async function findChangedMembers(
  { relationship, mode, records, replaced }: HookProcessedRelationshipChange,
  { write, writeContext }: InverseHookContext,
): Promise<ChangedMembers> {
  if (write.previous === undefined) return { removed: [], added: records }
  const requestedIds = new Set(records.map(({ id }) => id))
  if (mode !== 'set' && requestedIds.size === 0) return { removed: [], added: [] }
  const plan = planRelatedIncludingHiddenRows(
    write.previous,
    relationship,
    mode === 'set' ? undefined : [...requestedIds],
  )
  const present = (await writeContext.transaction.read(plan, 'lock')).rows.map(resourceRowToRecord)
  if (mode === 'remove') return { removed: present, added: [] }
  const members = new Set(present.map(({ id }) => id))
  const added = records.filter(({ id }) => !members.has(id))
  if (mode === 'add') return { removed: [], added }
  const replaceable = replaced && new Set(replaced.map((record) => record !== 'self' && record.id))
  const isRemoved = ({ id }: ResourceRecord) => !requestedIds.has(id) && (replaceable?.has(id) ?? true)
  return { removed: present.filter(isRemoved), added }
}

interface TakenMembers {
  /** The relationship that the client has sent. */
  readonly relationship: Relationship
  /** The hooked relationships of the owners. Their types may differ from the type of the written resource. */
  readonly ofOwners: readonly Relationship[]
  readonly added: readonly ResourceRecord[]
}

/** Calls the hooks of the resources that lose a member, because it can belong to only one resource. */
async function runHooksOfOwners(
  { relationship, ofOwners, added }: TakenMembers,
  hookContext: InverseHookContext,
): Promise<void> {
  const { write, writeContext } = hookContext
  // A new resource has no owner.
  const linked = added.filter((record) => write.previous !== undefined || !isRecordOfWrite(record, write))
  if (linked.length === 0 || ofOwners.length === 0) return
  const ids = linked.map(({ id }) => id)
  // These rows are locked now, so no other write links them.
  await writeContext.transaction.read(planIdentifiersIncludingHiddenRows(relationship.target, ids), 'lock')
  for (const ofOwner of ofOwners) {
    const taken = linked.filter(({ type }) => isSameOrDerivedType(type, ofOwner.target))
    if (taken.length > 0) await runHooksOfOwnersThrough(ofOwner, taken, relationship, hookContext)
  }
}

async function runHooksOfOwnersThrough(
  relationship: Relationship,
  taken: readonly ResourceRecord[],
  sentAs: Relationship,
  hookContext: InverseHookContext,
): Promise<void> {
  const { write, writeContext } = hookContext
  const ids = taken.map(({ id }) => id)
  const planFor = relationship.kind === 'toOne' ? planRecordsReferencingIds : planReadOfReferencingRecordsWithRelated
  const { rows } = await writeContext.transaction.read(
    planFor(relationship, ids, hookedRelationshipsOf(hookContext).typesOf(relationship)),
    'lock',
  )
  for (const row of rows) {
    const record = resourceRowToRecord(row)
    if (isRecordOfWrite(record, write)) continue
    const members = new Set(findRelatedRowsPageByRelationship(row.related, relationship)?.rows.map(({ id }) => id))
    const others = relationship.kind === 'toOne' ? taken : taken.filter(({ id }) => members.has(id))
    await runHookOf({ record, relationship, change: 'unlinked', others, sentAs }, hookContext)
  }
}

async function runHookOf(inverseChange: InverseChange, hookContext: InverseHookContext): Promise<void> {
  const { relationship, change, sentAs } = inverseChange
  const { write, relationshipChanges } = hookContext
  // The written resource can be at both ends. The record that was loaded for the relationship change has the values from before the write.
  const withFinalValues = (each: ResourceRecord) =>
    isRecordOfWrite(each, write) ? toResourceRecordFromWrite(write) : each
  const record = withFinalValues(inverseChange.record)
  if (!hookedRelationshipsOf(hookContext).typesOf(relationship).includes(record.type)) return
  // The hook has run already for the related resources that the client sent in both relationships.
  const sent = isRecordOfWrite(record, write)
    ? relationshipChanges.find((each) => each.relationship === relationship)
    : undefined
  const isAsSent = ({ id }: ResourceRecord) => sent?.records.some((each) => each.id === id) === (change === 'linked')
  const others = inverseChange.others.filter((other) => !isAsSent(other)).map(withFinalValues)
  if (others.length === 0) return
  try {
    await callInverseHook({ ...inverseChange, record, others }, hookContext)
  } catch (error) {
    throw error instanceof JsonApiError ? withPointerTo(sentAs, error) : error
  }
}

async function callInverseHook(
  { record, relationship, change, others }: InverseChange,
  { write, writeContext }: InverseHookContext,
): Promise<void> {
  const definition = writeContext.scope.core.definitions.of(record.type)
  const { name } = relationship
  if (relationship.kind === 'toOne') {
    const [related = null] = change === 'linked' ? others : []
    const returned = await definition.setToOne(toInverseWrite(record, 'setRelationship', write), name, related)
    const choice = assertHookResult(returned, 'setToOne', definition, record.type)
    if (choice !== undefined) assertUnchanged(related === null ? [] : [related], choice === null ? [] : [choice])
    return
  }
  const [hook, kind] = TO_MANY_HOOKS[change]
  const returned = await definition[hook](toInverseWrite(record, kind, write), name, others)
  const choices = assertHookResult(returned, hook, definition, record.type) ?? undefined
  if (choices !== undefined) assertUnchanged(others, choices)
}

const TO_MANY_HOOKS = {
  linked: ['addToMany', 'addToRelationship'],
  unlinked: ['removeFromMany', 'removeFromRelationship'],
} as const

/** Returns the write as a change of this resource's relationship, without fields that the client sent. */
function toInverseWrite(record: ResourceRecord, kind: WriteKind, write: ResourceWrite): ResourceWrite {
  const { id, type, instance } = record
  const origin = { kind: write.kind, type: write.type, id: write.id }
  const previous = isRecordOfWrite(record, write) ? write.previous : record
  const own = { kind, type, id, previous, values: instance }
  return { ...write, ...own, origin, sentFields: NOTHING_SENT, relationships: NO_RELATIONSHIPS }
}

const NOTHING_SENT: ResourceWrite['sentFields'] = new Set()
const NO_RELATIONSHIPS: ResourceWrite['relationships'] = {}

/** Throws if a hook returns other resources: this end can't be written by the request. */
function assertUnchanged(requested: readonly ResourceRecord[], choices: readonly RecordOrIdentifier[]): void {
  const byId = new Map(requested.map((record) => [record.id, record]))
  const chosenIds = new Set(choices.map(({ id }) => id))
  if (chosenIds.size === byId.size && choices.every((choice) => isChoiceOf(choice, byId.get(choice.id)))) return
  const detail =
    'A rule of a relationship that changes with this one requires another change. Send it to that relationship.'
  throw createJsonApiError('rule.rejected', detail)
}

/** Returns true if a hook chose this record, which has the same id. An identifier may name its type or a base of it. */
function isChoiceOf({ type }: RecordOrIdentifier, record: ResourceRecord | undefined): boolean {
  const chosenType = typeof type === 'string' ? type : type.name
  return record !== undefined && selfAndAncestors(record.type).some(({ name }) => name === chosenType)
}

/** Replaces the fields in errors: the client has not sent those of the other end, but this relationship. */
function withPointerTo(sentAs: Relationship | undefined, { errors }: JsonApiError): JsonApiError {
  const requestedIds = sentAs === undefined ? {} : { field: sentAs.name }
  return new JsonApiError(errors.map(({ field: _field, source: _source, ...rest }) => ({ ...rest, ...requestedIds })))
}
