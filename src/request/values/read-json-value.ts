import { formatValueForError } from '../../document/format-value-for-error'
import { isJsonObject, type JsonObject, type JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError, mapCollectingErrors } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import type { Attribute } from '../../graph/model/resource-graph'
import {
  type AttributeType,
  type EmbeddedMember,
  type ValueConstraints,
  writableEmbeddedMembersOf,
} from '../../graph/model/value-type'
import { safeParseJsonValueAsDateOnly, safeParseJsonValueAsDatetime, safeParseJsonValueAsTime } from './read-date-time'
import {
  isStorableJson,
  safeParseByteLimitedValue,
  safeParseJsonValueAsString,
  safeParseJsonValueAsStringList,
  safeParseJsonValueAsUuid,
} from './read-json-string'
import {
  type ReadValueResult,
  safeParseJsonValueAsBigint,
  safeParseJsonValueAsDecimal,
  safeParseJsonValueAsFloat,
  safeParseJsonValueAsInteger,
} from './read-number'

/** Reads a value of one attribute, or throws all mistakes in it. `resource`: the pointer of the resource object. */
export type RequestAttributeReader = (value: JsonValue, resource: JsonPointer) => unknown

/** Compiles the reader of an attribute. With a transformer the type is unknown, so any value is accepted. */
export function createRequestAttributeValueReader(attribute: Attribute): RequestAttributeReader {
  return attribute.isTransformed ? (value) => value : createValueReader(attribute, [attribute.name])
}

/** The attribute, and the members of embedded objects down to a value: `['address', 'city']`. */
type ValuePath = readonly string[]

type TypedValue = Pick<EmbeddedMember, 'constraints' | 'isNullable'>

function createValueReader({ constraints, isNullable }: TypedValue, path: ValuePath): RequestAttributeReader {
  const orNull = isNullable ? ' or null' : ''
  const throwTypeError: ThrowTypeError = (expected, value, resource) => {
    const expectation = `${expected}${orNull} in '${path.join('.')}', found ${formatValueForError(value)}.`
    throw attributeTypeError(expectation, resource, path)
  }
  const readTyped =
    constraints.shape === undefined
      ? createTypedReader(constraints, throwTypeError)
      : createObjectReader(constraints.shape, path, throwTypeError)
  return (value, resource) => {
    if (value !== null) return readTyped(value, resource)
    return isNullable ? null : throwTypeError('a value', value, resource)
  }
}

type ThrowTypeError = (expected: string, value: JsonValue, resource: JsonPointer) => never

function createTypedReader(constraints: ValueConstraints, throwTypeError: ThrowTypeError): RequestAttributeReader {
  const read = readerOf(constraints)
  return (value, resource) => {
    const result = read(value, constraints)
    return 'value' in result ? result.value : throwTypeError(result.expected, value, resource)
  }
}

type Shape = ReadonlyMap<string, EmbeddedMember>

/** Compiles the reader of an embedded object. Requests replace it as a whole, so missing members become null. */
function createObjectReader(shape: Shape, path: ValuePath, throwTypeError: ThrowTypeError): RequestAttributeReader {
  const members = writableEmbeddedMembersOf(shape)
  const names = [...members.keys()]
  const readers = new Map([...members].map(([name, member]) => [name, createMemberReader(name, member, path)]))
  return (value, resource) => {
    if (!isJsonObject(value)) {
      const list = names.map((name) => `'${name}'`).join(', ')
      return throwTypeError(`an object that has no members but ${list}`, value, resource)
    }
    const unknown = Object.keys(value).filter((name) => !members.has(name))
    const entries = mapCollectingErrors([...names, ...unknown], (name) => {
      const read = readers.get(name)
      if (read === undefined) throw unwritableMemberError(name, shape, path, resource)
      return [name, read(value, resource)] as const
    })
    return Object.fromEntries(entries)
  }
}

type MemberReader = (object: JsonObject, resource: JsonPointer) => unknown

/** Compiles the reader of a member of an embedded object. A missing member has the pointer of the object. */
function createMemberReader(name: string, member: EmbeddedMember, objectPath: ValuePath): MemberReader {
  const path = [...objectPath, name]
  const read = createValueReader(member, path)
  return (object, resource) => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined
    if (value !== undefined) return read(value, resource)
    if (member.isNullable) return null
    throw attributeTypeError(`a value in '${path.join('.')}', found nothing.`, resource, objectPath)
  }
}

function unwritableMemberError(name: string, shape: Shape, path: ValuePath, resource: JsonPointer): JsonApiError {
  const found = formatValueForError(name)
  const expectation = shape.has(name)
    ? `no value for '${path.join('.')}.${name}', which the server maintains.`
    : `a member of '${path.join('.')}', found ${found}.${didYouMean(name, writableEmbeddedMembersOf(shape).keys())}`
  return attributeTypeError(expectation, resource, [...path, name])
}

function attributeTypeError(expectation: string, resource: JsonPointer, path: ValuePath): JsonApiError {
  const pointer = appendToPointer(resource, 'attributes', ...path)
  return createJsonApiError('attribute.type', `Expected ${expectation}`, { pointer })
}

/** Reads a value other than null. Returns it in the form that `AttributeType` describes. */
export function safeParseTypedJsonValue(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  return readerOf(constraints)(value, constraints)
}

function readerOf({ members, valueType }: ValueConstraints): SafeParseWithConstraints {
  if (members !== undefined) return (value) => safeParseArray(value, members)
  return READERS[valueType]
}

type SafeParseWithConstraints = (value: JsonValue, constraints: ValueConstraints) => ReadValueResult

const READERS: Readonly<Record<AttributeType, SafeParseWithConstraints>> = {
  string: safeParseJsonValueAsString,
  uuid: safeParseJsonValueAsUuid,
  integer: safeParseJsonValueAsInteger,
  float: safeParseJsonValueAsFloat,
  bigint: safeParseJsonValueAsBigint,
  decimal: safeParseJsonValueAsDecimal,
  boolean: (value) => (typeof value === 'boolean' ? { value } : { expected: 'true or false' }),
  datetime: safeParseJsonValueAsDatetime,
  date: safeParseJsonValueAsDateOnly,
  time: safeParseJsonValueAsTime,
  enum: safeParseEnum,
  list: safeParseJsonValueAsStringList,
  binary: safeParseBinary,
  json: safeParseJson,
}

function safeParseJson(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  if (isStorableJson(value)) return safeParseByteLimitedValue(value, JSON.stringify(value), constraints)
  return { expected: 'JSON with legal Unicode without NUL in all texts, and no number that is too large' }
}

/** Reads an array. Its members can't be null. */
function safeParseArray(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  if (!Array.isArray(value)) return { expected: 'an array' }
  const members = value.map((member) =>
    member === null ? { expected: 'no null' } : safeParseTypedJsonValue(member, constraints),
  )
  const invalid = members.find((member) => 'expected' in member)
  if (invalid !== undefined) return { expected: `an array, each of its members ${invalid.expected}` }
  return { value: members.map((member) => ('value' in member ? member.value : undefined)) }
}

function safeParseEnum(value: JsonValue, { enumValues = [] }: ValueConstraints): ReadValueResult {
  const known = enumValues.find((each) => each === value)
  if (known !== undefined) return { value: known }
  const names = enumValues.map((each) => (typeof each === 'string' ? `'${each}'` : String(each)))
  return { expected: `one of ${names.join(', ')}` }
}

function safeParseBinary(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const { minimumLength = 0, maximumLength = Number.POSITIVE_INFINITY, maximum } = constraints
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64')
  // Other encodings of the same bytes would read back differently.
  if (bytes.toString('base64') !== value) return { expected: 'a base64 string' }
  const size = minimumLength === maximumLength ? `exactly ${maximumLength}` : `at most ${maximumLength}`
  if (bytes.length > maximumLength || bytes.length < minimumLength) return { expected: `base64 of ${size} bytes` }
  const isTooLarge = maximum !== undefined && BigInt(`0x${bytes.toString('hex')}`) > maximum
  return isTooLarge ? { expected: `base64 of at most the bits of ${maximum}` } : { value: bytes }
}
