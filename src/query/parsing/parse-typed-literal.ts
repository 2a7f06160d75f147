import { trimTrailing } from '../../document/trim-text'
import { didYouMeanIfSeveral } from '../../errors/nearest-name'
import { decodeIdToRuntimeKey, formatExpectedId } from '../../graph/model/record-id'
import { isDateString, isUuid, missingDayOf } from '../../graph/model/text-formats'
import type { AttributeType, ValueConstraints } from '../../graph/model/value-type'
import type { Literal } from '../tree/ast'
import { Param } from '../tree/param'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import { type QueryToken, type QueryTokenCursor, quotesHint, startsWithOtherQuote } from './token-cursor'

/** Parses a quoted text as a value within these constraints. */
export function parseTypedLiteral({ text, start }: QueryToken, constraints: ValueConstraints): Literal {
  const value =
    constraints.codec === undefined
      ? LITERAL_READERS[constraints.valueType](text, constraints)
      : decodeIdToRuntimeKey(text, constraints)
  if (value !== undefined) return { kind: 'literal', value: new Param(value) }
  const hint = constraints.codec === undefined ? hintForValue(text, constraints) : ''
  throw new QuerySyntaxError({
    position: start,
    expected: describeConstraints(constraints),
    found: quoteAndTruncate(text),
    hint,
  })
}

function hintForValue(text: string, constraints: ValueConstraints): string {
  const { valueType } = constraints
  if (valueType === 'enum') return didYouMeanIfSeveral(text, enumTexts(constraints))
  const missingDay = valueType === 'date' || valueType === 'datetime' ? missingDayOf(text) : undefined
  if (missingDay?.startsWith('0000')) return ` ${missingDay} is not in a year from 0001 to 9999.`
  return missingDay === undefined ? '' : ` ${missingDay} is no day of the calendar.`
}

/** Parses the argument of a text function: any text that databases can store. */
export function parseTextLiteral({ text, start }: QueryToken): string {
  const value = readString(text)
  if (value !== undefined) return value
  throw new QuerySyntaxError({ position: start, expected: TEXT, found: quoteAndTruncate(text) })
}

type LiteralReader = (text: string, constraints: ValueConstraints) => unknown

const LITERAL_READERS: Readonly<Record<AttributeType, LiteralReader>> = {
  string: readString,
  uuid: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  integer: (text, constraints) => {
    const integer = readInteger(text, constraints, SAFE_INTEGERS)
    return integer === undefined ? undefined : Number(integer)
  },
  bigint: (text, constraints) => readInteger(text, constraints, BIG_INTEGERS)?.toString(),
  float: readFloat,
  decimal: readDecimal,
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  datetime: readDatetime,
  date: (text) => (isDateString(text) ? text : undefined),
  time: readTime,
  enum: (text, { enumValues = [] }) => enumValues.find((each) => String(each) === text),
  list: () => undefined,
  binary: () => undefined,
  json: () => undefined,
}

/** Refuses NUL: PostgreSQL does not store it, and in other databases it would end the text. */
function readString(text: string): string | undefined {
  return text.includes('\0') ? undefined : text
}

function readInteger(text: string, constraints: ValueConstraints, bounds: IntegerBounds): bigint | undefined {
  if (!INTEGER.test(text) || text.length > MAX_INTEGER_LENGTH) return undefined
  const { minimum = bounds.minimum, maximum = bounds.maximum } = constraints
  const value = BigInt(text)
  return value < minimum || value > maximum ? undefined : value
}

/** Reads a number; `-0` becomes `0`. */
function readFloat(text: string): number | undefined {
  const value = Number(text) + 0
  return NUMBER.test(text) && Number.isFinite(value) ? value : undefined
}

/** Reads a decimal. More decimals than the column stores are valid: `lessThan(price,'9.999')` makes sense for prices in cents. */
function readDecimal(text: string, { precision, scale = 0 }: ValueConstraints): string | undefined {
  const [, sign = '', integer = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (integer === '' || integer.length + fraction.length > MAX_DIGITS) return undefined
  if (precision !== undefined && integer !== '0' && integer.length > precision - scale) return undefined
  return Number(text) === 0 ? text.replace('-', '') : sign + integer + fraction
}

/** Reads a date and time. Without a zone, it is UTC. */
function readDatetime(text: string): Date | undefined {
  const [, date = '', minutes = '', seconds = ':00', zone = 'Z'] = DATETIME.exec(text) ?? []
  if (!isDateString(date)) return undefined
  const value = new Date(`${date}T${minutes}${seconds}${zone}`)
  return value.getUTCFullYear() < 1 || value.getUTCFullYear() > 9999 ? undefined : value
}

/** Returns the canonical form of a time, because some databases compare times as text. */
function readTime(text: string): string | undefined {
  const [, minutes, seconds = ':00', fraction = ''] = TIME.exec(text) ?? []
  if (minutes === undefined) return undefined
  const digits = trimTrailing(fraction, '0')
  return minutes + seconds + (digits === '' ? '' : `.${digits.padEnd(3, '0')}`)
}

function describeConstraints(constraints: ValueConstraints): string {
  if (constraints.codec !== undefined) return formatExpectedId(constraints)
  switch (constraints.valueType) {
    case 'integer':
      return describeBounds('an integer', { ...SAFE_INTEGERS, ...constraints })
    case 'bigint':
      return describeBounds('an integer', { ...BIG_INTEGERS, ...constraints })
    case 'enum':
      return `one of ${enumTexts(constraints).map(quoteAndTruncate).join(', ')}`
    default:
      return DESCRIPTIONS[constraints.valueType]
  }
}

function describeBounds(what: string, { minimum, maximum }: IntegerBounds): string {
  return `${what} from ${minimum} to ${maximum}`
}

function enumTexts({ enumValues = [] }: ValueConstraints): readonly string[] {
  return enumValues.map(String)
}

interface IntegerBounds {
  readonly minimum: bigint
  readonly maximum: bigint
}

const SAFE_INTEGERS: IntegerBounds = {
  minimum: BigInt(Number.MIN_SAFE_INTEGER),
  maximum: BigInt(Number.MAX_SAFE_INTEGER),
}
const BIG_INTEGERS: IntegerBounds = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const MAX_INTEGER_LENGTH = 40
const MAX_DIGITS = 1000

const TEXT = 'a text without NUL characters'
const NOT_COMPARED = 'nothing to compare with'
const DESCRIPTIONS: Readonly<Record<Exclude<AttributeType, 'integer' | 'bigint' | 'enum'>, string>> = {
  string: TEXT,
  uuid: 'a UUID',
  float: 'a number',
  decimal: 'a decimal number in range',
  boolean: "'true' or 'false'",
  datetime: "a date and time such as '2024-02-29T12:30:00Z'",
  date: "a date such as '2024-02-29'",
  time: "a time such as '12:30:00'",
  list: NOT_COMPARED,
  binary: NOT_COMPARED,
  json: NOT_COMPARED,
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const DECIMAL = /^(-?)(0|[1-9]\d*)(\.\d+)?$/
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:\.(\d{1,9}))?)?$/

/** Parses an operand at which a client may have forgotten the quotes of a value. Adds a hint to the error for an unknown name. */
export function parseOrSuggestQuotes<Operand>(
  cursor: QueryTokenCursor,
  purpose: 'compare with' | 'pass',
  parse: () => Operand,
): Operand {
  const { text, start } = cursor.peek()
  const value = cursor.peekUnquotedValue()
  try {
    return parse()
  } catch (error) {
    if (value === undefined || !(error instanceof QuerySyntaxError)) throw error
    const { position, expected, found, issues } = error
    if (position !== start || found !== quoteAndTruncate(text)) throw error
    const nearest = startsWithOtherQuote(text) ? '' : (issues[0]?.hint ?? '')
    throw new QuerySyntaxError({ position, expected, found, hint: nearest + quotesHint(value, purpose) })
  }
}
