import { checkHookResult } from '../definitions/hook-results'
import type { RecordOrIdentifier, ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { isA } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import type { StoredRecord } from '../records/stored-record'
import { findChosenRecord, type ResolvedLink } from './find-related'
import type { WriteContext } from './request-scope'

/** A change of one relationship, after its hook has run. */
export interface FinalLink extends ResolvedLink {
  readonly records: readonly StoredRecord[]
  readonly decidedBy: 'request' | 'rule'
}

/** Calls the relationship hook for each link. Its return value replaces the requested resources. */
export async function applyLinkHooks(
  resolved: readonly ResolvedLink[],
  write: ResourceWrite,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<readonly FinalLink[]> {
  const links: FinalLink[] = []
  for (const link of resolved) links.push(await applyLinkHook(link, write, definition, writeContext))
  return links
}

async function applyLinkHook(
  link: ResolvedLink,
  write: ResourceWrite,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<FinalLink> {
  const { relationship, mode } = link
  const itself: StoredRecord = { type: write.type, id: write.id, instance: write.values }
  const records = link.related.map((related) => (related === 'self' ? itself : related))
  const choices = await callLinkHook(link, write, definition, records)
  const chosen = choices === undefined ? records : await findChoices(relationship, choices, writeContext)
  checkNotEmptied(link, chosen)
  return {
    relationship,
    mode,
    records: chosen,
    related: chosen.map((record) => (record === itself ? 'self' : record)),
    decidedBy: isSame(records, chosen) ? 'request' : 'rule',
  }
}

/** Returns `write.relationships` as `beforeWrite` and later hooks receive it, by public names. */
export function relationshipValuesOf(links: readonly FinalLink[]): ResourceWrite['relationships'] {
  return new Map(
    links.map(({ relationship, records }) => [
      relationship.name,
      relationship.kind === 'toOne' ? (records[0] ?? null) : records,
    ]),
  )
}

async function callLinkHook(
  { relationship, mode }: ResolvedLink,
  write: ResourceWrite,
  definition: ResourceDefinition,
  records: readonly StoredRecord[],
): Promise<readonly RecordOrIdentifier[] | undefined> {
  const { name } = relationship
  if (relationship.kind === 'toMany')
    return (
      checkHookResult(
        await callToManyHook(mode, definition, write, name, records),
        TO_MANY_HOOKS[mode],
        definition,
        write.type,
      ) ?? undefined
    )
  const choice = checkHookResult(
    await definition.setToOne(write, name, records[0] ?? null),
    'setToOne',
    definition,
    write.type,
  )
  if (choice === undefined) return undefined
  return choice === null ? [] : [choice]
}

const TO_MANY_HOOKS = { set: 'setToMany', add: 'addToMany', remove: 'removeFromMany' } as const

function callToManyHook(
  mode: ResolvedLink['mode'],
  definition: ResourceDefinition,
  write: ResourceWrite,
  name: string,
  records: readonly StoredRecord[],
): ReturnType<ResourceDefinition['setToMany']> {
  switch (mode) {
    case 'set':
      return definition.setToMany(write, name, records)
    case 'add':
      return definition.addToMany(write, name, records)
    case 'remove':
      return definition.removeFromMany(write, name, records)
  }
}

async function findChoices(
  relationship: Relationship,
  choices: readonly RecordOrIdentifier[],
  writeContext: WriteContext,
): Promise<readonly StoredRecord[]> {
  const records = new Map<string, StoredRecord>()
  for (const choice of choices) {
    const record = 'instance' in choice ? choice : await findChosenRecord(relationship, choice, writeContext)
    checkFits(record, relationship)
    // A hook may return the same resource twice.
    if (!records.has(record.id)) records.set(record.id, record)
  }
  return [...records.values()]
}

/** Without this check, the id would be stored as that of another resource. */
function checkFits({ type, id }: StoredRecord, { name, target }: Relationship): void {
  if (isA(type, target)) return
  throw new InvariantError(
    `The hook of '${name}' chose '${type.name}' with id '${id}', expected a resource of type '${target.name}'.`,
  )
}

/** Runs after the hook, which may have filled a relationship that the request left empty. */
function checkNotEmptied({ relationship, mode }: ResolvedLink, chosen: readonly StoredRecord[]): void {
  if (relationship.kind === 'toMany' || relationship.isNullable || mode !== 'set' || chosen.length > 0) return
  const detail = `'${relationship.name}' can't be empty.`
  throw new JsonApiError([{ ...clientError('relationship.required', detail), field: relationship.name }])
}

function isSame(one: readonly StoredRecord[], other: readonly StoredRecord[]): boolean {
  const ids = new Set(one.map(({ id }) => id))
  return one.length === other.length && other.every(({ id }) => ids.has(id))
}
