import { assertHookResult } from '../definitions/hook-results'
import type { RecordOrIdentifier } from '../definitions/hook-return-types'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
import { createErrorDetails, JsonApiError } from '../errors/json-api-error'
import { isSameOrDerivedType } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import type { RelatedIdentifierOrSelf } from '../plan/write-plan'
import type { ResourceRecord } from '../records/resource-record'
import { loadHookChosenRelatedRecord, type ResolvedRelationshipChange } from './load-related-records-of-write'
import type { WriteContext } from './request-scope'

/** A change of one relationship, after its hook has run. */
export interface HookProcessedRelationshipChange extends ResolvedRelationshipChange {
  readonly records: readonly ResourceRecord[]
  readonly decidedBy: 'request' | 'rule'
  /** The members that are replaced; without it, all members. */
  readonly replaced?: readonly RelatedIdentifierOrSelf[]
}

/** Calls the relationship hook for each relationship change. Its return value replaces the requested resources. */
export async function applyRelationshipHooks(
  resolved: readonly ResolvedRelationshipChange[],
  write: ResourceWrite,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<readonly HookProcessedRelationshipChange[]> {
  const writtenRecord: ResourceRecord = { type: write.type, id: write.id, instance: write.values }
  const decided: HookProcessedRelationshipChange[] = []
  for (const change of resolved) {
    const { relationship, mode } = change
    const requested = change.related.map((related) => (related === 'self' ? writtenRecord : related))
    const choices = await callRelationshipHook(change, requested, write, definition)
    const records = choices === undefined ? requested : await loadChosenRecords(relationship, choices, writeContext)
    assertNotEmptied(change, records)
    const related = records.map((record) => (record === writtenRecord ? 'self' : record))
    decided.push({
      relationship,
      mode,
      records,
      related,
      decidedBy: haveSameIds(requested, records) ? 'request' : 'rule',
    })
  }
  return decided
}

/** Returns `undefined` if the hook leaves the requested resources as they are. */
async function callRelationshipHook(
  { relationship, mode }: ResolvedRelationshipChange,
  records: readonly ResourceRecord[],
  write: ResourceWrite,
  definition: ResourceDefinition,
): Promise<readonly RecordOrIdentifier[] | undefined> {
  const { name, kind } = relationship
  if (kind === 'toMany') {
    const hook = TO_MANY_HOOKS[mode]
    return assertHookResult(await definition[hook](write, name, records), hook, definition, write.type) ?? undefined
  }
  const returned = await definition.setToOne(write, name, records[0] ?? null)
  const choice = assertHookResult(returned, 'setToOne', definition, write.type)
  if (choice === undefined) return undefined
  return choice === null ? [] : [choice]
}

const TO_MANY_HOOKS = { set: 'setToMany', add: 'addToMany', remove: 'removeFromMany' } as const

async function loadChosenRecords(
  relationship: Relationship,
  choices: readonly RecordOrIdentifier[],
  writeContext: WriteContext,
): Promise<readonly ResourceRecord[]> {
  const records = new Map<string, ResourceRecord>()
  for (const choice of choices) {
    const record = 'instance' in choice ? choice : await loadHookChosenRelatedRecord(relationship, choice, writeContext)
    assertMatchesTarget(record, relationship)
    // A hook may return the same resource twice.
    if (!records.has(record.id)) records.set(record.id, record)
  }
  return [...records.values()]
}

/** Throws if a hook chose a resource of another type. Without this check, its id would be stored as the id of another resource. */
function assertMatchesTarget({ type, id }: ResourceRecord, { name, target }: Relationship): void {
  if (isSameOrDerivedType(type, target)) return
  throw new InvariantError(
    `The hook of '${name}' chose '${type.name}' with id '${id}', expected a resource of type '${target.name}'.`,
  )
}

/** Throws if a required relationship is empty. Runs after the hook, which may set a relationship that the request left empty. */
function assertNotEmptied({ relationship, mode }: ResolvedRelationshipChange, chosen: readonly ResourceRecord[]): void {
  if (relationship.kind === 'toMany' || relationship.isNullable || mode !== 'set' || chosen.length > 0) return
  const detail = `'${relationship.name}' can't be empty.`
  throw new JsonApiError([{ ...createErrorDetails('relationship.required', detail), field: relationship.name }])
}

function haveSameIds(one: readonly ResourceRecord[], other: readonly ResourceRecord[]): boolean {
  const ids = new Set(one.map(({ id }) => id))
  return one.length === other.length && other.every(({ id }) => ids.has(id))
}
