import { isJsonObject, type JsonValue } from '../document/json'
import type { ValueRange } from '../graph/value-type'
import type { Reading } from './reading'

export function readString(value: JsonValue, { maximumLength = Number.POSITIVE_INFINITY }: ValueRange): Reading {
  const limit = maximumLength === Number.POSITIVE_INFINITY ? '' : ` of at most ${maximumLength} characters`
  if (typeof value !== 'string') return { expected: `a string${limit}` }
  if (!isLegalText(value)) return { expected: LEGAL_TEXT }
  return isLongerThan(value, maximumLength) ? { expected: `a string${limit}` } : { held: value }
}

/** Held in lower case, as PostgreSQL does: one UUID is written in one way. */
export function readUuid(value: JsonValue): Reading {
  if (typeof value === 'string' && UUID.test(value)) return { held: value.toLowerCase() }
  return { expected: 'a UUID like 123e4567-e89b-42d3-a456-426614174000' }
}

/** Lists are stored as their members joined with commas: what would not come back as it was sent is refused. */
export function readList(value: JsonValue, { maximumLength = Number.POSITIVE_INFINITY }: ValueRange): Reading {
  if (!isListOfStrings(value)) return { expected: 'an array of strings' }
  if (!value.every(isLegalText)) return { expected: `an array, each of its members ${LEGAL_TEXT}` }
  if (value.some((member) => member.includes(','))) return { expected: 'an array of strings without commas' }
  if (value.length === 1 && value[0] === '') return { expected: 'an array that is empty or holds a string that is not' }
  if (!isLongerThan(value.join(','), maximumLength)) return { held: value }
  return { expected: `an array of strings of at most ${maximumLength} characters, commas between them included` }
}

/** Neither the databases nor UTF-8 can hold a lone surrogate, and PostgreSQL no NUL. */
export function isLegalText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text)
}

/** `isLegalText` for every string and member name within a value. */
export function hasOnlyLegalText(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return isLegalText(value)
  if (Array.isArray(value)) return value.every(hasOnlyLegalText)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, member]) => isLegalText(name) && hasOnlyLegalText(member))
}

function isListOfStrings(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

/** Databases count characters, not the halves of them that JavaScript counts. */
function isLongerThan(text: string, length: number): boolean {
  return text.length > length && [...text].length > length
}

const LEGAL_TEXT = 'a string of legal Unicode without NUL'
const LONE_SURROGATE = /\p{Surrogate}/u
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
