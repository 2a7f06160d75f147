import { types } from 'node:util'
import { InvariantError } from '../errors/invariant'
import type { StoredType } from '../graph/resource-graph'
import type { ResourceDefinition } from './resource-definition'

/** The hooks whose results are used. */
export type AnsweringHook = keyof typeof EXPECTED

/**
 * What a hook of reading has said. Nobody waits for it: of a promise nothing would be known, so that what `serialize` was to cover would be
 * shown, and nobody would hear of one that fails.
 */
export function saidAtOnce<Said>(
  said: Said,
  hook: AnsweringHook,
  definition: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): Said {
  if (types.isPromise(said)) {
    said.catch(() => undefined)
    throw new InvariantError(
      `The ${hook} rule of ${type.name} returned a promise: reading does not wait. What it needs to wait for belongs into the option 'context'.`,
    )
  }
  return checkSaid(said, hook, definition, type)
}

/** Throws where a hook has returned something of another shape than it may. */
export function checkSaid<Said>(
  said: Said,
  hook: AnsweringHook,
  { constructor: { name } }: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): Said {
  const { expected, fits } = EXPECTED[hook]
  if (said === undefined || fits(said)) return said
  throw new InvariantError(
    `The ${hook} rule of ${type.name} returned ${describe(said)}, in the class ${name}. Return ${expected}, or nothing.`,
  )
}

/** The names that a hook of reading has returned. They may come from a generator, which can be asked once. */
export function namesSaid(
  said: Iterable<string> | undefined,
  hook: 'fields' | 'include',
  definition: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): ReadonlySet<string> | undefined {
  const names = saidAtOnce(isIterable(said) ? [...said] : said, hook, definition, type)
  return names === undefined ? undefined : new Set(names)
}

type Fits = (said: unknown) => boolean

/** What each hook may return, besides nothing. */
const EXPECTED = {
  filter: { expected: "a filter, made by functions such as 'equals' and 'and'", fits: isText },
  sort: { expected: "a sort as text, such as '-name,id'", fits: isText },
  page: { expected: "the largest page as '{ size }', with a whole number from 1 on", fits: isPage },
  fields: { expected: 'the names of fields, in a Set, a list or another iterable', fits: areTexts },
  include: { expected: 'the names of relationships, in a list or another iterable', fits: areTexts },
  serialize: { expected: 'an object with values by property', fits: isPlainObjectOrNull },
  meta: { expected: 'an object', fits: isPlainObject },
  seeOther: { expected: "a resource as '{ type, id }', both text", fits: isIdentifier },
  prepareWrite: { expected: 'an object with values by property', fits: isPlainObjectOrNull },
  beforeWrite: { expected: "an object with values by property, or what 'accepted' makes", fits: isPlainObjectOrNull },
  setToOne: { expected: "a record that it was given, '{ type, id }' or null", fits: isChoiceOrNull },
  setToMany: { expected: "a list of records that it was given, or of '{ type, id }'", fits: areChoices },
  addToMany: { expected: "a list of records that it was given, or of '{ type, id }'", fits: areChoices },
  removeFromMany: { expected: "a list of records that it was given, or of '{ type, id }'", fits: areChoices },
} as const satisfies Readonly<Partial<Record<keyof ResourceDefinition, { expected: string; fits: Fits }>>>

function isText(said: unknown): boolean {
  return typeof said === 'string'
}

function areTexts(said: unknown): boolean {
  return Array.isArray(said) && said.every(isText)
}

/** Not a text itself, which has characters. */
function isIterable<Said>(said: Said): said is Said & Iterable<unknown> {
  return isObject(said) && Symbol.iterator in said
}

function isPage(said: unknown): boolean {
  return isObject(said) && 'size' in said && Number.isSafeInteger(said.size) && Number(said.size) >= 1
}

function isPlainObject(said: unknown): boolean {
  return isObject(said) && !Array.isArray(said) && !isIterable(said)
}

function isPlainObjectOrNull(said: unknown): boolean {
  return said === null || isPlainObject(said)
}

function isIdentifier(said: unknown): boolean {
  return isObject(said) && 'type' in said && 'id' in said && isText(said.type) && isText(said.id)
}

/** A record has its type as an object. */
function isChoice(said: unknown): boolean {
  return isIdentifier(said) || (isObject(said) && 'instance' in said && 'type' in said && isObject(said.type))
}

function isChoiceOrNull(said: unknown): boolean {
  return said === null || isChoice(said)
}

function areChoices(said: unknown): boolean {
  return Array.isArray(said) && said.every(isChoice)
}

function isObject(said: unknown): said is object {
  return typeof said === 'object' && said !== null
}

/** `the number 3`, `a list with 'x' in it`: what kind of value, and no more of it than a developer needs. */
function describe(said: unknown): string {
  if (said === null) return 'null'
  if (Array.isArray(said)) return `a list of ${said.length}: ${shorten(JSON.stringify(said))}`
  if (typeof said === 'object') return `an object of the class ${said.constructor?.name ?? 'Object'}`
  return `a value of type ${typeof said}: ${shorten(String(said))}`
}

function shorten(text = ''): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 60
