import { types } from 'node:util'
import { InvariantError } from '../errors/invariant'
import { didYouMean } from '../errors/nearest-name'
import { fieldNamesOfSelfAndDescendants, publicNameHint, rootTypeOf } from '../graph/model/inheritance'
import type { Attribute, StoredType } from '../graph/model/resource-graph'
import type { ResourceDefinition } from './resource-definition'

/** The hooks that return a value. */
export type ValueReturningHookName = keyof typeof EXPECTED_RESULTS

/**
 * Throws if a read hook returned a promise. Reads don't await hooks, so `serialize` would not replace the values that it should hide, and a
 * rejection would be lost.
 */
export function assertReadHookResult<Result>(
  result: Result,
  hook: ValueReturningHookName,
  definition: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): Result {
  if (types.isPromise(result)) {
    result.catch(() => undefined)
    throw new InvariantError(
      `The ${hook} hook of ${type.name} returned a promise, but read hooks must be synchronous. Load the data in the option 'context'.`,
    )
  }
  return assertHookResult(result, hook, definition, type)
}

/** Throws if a hook returned a value of the wrong shape. */
export function assertHookResult<Result>(
  result: Result,
  hook: ValueReturningHookName,
  { constructor: { name } }: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): Result {
  const { expected, isValid } = EXPECTED_RESULTS[hook]
  if (result === undefined || isValid(result)) return result
  throw new InvariantError(
    `The ${hook} hook of ${type.name} returned ${describeResult(result)}, in the class ${name}. Return ${expected}, or nothing.`,
  )
}

/** Returns the field names that a read hook returned. A generator can be iterated only once, so they become a set. */
export function hookResultToFieldNames(
  result: Iterable<string> | undefined,
  hook: 'fields' | 'include',
  definition: ResourceDefinition,
  type: Pick<StoredType, 'name'>,
): ReadonlySet<string> | undefined {
  const names = assertReadHookResult(isIterable(result) ? [...result] : result, hook, definition, type)
  return names === undefined ? undefined : new Set(names)
}

/**
 * Throws if the `fields` hook returned a name that no type of the hierarchy has. Names of other types are accepted, because types inherit the
 * hook of their base.
 */
export function assertFieldsHookResult(names: ReadonlySet<string>, type: StoredType): ReadonlySet<string> {
  for (const name of names) {
    if (type.fields.has(name) || name === type.id.name) continue
    const known = fieldNamesOfSelfAndDescendants(rootTypeOf(type))
    if (!known.includes(name)) throw hookReturnedUnknownNameError(name, 'fields', type, known)
  }
  return names
}

/** Returns the error for a hook that returned a name that does not exist. */
export function hookReturnedUnknownNameError(
  name: string,
  hook: 'fields' | 'include',
  type: StoredType,
  known: readonly string[],
): InvariantError {
  const returned = `The ${hook} hook of '${type.name}' returned '${name}'`
  const publicName = publicNameHint(type, name)
  if (publicName !== '') return new InvariantError(`${returned}.${publicName}`)
  const [kind, kinds] = hook === 'fields' ? ['field', 'fields'] : ['relationship', 'relationships']
  return new InvariantError(
    `${returned}, which is no ${kind}.${didYouMean(name, known)} Return public names of ${kinds}.`,
  )
}

/** Returns the attribute of a property that a hook returned. Throws if it is no attribute. */
export function getAttributeNamedInHookResult(
  property: string,
  hook: 'prepareWrite' | 'beforeWrite' | 'serialize',
  type: StoredType,
): Attribute {
  const attribute = type.attributes.find((each) => each.property === property)
  if (attribute !== undefined) return attribute
  throw new InvariantError(
    `The ${hook} hook of '${type.name}' returned '${property}', ${describeNoAttribute(property, hook, type)}`,
  )
}

function describeNoAttribute(
  property: string,
  hook: 'prepareWrite' | 'beforeWrite' | 'serialize',
  { fields, id, key, relationships, resourceClass }: StoredType,
): string {
  const place = `${resourceClass.name}.${property}`
  const relationship = relationships.find((each) => each.property === property)
  if (relationship !== undefined) {
    const other = relationship.kind === 'toOne' ? 'setToOne' : 'setToMany'
    const remedy = hook === 'serialize' ? '' : `, and override ${other} to replace what the client sends for it`
    return `but ${place} is a relationship, and the hook can only set attributes. Leave it out${remedy}.`
  }
  if (property === id.name || (key.length === 1 && key.includes(property)))
    return `but ${place} is the id, which a hook can't set. Leave it out.`
  const namesake = fields.get(property)
  if (namesake?.kind === 'attribute')
    return `the public name of an attribute. Name its property: '${namesake.property}'.`
  return `which is no attribute. Correct the name, or add @Attribute to ${place}.`
}

type ResultTest = (result: unknown) => boolean

const RELATED_RESOURCES = {
  expected: "a list of records that it received, or of '{ type, id }'",
  isValid: areRecordsOrIdentifiers,
} as const

/** What each hook may return besides `undefined`. */
const EXPECTED_RESULTS = {
  filter: { expected: "a filter from functions such as 'equals' and 'and'", isValid: isString },
  sort: { expected: "a sort as text, such as '-name,id'", isValid: isString },
  page: { expected: "the largest page as '{ size }', with a whole number from 1 on", isValid: isPage },
  fields: { expected: 'the names of fields, in a Set, a list or another iterable', isValid: areStrings },
  include: { expected: 'the names of relationships, in a list or another iterable', isValid: areStrings },
  serialize: { expected: 'an object with values by property', isValid: isPlainObjectOrNull },
  meta: { expected: 'an object', isValid: isPlainObject },
  redirect: { expected: "a resource as '{ type, id }', both text", isValid: isIdentifier },
  prepareWrite: { expected: 'an object with values by property', isValid: isPlainObjectOrNull },
  beforeWrite: {
    expected: 'an object with values by property, or the result of respondAccepted()',
    isValid: isPlainObjectOrNull,
  },
  setToOne: { expected: "a record that it received, '{ type, id }' or null", isValid: isRecordOrIdentifierOrNull },
  setToMany: RELATED_RESOURCES,
  addToMany: RELATED_RESOURCES,
  removeFromMany: RELATED_RESOURCES,
} as const satisfies Readonly<Partial<Record<keyof ResourceDefinition, { expected: string; isValid: ResultTest }>>>

function isString(result: unknown): boolean {
  return typeof result === 'string'
}

function areStrings(result: unknown): boolean {
  return Array.isArray(result) && result.every(isString)
}

/** Strings are iterable too, but they yield characters. */
function isIterable<Result>(result: Result): result is Result & Iterable<unknown> {
  return isObject(result) && Symbol.iterator in result
}

function isPage(result: unknown): boolean {
  return isObject(result) && 'size' in result && Number.isSafeInteger(result.size) && Number(result.size) >= 1
}

function isPlainObject(result: unknown): boolean {
  return isObject(result) && !Array.isArray(result) && !isIterable(result)
}

function isPlainObjectOrNull(result: unknown): boolean {
  return result === null || isPlainObject(result)
}

function isIdentifier(result: unknown): boolean {
  return isObject(result) && 'type' in result && 'id' in result && isString(result.type) && isString(result.id)
}

/** Returns true for a record or a resource identifier. The `type` of a record is an object. */
function isRecordOrIdentifier(result: unknown): boolean {
  return isIdentifier(result) || (isObject(result) && 'instance' in result && 'type' in result && isObject(result.type))
}

function isRecordOrIdentifierOrNull(result: unknown): boolean {
  return result === null || isRecordOrIdentifier(result)
}

function areRecordsOrIdentifiers(result: unknown): boolean {
  return Array.isArray(result) && result.every(isRecordOrIdentifier)
}

function isObject(result: unknown): result is object {
  return typeof result === 'object' && result !== null
}

/** Describes the kind of a value, shortened, for error messages: `the number 3`, `a list with 'x' in it`. */
function describeResult(result: unknown): string {
  if (result === null) return 'null'
  if (Array.isArray(result)) return `a list of ${result.length}: ${shorten(JSON.stringify(result))}`
  if (typeof result === 'object') return `an object of the class ${result.constructor?.name ?? 'Object'}`
  return `a value of type ${typeof result}: ${shorten(String(result))}`
}

function shorten(text = ''): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

const MAX_LENGTH = 60
