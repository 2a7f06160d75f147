import { checkSaid } from '../definitions/hook-results'
import type { ResourceDefinition, RightEndChoice } from '../definitions/resource-definition'
import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
import { JsonApiError, problem } from '../errors/json-api-error'
import { isA } from '../graph/inheritance'
import type { Relationship } from '../graph/resource-graph'
import type { StoredRecord } from '../records/stored-record'
import { type FoundRight, findChosen, type Looking } from './find-rights'

/** What is asked of one relationship, its right-hand resources under their stored types. */
export interface AskedLink {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  readonly rights: readonly FoundRight[]
}

/** The same once the rules of the left-hand resource have spoken. */
export interface DecidedLink extends AskedLink {
  readonly records: readonly StoredRecord[]
  readonly decidedBy: 'request' | 'rule'
}

/** Asks the hook of the relationship; what it returns takes the place of what was asked. */
export async function decideLink(
  asked: AskedLink,
  write: ResourceWrite,
  definition: ResourceDefinition,
  looking: Looking,
): Promise<DecidedLink> {
  const itself: StoredRecord = { type: write.type, id: write.id, instance: write.values }
  const records = asked.rights.map((right) => (right === 'itself' ? itself : right))
  const choices = await askHook(asked, write, definition, records)
  const chosen = choices === undefined ? records : await findChoices(asked.relationship, choices, looking)
  checkNotEmptied(asked, chosen)
  return {
    ...asked,
    records: chosen,
    rights: chosen.map((record) => (record === itself ? 'itself' : record)),
    decidedBy: isSame(records, chosen) ? 'request' : 'rule',
  }
}

/** What `beforeWrite` and later hooks are told, by the public names of the relationships. */
export function membersOf(links: readonly DecidedLink[]): ResourceWrite['relationships'] {
  return new Map(
    links.map(({ relationship, records }) => [
      relationship.name,
      relationship.kind === 'toOne' ? (records[0] ?? null) : records,
    ]),
  )
}

async function askHook(
  { relationship, mode }: AskedLink,
  write: ResourceWrite,
  definition: ResourceDefinition,
  records: readonly StoredRecord[],
): Promise<readonly RightEndChoice[] | undefined> {
  const { name } = relationship
  if (relationship.kind === 'toMany')
    return (
      checkSaid(await askToMany(mode, definition, write, name, records), TO_MANY_HOOKS[mode], definition, write.type) ??
      undefined
    )
  const choice = checkSaid(
    await definition.setToOne(write, name, records[0] ?? null),
    'setToOne',
    definition,
    write.type,
  )
  if (choice === undefined) return undefined
  return choice === null ? [] : [choice]
}

const TO_MANY_HOOKS = { set: 'setToMany', add: 'addToMany', remove: 'removeFromMany' } as const

function askToMany(
  mode: AskedLink['mode'],
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
  choices: readonly RightEndChoice[],
  looking: Looking,
): Promise<readonly StoredRecord[]> {
  const records = new Map<string, StoredRecord>()
  for (const choice of choices) {
    const record = 'instance' in choice ? choice : await findChosen(relationship, choice, looking)
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
function checkNotEmptied({ relationship, mode }: AskedLink, chosen: readonly StoredRecord[]): void {
  if (relationship.kind === 'toMany' || relationship.isNullable || mode !== 'set' || chosen.length > 0) return
  const detail = `'${relationship.name}' can't be empty.`
  throw new JsonApiError([{ ...problem('relationship.required', detail), field: relationship.name }])
}

function isSame(one: readonly StoredRecord[], other: readonly StoredRecord[]): boolean {
  const ids = new Set(one.map(({ id }) => id))
  return one.length === other.length && other.every(({ id }) => ids.has(id))
}
