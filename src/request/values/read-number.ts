import type { JsonValue } from '../../document/json'
import { trimTrailing } from '../../document/trim-text'
import type { ValueConstraints } from '../../graph/model/value-type'

export function safeParseJsonValueAsInteger(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    return { expected: `an integer${formatBounds(constraints)}` }
  // Adding zero converts -0 to 0.
  return isWithinBounds(value, constraints)
    ? { value: value + 0 }
    : { expected: `an integer${formatBounds(constraints)}` }
}

/** Reads a 64-bit integer. Above 2^53, JSON numbers lose digits, so clients must send a string of digits. */
export function safeParseJsonValueAsBigint(value: JsonValue, declared: ValueConstraints): ReadValueResult {
  const constraints = { ...BIGINTS, ...declared }
  const digits = Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits === 'string' && digits.length <= MAX_DIGITS && INTEGER.test(digits)) {
    const integer = BigInt(digits)
    if (isWithinBounds(integer, constraints)) return { value: integer.toString() }
  }
  return { expected: `an integer${formatBounds(constraints)}, as a string of digits if it is above 2^53` }
}

export function safeParseJsonValueAsFloat(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const { significantDigits, minimum, precision, scale } = constraints
  if (typeof value !== 'number' || !Number.isFinite(value)) return { expected: 'a number' }
  if (minimum !== undefined && value < Number(minimum)) return { expected: `a number of at least ${minimum}` }
  if (significantDigits !== undefined && !isSingle(value, significantDigits)) {
    return {
      expected: `a number of at most ${significantDigits} digits, up to ${GREATEST_SINGLE} and down to ${LEAST_SINGLE}`,
    }
  }
  if (precision !== undefined && scale !== undefined && !isRounded(value, precision, scale)) {
    return { expected: describeDecimal(constraints) }
  }
  // Adding zero converts -0 to 0.
  return { value: value + 0 }
}

/** Returns true if a 32-bit float stores the value exactly. */
function isSingle(value: number, digits: number): boolean {
  const size = Math.abs(value)
  return value === 0 || (Number(value.toPrecision(digits)) === value && size <= GREATEST_SINGLE && size >= LEAST_SINGLE)
}

function isRounded(value: number, precision: number, scale: number): boolean {
  return Number(value.toFixed(scale)) === value && Math.abs(value) < 10 ** (precision - scale)
}

const GREATEST_SINGLE = 3.40282e38
const LEAST_SINGLE = 1.1755e-38

/** Reads a decimal. Returns it in the notation in which the column returns it, so that rules can compare old and new values. */
export function safeParseJsonValueAsDecimal(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  return readDecimal(value, constraints, (decimal) => toColumnScale(decimal, constraints))
}

function readDecimal(
  value: JsonValue,
  constraints: ValueConstraints,
  normalize: (decimal: string) => string,
): ReadValueResult {
  const decimal = toDecimal(value, constraints)
  return decimal === undefined ? { expected: describeDecimal(constraints) } : { value: normalize(decimal) }
}

/** Reads a decimal key. Returns it as the database returns keys: SQLite does not pad them. */
export function safeParseDecimalKey(id: string, constraints: ValueConstraints): ReadValueResult {
  const isPadded = constraints.significantDigits === undefined
  return isPadded ? safeParseJsonValueAsDecimal(id, constraints) : readDecimal(id, constraints, (decimal) => decimal)
}

/** Adds or removes zeros at the end. `12.5` -> `12.50` with a scale of 2 */
function toColumnScale(decimal: string, { precision, scale, significantDigits }: ValueConstraints): string {
  // SQLite removes zeros without a scale. PostgreSQL keeps all digits unless the column has a precision.
  const isSqlite = significantDigits !== undefined
  if (!isSqlite && (precision === undefined || scale === undefined)) return decimal
  const [integer = '', fraction = ''] = decimal.split('.')
  const digits = trimTrailing(fraction, '0').padEnd(scale ?? 0, '0')
  return digits === '' ? integer : `${integer}.${digits}`
}

/** Returns the digits of a decimal in canonical form; `undefined` if the value is none that the column stores exactly. */
function toDecimal(value: JsonValue, constraints: ValueConstraints): string | undefined {
  const digits = typeof value === 'number' ? exactDigits(value) : value
  const match = typeof digits === 'string' && digits.length <= MAX_DIGITS ? DECIMAL.exec(digits) : null
  if (match === null) return undefined
  const [, sign = '', integer = '', fraction = ''] = match
  if (!fits(integer, trimTrailing(fraction, '0'), constraints)) return undefined
  if (sign !== '' && constraints.minimum === 0n && /[1-9]/.test(integer + fraction)) return undefined
  const decimal = fraction === '' ? integer : `${integer}.${fraction}`
  return /[1-9]/.test(decimal) ? `${sign}${decimal}` : decimal
}

/** Returns the digits without an exponent; `undefined` if the client may have sent more digits than a number stores. */
function exactDigits(value: number): string | undefined {
  const [mantissa = '', exponent] = String(value).split('e')
  if (trimTrailing(mantissa.replace(/\D/g, '').replace(/^0+/, ''), '0').length > EXACT_DIGITS) return undefined
  return exponent === undefined ? mantissa : shiftPoint(mantissa, Number(exponent))
}

/** Writes out an exponent: `shiftPoint('1.5', 3)` -> `1500`, `shiftPoint('-1.5', -3)` -> `-0.0015` */
function shiftPoint(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [integer = '', fraction = ''] = mantissa.slice(sign.length).split('.')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - integer.length)}${integer}${fraction}`
  return `${sign}${integer}${fraction.padEnd(exponent, '0')}`
}

function fits(integer: string, fraction: string, { precision, scale, significantDigits }: ValueConstraints): boolean {
  const significant = `${integer}${fraction}`.replace(/^0+/, '').length
  if (significantDigits !== undefined && significant > significantDigits) return false
  const maxFractionDigits = scale ?? (precision === undefined ? Number.POSITIVE_INFINITY : 0)
  const maxIntegerDigits = precision === undefined ? Number.POSITIVE_INFINITY : precision - maxFractionDigits
  return (integer === '0' ? 0 : integer.length) <= maxIntegerDigits && fraction.length <= maxFractionDigits
}

function describeDecimal({
  precision,
  scale,
  minimum,
  significantDigits = Number.POSITIVE_INFINITY,
}: ValueConstraints): string {
  const least = minimum === undefined ? '' : ` of at least ${minimum}`
  const number = `a number${least}, or a string of its digits,`
  if ((precision ?? 0) > significantDigits) return `${number} with at most ${significantDigits} digits in all`
  if (precision !== undefined)
    return `${number} with at most ${precision - (scale ?? 0)} digits before and ${scale ?? 0} after the point`
  return scale === undefined
    ? 'a number or a string of its digits'
    : `${number} with at most ${scale} digits after the point`
}

/** Returns true if a number is within the bounds, which are inclusive. */
export function isWithinBounds(value: bigint | number, { minimum, maximum }: ValueConstraints): boolean {
  return (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum)
}

function formatBounds({ minimum, maximum }: ValueConstraints): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${minimum} and ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

const BIGINTS = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
/** More than any database stores. */
const MAX_DIGITS = 1000
/** The digits that a double stores exactly. */
const EXACT_DIGITS = 15
const INTEGER = /^-?\d+$/
const DECIMAL = /^(-?)0*(0|[1-9]\d*)(?:\.(\d+))?$/

/** The result of reading a value: the value in its internal form, or a description of what was expected. */
export type ReadValueResult = { readonly value: unknown } | { readonly expected: string }
