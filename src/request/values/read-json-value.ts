import { formatValueForError } from '../../document/format-value-for-error'
import { isJsonObject, type JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import type { Attribute } from '../../graph/model/resource-graph'
import {
  type AttributeType,
  type EmbeddedMember,
  type ValueConstraints,
  writableEmbeddedMembersOf,
} from '../../graph/model/value-type'
import { tryReadDateOnlyValue, tryReadDatetimeValue, tryReadTimeValue } from './read-date-time'
import {
  isStorableJson,
  tryReadByteLimitedValue,
  tryReadStringListValue,
  tryReadStringValue,
  tryReadUuidValue,
} from './read-json-string'
import {
  type ReadValueResult,
  tryReadBigintValue,
  tryReadDecimalValue,
  tryReadFloatValue,
  tryReadIntegerValue,
} from './read-number'

/** Reads a value of one attribute, or throws. `resource`: the pointer of the resource object. */
export type RequestAttributeReader = (value: JsonValue, resource: JsonPointer) => unknown

/** Compiles the reader of an attribute. With a transformer the type is unknown, so any value is accepted. */
export function createRequestAttributeReader(attribute: Attribute): RequestAttributeReader {
  const { isTransformed, isNullable, constraints } = attribute
  if (isTransformed) return (value) => value
  const read = readerOf(constraints)
  return (value, resource) => {
    if (value === null && isNullable) return null
    const result = value === null ? { expected: 'a value' } : read(value, constraints)
    if ('value' in result) return result.value
    throw attributeTypeError(attribute, result.expected, value, resource)
  }
}

function attributeTypeError(
  { name, isNullable }: Attribute,
  expected: string,
  value: JsonValue,
  resource: JsonPointer,
): JsonApiError {
  const orNull = isNullable ? ' or null' : ''
  const detail = `Expected ${expected}${orNull} in '${name}', found ${formatValueForError(value)}.`
  return createJsonApiError('attribute.type', detail, { pointer: appendToPointer(resource, 'attributes', name) })
}

/** Reads a value other than null. Returns it in the form that `AttributeType` describes. */
export function tryReadTypedJsonValue(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  return readerOf(constraints)(value, constraints)
}

function readerOf({ members, shape, valueType }: ValueConstraints): TryReadWithConstraints {
  if (members !== undefined) return (value) => tryReadArray(value, members)
  if (shape !== undefined) return (value) => tryReadObject(value, writableEmbeddedMembersOf(shape))
  return READERS[valueType]
}

type TryReadWithConstraints = (value: JsonValue, constraints: ValueConstraints) => ReadValueResult

const READERS: Readonly<Record<AttributeType, TryReadWithConstraints>> = {
  string: tryReadStringValue,
  uuid: tryReadUuidValue,
  integer: tryReadIntegerValue,
  float: tryReadFloatValue,
  bigint: tryReadBigintValue,
  decimal: tryReadDecimalValue,
  boolean: (value) => (typeof value === 'boolean' ? { value } : { expected: 'true or false' }),
  datetime: tryReadDatetimeValue,
  date: tryReadDateOnlyValue,
  time: tryReadTimeValue,
  enum: tryReadEnum,
  list: tryReadStringListValue,
  binary: tryReadBinary,
  json: tryReadJson,
}

function tryReadJson(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  if (isStorableJson(value)) return tryReadByteLimitedValue(value, JSON.stringify(value), constraints)
  return { expected: 'JSON with legal Unicode without NUL in all texts, and no number that is too large' }
}

/** Reads an array. Its members can't be null. */
function tryReadArray(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  if (!Array.isArray(value)) return { expected: 'an array' }
  const members = value.map((member) =>
    member === null ? { expected: 'no null' } : tryReadTypedJsonValue(member, constraints),
  )
  const invalid = members.find((member) => 'expected' in member)
  if (invalid !== undefined) return { expected: `an array, each of its members ${invalid.expected}` }
  return { value: members.map((member) => ('value' in member ? member.value : undefined)) }
}

/** Reads an embedded object, which is replaced as a whole: missing members become null. */
function tryReadObject(value: JsonValue, shape: ReadonlyMap<string, EmbeddedMember>): ReadValueResult {
  if (!isJsonObject(value) || Object.keys(value).some((name) => !shape.has(name))) {
    return { expected: `an object that has no members but ${[...shape.keys()].map((name) => `'${name}'`).join(', ')}` }
  }
  const members = [...shape].map(([name, member]) => [name, tryReadMember(value[name] ?? null, member)] as const)
  for (const [name, result] of members) {
    if ('expected' in result) return { expected: `an object whose '${name}' is ${result.expected}` }
  }
  return { value: Object.fromEntries(members.map(([name, result]) => [name, 'value' in result && result.value])) }
}

function tryReadMember(value: JsonValue, { constraints, isNullable }: EmbeddedMember): ReadValueResult {
  if (value !== null) return tryReadTypedJsonValue(value, constraints)
  return isNullable ? { value: null } : { expected: 'present and not null' }
}

function tryReadEnum(value: JsonValue, { enumValues = [] }: ValueConstraints): ReadValueResult {
  const known = enumValues.find((each) => each === value)
  if (known !== undefined) return { value: known }
  const names = enumValues.map((each) => (typeof each === 'string' ? `'${each}'` : String(each)))
  return { expected: `one of ${names.join(', ')}` }
}

function tryReadBinary(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const { minimumLength = 0, maximumLength = Number.POSITIVE_INFINITY, maximum } = constraints
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64')
  // Other encodings of the same bytes would read back differently.
  if (bytes.toString('base64') !== value) return { expected: 'a base64 string' }
  const size = minimumLength === maximumLength ? `exactly ${maximumLength}` : `at most ${maximumLength}`
  if (bytes.length > maximumLength || bytes.length < minimumLength) return { expected: `base64 of ${size} bytes` }
  const isTooLarge = maximum !== undefined && BigInt(`0x${bytes.toString('hex')}`) > maximum
  return isTooLarge ? { expected: `base64 of at most the bits of ${maximum}` } : { value: bytes }
}
