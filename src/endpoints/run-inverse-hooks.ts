import type { Definitions } from '../definitions/definitions'
import type { RelatedResourceChoice } from '../definitions/resource-definition'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { rootOf } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import { planAny, planLeading, planLinked, planOwners } from '../plan/plan-read'
import type { StoredRecord } from '../records/stored-record'
import type { WriteContext } from './find-related'
import type { ReplacementLink } from './find-replaced'
import { toStoredRecord } from './find-target'

/**
 * Asks the rules of all resources to which a write is a change of a relationship of theirs, though the request names another end of it:
 * those at the other end, those that lose a related resource to the one that is written, and those that refer to what is deleted. Each is
 * asked under its stored type, seen by the client or not, as if its own relationship had been written; it can agree or refuse.
 * Docs: docs/guide/rules.md. The number of statements follows from the relationships; where there is no such rule it is 0.
 */
export async function runInverseHooks(
  write: ResourceWrite,
  links: readonly ReplacementLink[],
  definitions: Definitions,
  writeContext: WriteContext,
): Promise<void> {
  const hookContext: InverseHookContext = { write, links, definitions, writeContext }
  if (write.kind === 'delete') {
    for (const relationship of definitions.hookedRelationships.pointingTo(write.type))
      await runHooksOfReferences(relationship, hookContext)
    return
  }
  for (const link of links) await runHooksOfLink(link, hookContext)
}

interface InverseHookContext {
  /** With the values that will be stored. */
  readonly write: ResourceWrite
  readonly links: readonly ReplacementLink[]
  readonly definitions: Definitions
  readonly writeContext: WriteContext
}

/** What a write is to a resource that it does not name as the one to be written. */
interface InverseChange {
  readonly record: StoredRecord
  /** Of this resource. */
  readonly relationship: Relationship
  readonly change: 'linked' | 'unlinked'
  /** What it is linked to now, or no longer. */
  readonly others: readonly StoredRecord[]
  /** What the client has sent; `undefined`: it has sent no document. */
  readonly sentAs: Relationship | undefined
}

/** The deletion of a resource empties every relationship that leads to it. */
async function runHooksOfReferences(relationship: Relationship, hookContext: InverseHookContext): Promise<void> {
  const { write, definitions, writeContext } = hookContext
  const self = toRecord(write)
  const plan = planLeading(relationship, [self.id], definitions.hookedRelationships.typesOf(relationship))
  for (const row of (await writeContext.transaction.read(plan, 'lock')).rows) {
    const record = toStoredRecord(row)
    if (isWrittenRecord(record, write)) continue
    await runHookOf({ record, relationship, change: 'unlinked', others: [self], sentAs: undefined }, hookContext)
  }
}

async function runHooksOfLink(link: ReplacementLink, hookContext: InverseHookContext): Promise<void> {
  const { relationship } = link
  const { hookedRelationships } = hookContext.definitions
  const { inverse } = relationship
  // What is its own inverse is stored in one direction: the other end has a link of its own.
  const isEndAsked =
    inverse !== undefined && inverse !== relationship && hookedRelationships.typesOf(inverse).length > 0
  const isOwnerAsked = relationship.isExclusive && hookedRelationships.typesOf(relationship).length > 0
  if (!isEndAsked && !isOwnerAsked) return
  const { removed, added } = await findChangedMembers(link, hookContext)
  const others = [toRecord(hookContext.write)]
  const ends = { relationship: inverse ?? relationship, others, sentAs: relationship }
  if (isEndAsked) for (const record of removed) await runHookOf({ ...ends, record, change: 'unlinked' }, hookContext)
  if (isOwnerAsked) await runHooksOfOwners(relationship, added, hookContext)
  if (isEndAsked) for (const record of added) await runHookOf({ ...ends, record, change: 'linked' }, hookContext)
}

interface ChangedMembers {
  readonly removed: readonly StoredRecord[]
  readonly added: readonly StoredRecord[]
}

/** What is a member already, and what is none, is no change. */
async function findChangedMembers(
  { relationship, mode, records, replaced }: ReplacementLink,
  { write, writeContext }: InverseHookContext,
): Promise<ChangedMembers> {
  if (write.previous === undefined) return { removed: [], added: records }
  const named = new Set(records.map(({ id }) => id))
  if (mode !== 'set' && named.size === 0) return { removed: [], added: [] }
  const plan = planLinked(write.previous, relationship, mode === 'set' ? undefined : [...named])
  const present = (await writeContext.transaction.read(plan, 'lock')).rows.map(toStoredRecord)
  if (mode === 'remove') return { removed: present, added: [] }
  const members = new Set(present.map(({ id }) => id))
  const added = records.filter(({ id }) => !members.has(id))
  if (mode === 'add') return { removed: [], added }
  const replaceable = replaced && new Set(replaced.map((right) => right !== 'self' && right.id))
  const isRemoved = ({ id }: StoredRecord) => !named.has(id) && (replaceable?.has(id) ?? true)
  return { removed: present.filter(isRemoved), added }
}

/** What belongs to one resource at most leaves the one that it belongs to. */
async function runHooksOfOwners(
  relationship: Relationship,
  added: readonly StoredRecord[],
  hookContext: InverseHookContext,
): Promise<void> {
  const { write, definitions, writeContext } = hookContext
  // What is created belongs to nothing yet.
  const taken = added.filter((record) => write.previous !== undefined || !isWrittenRecord(record, write))
  if (taken.length === 0) return
  const ids = taken.map(({ id }) => id)
  // These rows are locked now, so no other write links them.
  await writeContext.transaction.read(planAny(relationship.target, ids), 'lock')
  const planFor = relationship.kind === 'toOne' ? planLeading : planOwners
  const { rows } = await writeContext.transaction.read(
    planFor(relationship, ids, definitions.hookedRelationships.typesOf(relationship)),
    'lock',
  )
  for (const row of rows) {
    const record = toStoredRecord(row)
    if (isWrittenRecord(record, write)) continue
    const members = new Set(row.related.get(relationship)?.rows.map(({ id }) => id))
    const others = relationship.kind === 'toOne' ? taken : taken.filter(({ id }) => members.has(id))
    await runHookOf({ record, relationship, change: 'unlinked', others, sentAs: relationship }, hookContext)
  }
}

async function runHookOf(consequence: InverseChange, hookContext: InverseHookContext): Promise<void> {
  const { record, relationship, sentAs } = consequence
  const { write, links, definitions } = hookContext
  if (!definitions.hookedRelationships.typesOf(relationship).includes(record.type)) return
  // Of what was sent for both ends of a link between a resource and itself, the hook has been asked.
  if (isWrittenRecord(record, write) && links.some((link) => link.relationship === relationship)) return
  try {
    await callInverseHook(consequence, hookContext)
  } catch (error) {
    throw error instanceof JsonApiError ? withPointerTo(sentAs, error) : error
  }
}

async function callInverseHook(
  { record, relationship, change, others }: InverseChange,
  { write, definitions }: InverseHookContext,
): Promise<void> {
  const definition = definitions.of(record.type)
  const { name } = relationship
  if (relationship.kind === 'toOne') {
    const [right = null] = change === 'linked' ? others : []
    const choice = await definition.setToOne(toInverseWrite(record, 'setRelationship', write), name, right)
    if (choice !== undefined) checkUnchanged(right === null ? [] : [right], choice === null ? [] : [choice])
    return
  }
  const choices =
    change === 'linked'
      ? await definition.addToMany(toInverseWrite(record, 'addToRelationship', write), name, others)
      : await definition.removeFromMany(toInverseWrite(record, 'removeFromRelationship', write), name, others)
  if (choices !== undefined) checkUnchanged(others, choices)
}

/** The same write as one of a relationship of this resource, for which the client has sent nothing. */
function toInverseWrite(record: StoredRecord, kind: WriteKind, write: ResourceWrite): ResourceWrite {
  const { id, type, instance } = record
  const origin = { kind: write.kind, type: write.type, id: write.id }
  const own = { kind, type, id, previous: record, values: instance }
  return { ...write, ...own, origin, sentFields: NOTHING_SENT, relationships: NO_RELATIONSHIPS }
}

const NOTHING_SENT: ResourceWrite['sentFields'] = new Set()
const NO_RELATIONSHIPS: ResourceWrite['relationships'] = new Map()

/** Another value would have to be written at this end, which the request is not about. */
function checkUnchanged(asked: readonly StoredRecord[], choices: readonly RelatedResourceChoice[]): void {
  const ids = new Set(choices.map(({ id }) => id))
  if (ids.size === asked.length && asked.every(({ id }) => ids.has(id))) return
  const detail = 'A rule of the resource at the other end wants another change. Ask for it at that end.'
  throw new JsonApiError([clientError('rule.rejected', detail)])
}

/** The rule knows the names and places of its own end, the client what it has sent. */
function withPointerTo(sentAs: Relationship | undefined, { errors }: JsonApiError): JsonApiError {
  const named = sentAs === undefined ? {} : { field: sentAs.name }
  return new JsonApiError(errors.map(({ field: _field, source: _source, ...rest }) => ({ ...rest, ...named })))
}

function toRecord({ type, id, values }: ResourceWrite): StoredRecord {
  return { type, id, instance: values }
}

function isWrittenRecord({ type, id }: StoredRecord, write: ResourceWrite): boolean {
  return id === write.id && rootOf(type) === rootOf(write.type)
}
