import { decodeIdToRuntimeKey } from '../graph/model/record-id'
import type { ResourceType } from '../graph/model/resource-graph'
import { isDateString } from '../graph/model/text-formats'
import type { AttributeType, ValueConstraints } from '../graph/model/value-type'
import type { SortKeyNode } from '../query/tree/ast'
import { isTransformedIdOperand, valueConstraintsOfOperand } from '../query/tree/comparability'
import { isSortKeyNeverNull } from '../query/tree/sort-key'

/** Returns true if a value in a cursor is valid for a sort key. The database would fail with an invalid value. */
export function isValidCursorValue(value: string | null | undefined, { by }: SortKeyNode, type: ResourceType): boolean {
  if (value === undefined) return false
  if (value === null) return !isSortKeyNeverNull(by, type)
  if (by.kind === 'count') return WHOLE.test(value)
  const constraints = valueConstraintsOfOperand(by)
  if (constraints.codec !== undefined || isTransformedIdOperand(by))
    return decodeIdToRuntimeKey(value, constraints) !== undefined
  return CURSOR_VALUE_TESTS[constraints.valueType](value, constraints)
}

type CursorValueTest = (text: string, constraints: ValueConstraints) => boolean

/** Tests of the text that databases return, which is more precise than the literals of filters. */
const CURSOR_VALUE_TESTS: Readonly<Record<AttributeType, CursorValueTest>> = {
  string: (text) => !UNWRITABLE.test(text),
  uuid: (text) => UUID.test(text),
  integer: isInteger,
  bigint: isInteger,
  float: isNumber,
  decimal: (text) => isNumber(text) && text.length <= MAX_DIGITS,
  boolean: (text) => text === 'true' || text === 'false',
  datetime: isDatetime,
  date: isDateString,
  time: (text) => TIME.test(text),
  enum: (text, { enumValues = [] }) => enumValues.some((each) => String(each) === text),
  list: () => false,
  binary: () => false,
  json: () => false,
}

function isInteger(text: string, { minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }: ValueConstraints): boolean {
  if (!INTEGER.test(text)) return false
  const value = BigInt(text)
  return value >= minimum && value <= maximum
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text)) && (Number(text) !== 0 || ZERO.test(text))
}

function isDatetime(text: string): boolean {
  const [, date = '', time] = DATETIME.exec(text) ?? []
  return isDateString(date) && (time === undefined || TIME.test(time))
}

/** Decimal columns of PostgreSQL and MariaDB have fewer characters, including sign and decimal point. */
const MAX_DIGITS = 100
const WHOLE = /^(?:0|[1-9]\d{0,15})$/
const INTEGER = /^-?(?:0|[1-9]\d{0,19})$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/
/** NUL and lone surrogates, which databases can't store. */
const UNWRITABLE = /[\0\p{Cs}]/u
/** Matches zero itself. Any other number that parses as 0 is too small for a double, and PostgreSQL rejects it. */
const ZERO = /^-?[0.]+(?:e|$)/
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const DATETIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](.+))?$/
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d(?::[0-5]\d)?)?)?$/
