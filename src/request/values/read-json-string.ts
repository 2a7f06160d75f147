import { isJsonObject, type JsonValue } from '../../document/json'
import { isStorableText, isUuid } from '../../graph/model/text-formats'
import type { ValueConstraints } from '../../graph/model/value-type'
import type { ReadValueResult } from './read-number'

export function safeParseJsonValueAsString(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const { maximumLength = Number.POSITIVE_INFINITY } = constraints
  if (typeof value !== 'string') return { expected: describeText(constraints) }
  if (!isStorableText(value)) return { expected: LEGAL_TEXT }
  if (isLongerThan(value, maximumLength)) return { expected: describeText(constraints) }
  if (constraints.isPadded && value.endsWith(' '))
    return { expected: `${describeText(constraints)}, without blanks at its end` }
  return safeParseByteLimitedValue(value, value, constraints)
}

function describeText({ maximumLength = Number.POSITIVE_INFINITY }: ValueConstraints): string {
  return maximumLength === Number.POSITIVE_INFINITY ? 'a string' : `a string of at most ${maximumLength} characters`
}

/** Returns the value if its stored form has few enough bytes. */
export function safeParseByteLimitedValue(
  value: unknown,
  stored: string,
  { maximumBytes }: ValueConstraints,
): ReadValueResult {
  if (maximumBytes === undefined || Buffer.byteLength(stored) <= maximumBytes) return { value }
  return { expected: `a value of at most ${maximumBytes} bytes` }
}

/** Reads a UUID and converts it to lower case, as PostgreSQL returns it. */
export function safeParseJsonValueAsUuid(value: JsonValue): ReadValueResult {
  if (typeof value === 'string' && isUuid(value)) return { value: value.toLowerCase() }
  return { expected: 'a UUID like 123e4567-e89b-42d3-a456-426614174000' }
}

/** Reads a list. It is stored as text with commas in between, so values that would read back differently are invalid. */
export function safeParseJsonValueAsStringList(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const { maximumLength = Number.POSITIVE_INFINITY, enumValues } = constraints
  if (!isListOfStrings(value)) return { expected: 'an array of strings' }
  if (!value.every(isStorableText)) return { expected: `an array, each of its members ${LEGAL_TEXT}` }
  if (value.some((member) => member.includes(','))) return { expected: 'an array of strings without commas' }
  if (value.length === 1 && value[0] === '') return { expected: 'an array that is empty or holds a string that is not' }
  if (enumValues !== undefined) return safeParseSet(value, enumValues)
  if (!isLongerThan(value.join(','), maximumLength))
    return safeParseByteLimitedValue(value, value.join(','), constraints)
  return { expected: `an array of strings of at most ${maximumLength} characters, commas between them included` }
}

/** Reads a set. MySQL stores each member once, in the order of the declaration. */
function safeParseSet(value: readonly string[], known: readonly (string | number)[]): ReadValueResult {
  const names = known.map(String)
  if (value.every((member) => names.includes(member))) return { value: names.filter((name) => value.includes(name)) }
  return { expected: `an array of ${names.map((name) => `'${name}'`).join(', ')}` }
}

/** Returns true if all strings and member names are storable text, and no number overflowed. */
export function isStorableJson(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isStorableText(value)
  if (Array.isArray(value)) return value.every(isStorableJson)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorableJson(member))
}

function isListOfStrings(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

/** Returns true if a text has more characters. Databases count characters, but JavaScript counts UTF-16 units. */
function isLongerThan(text: string, length: number): boolean {
  return text.length > length && [...text].length > length
}

const LEGAL_TEXT = 'a string of legal Unicode without NUL'
