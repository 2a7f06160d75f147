import type { Definitions } from '../definitions/definitions'
import type { RightEndChoice } from '../definitions/resource-definition'
import type { ResourceWrite, WriteKind } from '../definitions/resource-write'
import { JsonApiError, problem } from '../errors/json-api-error'
import { rootOf } from '../graph/inheritance'
import type { Relationship } from '../graph/resource-graph'
import { planAny, planLeading, planLinked, planOwners } from '../plan/plan-read'
import type { StoredRecord } from '../records/stored-record'
import type { ReplacingLink } from './find-replaced'
import type { Looking } from './find-rights'
import { toStoredRecord } from './find-target'

/**
 * Asks the rules of all resources to which a write is a change of a relationship of theirs, though the request names another end of it:
 * those at the other end, those that lose a related resource to the one that is written, and those that refer to what is deleted. Each is
 * asked under its stored type, seen by the client or not, as if its own relationship had been written; it can agree or refuse.
 * Docs: docs/guide/rules.md. The number of statements follows from the relationships; where there is no such rule it is 0.
 */
export async function askOtherEnds(
  write: ResourceWrite,
  links: readonly ReplacingLink[],
  definitions: Definitions,
  looking: Looking,
): Promise<void> {
  const asking: Asking = { write, links, definitions, looking }
  if (write.kind === 'delete') {
    for (const relationship of definitions.hooked.leadingTo(write.type)) await askLeading(relationship, asking)
    return
  }
  for (const link of links) await askOfLink(link, asking)
}

interface Asking {
  /** With the values that will be stored. */
  readonly write: ResourceWrite
  readonly links: readonly ReplacingLink[]
  readonly definitions: Definitions
  readonly looking: Looking
}

/** What a write is to a resource that it does not name as the one to be written. */
interface Consequence {
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
async function askLeading(relationship: Relationship, asking: Asking): Promise<void> {
  const { write, definitions, looking } = asking
  const self = itself(write)
  const plan = planLeading(relationship, [self.id], definitions.hooked.typesOf(relationship))
  for (const row of (await looking.transaction.read(plan, 'lock')).rows) {
    const record = toStoredRecord(row)
    if (isItself(record, write)) continue
    await ask({ record, relationship, change: 'unlinked', others: [self], sentAs: undefined }, asking)
  }
}

async function askOfLink(link: ReplacingLink, asking: Asking): Promise<void> {
  const { relationship } = link
  const { hooked } = asking.definitions
  const { inverse } = relationship
  // What is its own inverse is stored in one direction: the other end has a link of its own.
  const isEndAsked = inverse !== undefined && inverse !== relationship && hooked.typesOf(inverse).length > 0
  const isOwnerAsked = relationship.isExclusive && hooked.typesOf(relationship).length > 0
  if (!isEndAsked && !isOwnerAsked) return
  const { removed, added } = await findChanged(link, asking)
  const others = [itself(asking.write)]
  const ends = { relationship: inverse ?? relationship, others, sentAs: relationship }
  if (isEndAsked) for (const record of removed) await ask({ ...ends, record, change: 'unlinked' }, asking)
  if (isOwnerAsked) await askOwners(relationship, added, asking)
  if (isEndAsked) for (const record of added) await ask({ ...ends, record, change: 'linked' }, asking)
}

interface Changed {
  readonly removed: readonly StoredRecord[]
  readonly added: readonly StoredRecord[]
}

/** What is a member already, and what is none, is no change. */
async function findChanged(
  { relationship, mode, records, replaced }: ReplacingLink,
  { write, looking }: Asking,
): Promise<Changed> {
  if (write.stored === undefined) return { removed: [], added: records }
  const named = new Set(records.map(({ id }) => id))
  if (mode !== 'set' && named.size === 0) return { removed: [], added: [] }
  const plan = planLinked(write.stored, relationship, mode === 'set' ? undefined : [...named])
  const present = (await looking.transaction.read(plan, 'lock')).rows.map(toStoredRecord)
  if (mode === 'remove') return { removed: present, added: [] }
  const members = new Set(present.map(({ id }) => id))
  const added = records.filter(({ id }) => !members.has(id))
  if (mode === 'add') return { removed: [], added }
  const replaceable = replaced && new Set(replaced.map((right) => right !== 'itself' && right.id))
  const isRemoved = ({ id }: StoredRecord) => !named.has(id) && (replaceable?.has(id) ?? true)
  return { removed: present.filter(isRemoved), added }
}

/** What belongs to one resource at most leaves the one that it belongs to. */
async function askOwners(relationship: Relationship, added: readonly StoredRecord[], asking: Asking): Promise<void> {
  const { write, definitions, looking } = asking
  // What is created belongs to nothing yet.
  const taken = added.filter((record) => write.stored !== undefined || !isItself(record, write))
  if (taken.length === 0) return
  const ids = taken.map(({ id }) => id)
  // From now on nobody else takes them over.
  await looking.transaction.read(planAny(relationship.target, ids), 'lock')
  const planFor = relationship.kind === 'toOne' ? planLeading : planOwners
  const { rows } = await looking.transaction.read(
    planFor(relationship, ids, definitions.hooked.typesOf(relationship)),
    'lock',
  )
  for (const row of rows) {
    const record = toStoredRecord(row)
    if (isItself(record, write)) continue
    const members = new Set(row.related.get(relationship)?.rows.map(({ id }) => id))
    const others = relationship.kind === 'toOne' ? taken : taken.filter(({ id }) => members.has(id))
    await ask({ record, relationship, change: 'unlinked', others, sentAs: relationship }, asking)
  }
}

async function ask(consequence: Consequence, asking: Asking): Promise<void> {
  const { record, relationship, sentAs } = consequence
  const { write, links, definitions } = asking
  if (!definitions.hooked.typesOf(relationship).includes(record.type)) return
  // Of what was sent for both ends of a link between a resource and itself, the hook has been asked.
  if (isItself(record, write) && links.some((link) => link.relationship === relationship)) return
  try {
    await askHook(consequence, asking)
  } catch (error) {
    throw error instanceof JsonApiError ? pointingTo(sentAs, error) : error
  }
}

async function askHook(
  { record, relationship, change, others }: Consequence,
  { write, definitions }: Asking,
): Promise<void> {
  const definition = definitions.of(record.type)
  const { name } = relationship
  if (relationship.kind === 'toOne') {
    const [right = null] = change === 'linked' ? others : []
    const choice = await definition.setToOne(seenFrom(record, 'setRelationship', write), name, right)
    if (choice !== undefined) checkAgreed(right === null ? [] : [right], choice === null ? [] : [choice])
    return
  }
  const choices =
    change === 'linked'
      ? await definition.addToMany(seenFrom(record, 'addToRelationship', write), name, others)
      : await definition.removeFromMany(seenFrom(record, 'removeFromRelationship', write), name, others)
  if (choices !== undefined) checkAgreed(others, choices)
}

/** The same write as one of a relationship of this resource, for which the client has sent nothing. */
function seenFrom(record: StoredRecord, kind: WriteKind, write: ResourceWrite): ResourceWrite {
  const { id, type, instance } = record
  const origin = { kind: write.kind, type: write.type, id: write.id }
  const own = { kind, type, id, stored: record, values: instance }
  return { ...write, ...own, origin, sent: NOTHING_SENT, relationships: NO_RELATIONSHIPS }
}

const NOTHING_SENT: ResourceWrite['sent'] = new Set()
const NO_RELATIONSHIPS: ResourceWrite['relationships'] = new Map()

/** Another value would have to be written at this end, which the request is not about. */
function checkAgreed(asked: readonly StoredRecord[], choices: readonly RightEndChoice[]): void {
  const ids = new Set(choices.map(({ id }) => id))
  if (ids.size === asked.length && asked.every(({ id }) => ids.has(id))) return
  const detail = 'A rule of the resource at the other end wants another change. Ask for it at that end.'
  throw new JsonApiError([problem('rule.refused', detail)])
}

/** The rule knows the names and places of its own end, the client what it has sent. */
function pointingTo(sentAs: Relationship | undefined, { problems }: JsonApiError): JsonApiError {
  const named = sentAs === undefined ? {} : { field: sentAs.name }
  return new JsonApiError(problems.map(({ field: _field, source: _source, ...rest }) => ({ ...rest, ...named })))
}

function itself({ type, id, values }: ResourceWrite): StoredRecord {
  return { type, id, instance: values }
}

function isItself({ type, id }: StoredRecord, write: ResourceWrite): boolean {
  return id === write.id && rootOf(type) === rootOf(write.type)
}
