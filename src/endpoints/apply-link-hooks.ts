import { checkHookResult } from '../definitions/hook-results'
import type { RelatedResourceChoice, ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { isA } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import type { StoredRecord } from '../records/stored-record'
import { findChosenRecord, type RelatedRecord, type WriteContext } from './find-related'

/** What is asked of one relationship, its right-hand resources under their stored types. */
export interface ResolvedLink {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  readonly related: readonly RelatedRecord[]
}

/** The same once the rules of the left-hand resource have spoken. */
export interface FinalLink extends ResolvedLink {
  readonly records: readonly StoredRecord[]
  readonly decidedBy: 'request' | 'rule'
}

/** Asks the hook of the relationship; what it returns takes the place of what was asked. */
export async function applyLinkHook(
  link: ResolvedLink,
  write: ResourceWrite,
  definition: ResourceDefinition,
  writeContext: WriteContext,
): Promise<FinalLink> {
  const itself: StoredRecord = { type: write.type, id: write.id, instance: write.values }
  const records = link.related.map((right) => (right === 'self' ? itself : right))
  const choices = await callLinkHook(link, write, definition, records)
  const chosen = choices === undefined ? records : await findChoices(link.relationship, choices, writeContext)
  checkNotEmptied(link, chosen)
  return {
    ...link,
    records: chosen,
    related: chosen.map((record) => (record === itself ? 'self' : record)),
    decidedBy: isSame(records, chosen) ? 'request' : 'rule',
  }
}

/** What `beforeWrite` and later hooks are told, by the public names of the relationships. */
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
): Promise<readonly RelatedResourceChoice[] | undefined> {
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
  choices: readonly RelatedResourceChoice[],
  writeContext: WriteContext,
): Promise<readonly StoredRecord[]> {
  const records = new Map<string, StoredRecord>()
  for (const choice of choices) {
    const record = 'instance' in choice ? choice : await findChosenRecord(relationship, choice, writeContext)
    checkFits(record, relationship)
    // What was asked for may be chosen once more: it is one member.
    if (!records.has(record.id)) records.set(record.id, record)
  }
  return [...records.values()]
}

/** Its key would be written all the same, and be that of another resource. */
function checkFits({ type, id }: StoredRecord, { name, target }: Relationship): void {
  if (isA(type, target)) return
  throw new InvariantError(
    `A rule chose '${type.name}' with id '${id}' for '${name}', which leads to '${target.name}'.`,
  )
}

/** A rule may have put something where the request had nothing, so this is looked at last. */
function checkNotEmptied({ relationship, mode }: ResolvedLink, chosen: readonly StoredRecord[]): void {
  if (relationship.kind === 'toMany' || relationship.isNullable || mode !== 'set' || chosen.length > 0) return
  const detail = `'${relationship.name}' can't be empty.`
  throw new JsonApiError([{ ...clientError('relationship.required', detail), field: relationship.name }])
}

function isSame(one: readonly StoredRecord[], other: readonly StoredRecord[]): boolean {
  const ids = new Set(one.map(({ id }) => id))
  return one.length === other.length && other.every(({ id }) => ids.has(id))
}
