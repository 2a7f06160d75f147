import { decodeIdToRuntimeKey } from '../graph/model/record-id'
import type { ResourceType } from '../graph/model/resource-graph'
import { isDateString } from '../graph/model/text-formats'
import type { AttributeType, ValueConstraints } from '../graph/model/value-type'
import type { SortKeyNode } from '../query/tree/ast'
import { isTransformedIdOperand, valueConstraintsOfOperand } from '../query/tree/comparability'
import { isSortKeyNeverNull } from '../query/tree/sort-key'

/**
 * Returns true if a value in a cursor is valid for a sort key. Accepts what any of the databases prints; a forged value that the database of the
 * application rejects is an error of the query.
 */
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
  string: (text) => !LONE_SURROGATE.test(text),
  uuid: (text) => UUID.test(text),
  integer: isInteger,
  bigint: isInteger,
  float: isNumber,
  decimal: (text) => isNumber(text) && text.length <= MAX_DIGITS,
  boolean: (text) => text === 'true' || text === 'false',
  datetime: isDatetime,
  date: isDay,
  time: (text) => TIME.test(text) || UNUSUAL_TIME.test(text),
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
  if (NOT_FINITE.test(text)) return true
  return NUMBER.test(text) && Number.isFinite(Number(text)) && (Number(text) !== 0 || ZERO.test(text))
}

function isDay(text: string): boolean {
  return isDateString(text.replace(BEFORE_CHRIST, '')) || UNUSUAL_DAY.test(text)
}

function isDatetime(text: string): boolean {
  if (UNUSUAL_DAY.test(text)) return true
  const [, date = '', time] = DATETIME.exec(text.replace(BEFORE_CHRIST, '')) ?? []
  return isDay(date) && (time === undefined || TIME.test(time))
}

/** Decimal columns of PostgreSQL and MariaDB have fewer characters, including sign and decimal point. */
const MAX_DIGITS = 100
const WHOLE = /^(?:0|[1-9]\d{0,15})$/
const INTEGER = /^-?(?:0|[1-9]\d{0,19})$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/
const NOT_FINITE = /^(?:NaN|-?Infinity)$/
/** No database can store it. PostgreSQL can't store NUL either. */
const LONE_SURROGATE = /\p{Cs}/u
/** Matches zero itself. Any other number that parses as 0 is too small for a double, and PostgreSQL rejects it. */
const ZERO = /^-?[0.]+(?:e|$)/
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const DATETIME = /^(\d{4,6}-\d{2}-\d{2})(?:[T ](.+))?$/
/** PostgreSQL has infinite days, and days of more than four digits. MariaDB and MySQL have days like `0000-00-00` and `2024-02-00`. */
const UNUSUAL_DAY = /^(?:-?infinity|\d{4}-00-\d{2}|\d{4}-\d{2}-00|\d{5,6}-\d{2}-\d{2})$/
const BEFORE_CHRIST = / BC$/
/** PostgreSQL has 24:00:00, and MariaDB and MySQL have times from -838:59:59 to 838:59:59. */
const UNUSUAL_TIME = /^-?\d{2,3}:[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d(?::[0-5]\d)?)?)?$/
