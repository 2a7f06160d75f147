import type { ResourceWrite } from '../definitions/resource-write'
import { isSameOrDerivedType, rootTypeOf } from '../graph/model/inheritance'
import { decodeIdToRuntimeKey, encodeRuntimeKeyToId } from '../graph/model/record-id'
import { inversesOf, type Relationship, type ResourceType } from '../graph/model/resource-graph'
import { relationshipsChangedWith, relationshipsLeadingBack } from '../graph/model/stored-together'
import {
  planIdentifiersIncludingHiddenRows,
  planRecordsIncludingHiddenRows,
  planRecordsReferencingIds,
  planRecordsWithReferencedIds,
  planRelatedIncludingHiddenRows,
} from '../plan/plan-read'
import type { StoredRecord } from '../records/stored-record'
import { findLoadedRelatedRows } from '../store/read-result'
import {
  hookedRelationshipsOf,
  type InverseChange,
  type InverseHookContext,
  isWrittenRecord,
  runHookOf,
} from './call-inverse-hook'
import type { DecidedRelationshipChange } from './call-relationship-hooks'
import { resourceRowToStoredRecord } from './load-requested-resource'
import type { WriteContext } from './request-scope'

/**
 * Calls the relationship hooks of all resources whose relationship changes although the request writes another resource. These are the
 * resources at the other end, those that lose a related resource, and those that refer to a deleted one. Each hook runs for the stored type of
 * its resource, hidden or not, and can accept or reject the change. See docs/guide/rules.md. The number of statements depends on the
 * relationships; it is 0 without such hooks.
 */
export async function runInverseHooks(
  write: ResourceWrite,
  links: readonly DecidedRelationshipChange[],
  writeContext: WriteContext,
): Promise<void> {
  const hookContext: InverseHookContext = { write, links, writeContext, finishedCalls: new Map() }
  if (write.kind === 'delete') {
    for (const relationship of hookedRelationshipsOf(hookContext).pointingTo(write.type))
      await runHooksOfReferences(relationship, hookContext)
    return
  }
  for (const link of links) await runHooksOfLink(link, { ...hookContext, sentAs: link.relationship })
  const sent = links.map(({ relationship }) => relationship)
  for (const link of links) {
    for (const relationship of relationshipsChangedWith(sent, write.type)) {
      if (link.relationship.storedTogether.includes(relationship))
        await runHooksStoredTogether({ relationship, link }, hookContext)
    }
  }
}

/** Calls the hooks of the resources that refer to a deleted one, because the deletion removes it from their relationships. */
async function runHooksOfReferences(relationship: Relationship, hookContext: InverseHookContext): Promise<void> {
  const { write, writeContext } = hookContext
  const self = toRecord(write)
  const plan = planRecordsReferencingIds(
    relationship,
    [self.id],
    hookedRelationshipsOf(hookContext).typesOf(relationship),
  )
  for (const row of (await writeContext.transaction.read(plan, 'lock')).rows) {
    const record = resourceRowToStoredRecord(row)
    if (isWrittenRecord(record, write)) continue
    await runHookOf({ record, relationship, change: 'unlinked', others: [self], sentAs: undefined }, hookContext)
  }
}

interface LinkHookContext extends InverseHookContext {
  /** The relationship that the client has sent. */
  readonly sentAs: Relationship
}

async function runHooksOfLink(link: DecidedRelationshipChange, hookContext: LinkHookContext): Promise<void> {
  const { relationship } = link
  const hookedRelationships = hookedRelationshipsOf(hookContext)
  const ofOwners = hookedRelationships.ofOwnersIn(relationship)
  if (ofOwners.length === 0 && !hookedRelationships.existAtOtherEndOf(relationship)) return
  const { removed, added } = await findChangedMembers(link, hookContext)
  await runHooksOfRelated({ relationship, records: removed, change: 'unlinked' }, hookContext)
  await runHooksOfOwners({ relationship, ofOwners, added }, hookContext)
  await runHooksOfRelated({ relationship, records: added, change: 'linked' }, hookContext)
}

interface RelatedChange extends Pick<InverseChange, 'change'> {
  /** The relationship of the written resource. */
  readonly relationship: Relationship
  /** The related resources. */
  readonly records: readonly StoredRecord[]
}

/** Calls the hooks of related resources. The stored type of each decides which relationships lead back. */
async function runHooksOfRelated(
  { relationship: written, records, change }: RelatedChange,
  hookContext: LinkHookContext,
): Promise<void> {
  const self = [toRecord(hookContext.write)]
  const { sentAs } = hookContext
  for (const relationship of new Set(records.flatMap(({ type }) => relationshipsLeadingBack(written, type)))) {
    const hookedTypes = hookedRelationshipsOf(hookContext).typesOf(relationship)
    const hooked = records.filter(({ type }) => hookedTypes.includes(type))
    if (hooked.length === 0) continue
    // An inverse can lead to some of the types only that inherit the written relationship.
    const others = await toTargetsOf(relationship, written.declaringType, self, hookContext)
    for (const record of hooked) {
      const isEmptied =
        change === 'linked' && relationship.kind === 'toOne' && !isInverse(relationship, written, record)
      if (others.length > 0 || isEmptied) await runHookOf({ record, relationship, change, others, sentAs }, hookContext)
    }
  }
}

function isInverse(relationship: Relationship, written: Relationship, { type }: StoredRecord): boolean {
  return inversesOf(written, type).includes(relationship)
}

/** A relationship of the written resource that changes because it is stored in the same columns as the link. */
interface StoredTogetherChange {
  readonly relationship: Relationship
  readonly link: DecidedRelationshipChange
}

/** Calls the hook of the relationship as if the client had written it, and the hooks of the resources that it leads to. */
async function runHooksStoredTogether(
  { relationship, link }: StoredTogetherChange,
  hookContext: InverseHookContext,
): Promise<void> {
  const { write } = hookContext
  const { relationship: sentAs } = link
  const records = await toTargetsOf(relationship, sentAs.target, link.records, hookContext)
  const change = { ...link, relationship, records }
  if (hookedRelationshipsOf(hookContext).typesOf(relationship).includes(write.type)) {
    const { removed, added } = await findChangedMembers(change, hookContext)
    const own = { relationship, sentAs, record: toRecord(write), ownWrite: write }
    const isReplaced = relationship.kind === 'toOne' && added.length > 0
    if (removed.length > 0 && !isReplaced) await runHookOf({ ...own, change: 'unlinked', others: removed }, hookContext)
    if (added.length > 0) await runHookOf({ ...own, change: 'linked', others: added }, hookContext)
  }
  await runHooksOfLink(change, { ...hookContext, sentAs })
}

/** Returns the records as the relationship sees them. It may have another target, whose row with the same key is the related one. */
async function toTargetsOf(
  { target }: Relationship,
  declared: ResourceType,
  records: readonly StoredRecord[],
  { writeContext }: InverseHookContext,
): Promise<readonly StoredRecord[]> {
  if (rootTypeOf(target) === rootTypeOf(declared))
    return records.filter(({ type }) => isSameOrDerivedType(type, target))
  const keys = records.filter(({ id }) => id !== '').map(({ id }) => decodeIdToRuntimeKey(id, declared.id.constraints))
  if (keys.length === 0) return []
  const ids = keys.map((key) => encodeRuntimeKeyToId(key, target.id.constraints))
  const { rows } = await writeContext.transaction.read(planRecordsIncludingHiddenRows(target, ids), 'noLock')
  return rows.map(resourceRowToStoredRecord)
}

interface ChangedMembers {
  readonly removed: readonly StoredRecord[]
  readonly added: readonly StoredRecord[]
}

/** Returns the members that a write adds and removes. Adding a present member or removing an absent one changes nothing. */
async function findChangedMembers(
  { relationship, mode, records, replaced }: DecidedRelationshipChange,
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
  const present = (await writeContext.transaction.read(plan, 'lock')).rows.map(resourceRowToStoredRecord)
  if (mode === 'remove') return { removed: present, added: [] }
  const members = new Set(present.map(({ id }) => id))
  const added = records.filter(({ id }) => !members.has(id))
  if (mode === 'add') return { removed: [], added }
  const replaceable = replaced && new Set(replaced.map((record) => record !== 'self' && record.id))
  const isRemoved = ({ id }: StoredRecord) => !requestedIds.has(id) && (replaceable?.has(id) ?? true)
  return { removed: present.filter(isRemoved), added }
}

interface TakenMembers {
  /** The relationship of the written resource. */
  readonly relationship: Relationship
  /** The hooked relationships of the owners. Their types may differ from the type of the written resource. */
  readonly ofOwners: readonly Relationship[]
  readonly added: readonly StoredRecord[]
}

/** Calls the hooks of the resources that lose a member, because it can belong to only one resource. */
async function runHooksOfOwners(
  { relationship, ofOwners, added }: TakenMembers,
  hookContext: LinkHookContext,
): Promise<void> {
  const { write, writeContext } = hookContext
  // A new resource has no owner.
  const linked = added.filter((record) => write.previous !== undefined || !isWrittenRecord(record, write))
  if (linked.length === 0 || ofOwners.length === 0) return
  const ids = linked.map(({ id }) => id)
  // These rows are locked now, so no other write links them.
  await writeContext.transaction.read(planIdentifiersIncludingHiddenRows(relationship.target, ids), 'lock')
  for (const ofOwner of ofOwners) {
    const taken = linked.filter(({ type }) => isSameOrDerivedType(type, ofOwner.target))
    if (taken.length > 0) await runHooksOfOwnersThrough(ofOwner, taken, hookContext)
  }
}

async function runHooksOfOwnersThrough(
  relationship: Relationship,
  taken: readonly StoredRecord[],
  hookContext: LinkHookContext,
): Promise<void> {
  const { write, writeContext, sentAs } = hookContext
  const ids = taken.map(({ id }) => id)
  const planFor = relationship.kind === 'toOne' ? planRecordsReferencingIds : planRecordsWithReferencedIds
  const { rows } = await writeContext.transaction.read(
    planFor(relationship, ids, hookedRelationshipsOf(hookContext).typesOf(relationship)),
    'lock',
  )
  for (const row of rows) {
    const record = resourceRowToStoredRecord(row)
    if (isWrittenRecord(record, write)) continue
    const members = new Set(findLoadedRelatedRows(row.related, relationship)?.rows.map(({ id }) => id))
    const others = relationship.kind === 'toOne' ? taken : taken.filter(({ id }) => members.has(id))
    await runHookOf({ record, relationship, change: 'unlinked', others, sentAs }, hookContext)
  }
}

function toRecord({ type, id, values }: ResourceWrite): StoredRecord {
  return { type, id, instance: values }
}
