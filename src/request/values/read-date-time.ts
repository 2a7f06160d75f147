import type { JsonValue } from '../../document/json'
import { trimTrailing } from '../../document/trim-text'
import { isDateString, missingDayOf } from '../../graph/model/text-formats'
import type { ValueConstraints } from '../../graph/model/value-type'
import { isWithinBounds, type ReadValueResult } from './read-number'

/** Reads a date and time in ISO 8601. Without a zone, it is UTC. */
export function safeParseJsonValueAsDatetime(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const instant = toInstant(value, constraints)
  if (instant !== undefined) return { value: instant }
  const limits = `${describeDatetimeLimits(value, constraints)}${describeEpoch(constraints)}`
  return { expected: `a date and time like 2024-02-29T13:45:00Z${limits}` }
}

function toInstant(value: JsonValue, constraints: ValueConstraints): Date | undefined {
  const instant = toInstantOfAnyYear(value, constraints)
  if (instant === undefined || !isYear(instant.getUTCFullYear())) return undefined
  return isWithinBounds(instant.getTime(), constraints) ? instant : undefined
}

function toInstantOfAnyYear(value: JsonValue, constraints: ValueConstraints): Date | undefined {
  const match = typeof value === 'string' ? DATETIME.exec(value) : null
  if (match === null) return undefined
  const [, date = '', time = '', zone = 'Z'] = match
  const clock = readClock(time, constraints)
  if (!isDateString(date) || clock === undefined || !isZone(zone)) return undefined
  return new Date(`${date}T${clock}${withColon(zone)}`)
}

export function safeParseJsonValueAsDateOnly(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const isValid = typeof value === 'string' && isDateString(value) && isWithinBounds(Date.parse(value), constraints)
  return isValid ? { value } : { expected: `a date like 2024-02-29${describeDay(value)}${describeEpoch(constraints)}` }
}

export function safeParseJsonValueAsTime(value: JsonValue, constraints: ValueConstraints): ReadValueResult {
  const clock = typeof value === 'string' ? readClock(value, constraints) : undefined
  return clock === undefined
    ? { expected: `a time like 13:45:00${describeClock(value, constraints) || describeScale(constraints)}` }
    : { value: clock }
}

/** Describes the limit that a value of the right form exceeds, and the limit of its column. */
function describeDatetimeLimits(value: JsonValue, constraints: ValueConstraints): string {
  const [, date = '', time = '', zone = 'Z'] = (typeof value === 'string' && DATETIME.exec(value)) || []
  const exceeded = describeDay(date) || describeClock(time, constraints)
  return exceeded || describeZone(zone) || describeYear(value, constraints) || describeScale(constraints)
}

function describeZone(zone: string): string {
  return isZone(zone) ? '' : ', with a zone from -23:59 to +23:59,'
}

/** Describes the limit of years for a moment that exceeds it only in UTC. */
function describeYear(value: JsonValue, constraints: ValueConstraints): string {
  const instant = toInstantOfAnyYear(value, constraints)
  return instant === undefined || isYear(instant.getUTCFullYear()) ? '' : ', in a year from 0001 to 9999 in UTC,'
}

function describeDay(value: JsonValue): string {
  if (typeof value !== 'string' || missingDayOf(value) === undefined) return ''
  return value.startsWith('0000') ? ', in a year from 0001 to 9999,' : ', on a day of the calendar,'
}

/** Describes the limit that a time of day exceeds. */
function describeClock(value: JsonValue, constraints: ValueConstraints): string {
  const text = typeof value === 'string' ? value : ''
  if (TIME.test(text) && readClock(text, {}) === undefined) return ', between 00:00 and 23:59:59,'
  const digits = /\.(\d*)$/.exec(text)?.[1] ?? ''
  const scale = scaleOf(constraints)
  if (trimTrailing(digits, '0').length > scale) return formatScale(scale)
  return digits.length > MOST_DIGITS ? formatScale(MOST_DIGITS) : ''
}

/** Describes the precision of a column. Every value may have milliseconds, so only a smaller one is described. */
function describeScale(constraints: ValueConstraints): string {
  const scale = scaleOf(constraints)
  return scale < MILLISECONDS ? formatScale(scale) : ''
}

function formatScale(scale: number): string {
  return scale === 0 ? ', in whole seconds,' : `, with at most ${scale} digits after the seconds,`
}

function scaleOf({ scale = MOST_DIGITS }: ValueConstraints): number {
  return Math.min(scale, MOST_DIGITS)
}

function describeEpoch({ minimum, maximum }: ValueConstraints): string {
  const first = minimum === undefined ? '' : ` from ${new Date(Number(minimum)).toISOString()}`
  return maximum === undefined ? first : `${first} to ${new Date(Number(maximum)).toISOString()}`
}

/** Returns true for the years that every database stores, and that ISO 8601 allows without prior agreement. */
function isYear(year: number): boolean {
  return year > 0 && year < 10_000
}

/** Returns the canonical time of day, with seconds. */
function readClock(text: string, { scale = MOST_DIGITS }: Pick<ValueConstraints, 'scale'>): string | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, hour = '', minute = '', second = '00', fraction = ''] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const digits = trimTrailing(fraction, '0')
  return digits.length > scale ? undefined : `${hour}:${minute}:${second}${canonicalFraction(digits)}`
}

/** Returns no fraction or at least three digits, so that a time has one form. */
function canonicalFraction(digits: string): string {
  return digits === '' ? '' : `.${digits.padEnd(3, '0')}`
}

function isZone(zone: string): boolean {
  const [hours = 0, minutes = 0] = (zone.match(/\d\d/g) ?? []).map(Number)
  return hours < 24 && minutes < 60
}

function withColon(zone: string): string {
  return zone.toUpperCase().replace(/^(.\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
}

const MILLISECONDS = 3
/** The most digits after the seconds of any value. */
const MOST_DIGITS = 9
const DATETIME = /^(\d{4}-\d\d-\d\d)[Tt]([\d:.]+)([Zz]|[+-]\d\d(?::?\d\d)?)?$/
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/
