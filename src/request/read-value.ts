import type { JsonValue } from '../document/json'
import { assertNever } from '../errors/invariant'
import type { ValueRange } from '../graph/value-type'
import { readDate, readDatetime, readTime } from './read-calendar'
import { readBigint, readDecimal, readInteger } from './read-digits'
import { hasOnlyLegalText, readList, readString, readUuid } from './read-text'
import type { Reading } from './reading'

/** A value other than null, as `ValueType` has it held; or what was expected in its place. */
export function readValue(value: JsonValue, range: ValueRange): Reading {
  switch (range.valueType) {
    case 'string':
      return readString(value, range)
    case 'uuid':
      return readUuid(value)
    case 'integer':
      return readInteger(value, range)
    case 'float':
      return readFloat(value)
    case 'bigint':
      return readBigint(value, range)
    case 'decimal':
      return readDecimal(value, range)
    case 'boolean':
      return typeof value === 'boolean' ? { held: value } : { expected: 'true or false' }
    case 'datetime':
      return readDatetime(value)
    case 'date':
      return readDate(value)
    case 'time':
      return readTime(value)
    case 'enum':
      return readEnum(value, range)
    case 'list':
      return readList(value, range)
    case 'binary':
      return readBinary(value, range)
    case 'json':
      return hasOnlyLegalText(value)
        ? { held: value }
        : { expected: 'JSON of which all text is legal Unicode without NUL' }
    default:
      return assertNever(range.valueType)
  }
}

function readFloat(value: JsonValue): Reading {
  return typeof value === 'number' && Number.isFinite(value) ? { held: value } : { expected: 'a number' }
}

function readEnum(value: JsonValue, { enumValues = [] }: ValueRange): Reading {
  const known = enumValues.find((each) => each === value)
  if (known !== undefined) return { held: known }
  const names = enumValues.map((each) => (typeof each === 'string' ? `'${each}'` : String(each)))
  return { expected: `one of ${names.join(', ')}` }
}

function readBinary(value: JsonValue, { maximumLength = Number.POSITIVE_INFINITY }: ValueRange): Reading {
  if (typeof value !== 'string' || value.length % 4 !== 0 || !BASE64.test(value)) return { expected: 'a base64 string' }
  const bytes = Buffer.from(value, 'base64')
  return bytes.length <= maximumLength ? { held: bytes } : { expected: `base64 of at most ${maximumLength} bytes` }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
