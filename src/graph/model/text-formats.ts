import { isIPv4, isIPv6 } from 'node:net'

/** Returns true for a calendar date from year 0001 to 9999. `Date` parses February 30 as March 1, so the printed date must be the same. */
export function isDateString(text: string): boolean {
  if (PLAIN_DATE.test(text)) return true
  if (!DATE.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns the date at the start of a text if it has the form of one, but the day does not exist: February 30. */
export function missingDayOf(text: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text)?.[0]
  return day === undefined || isDateString(day) ? undefined : day
}

/** Returns true for the text that `Date` prints for a moment: `2024-02-29T13:45:00.000Z`. */
export function isCanonicalDatetime(text: string): boolean {
  return DATETIME.test(text) && isDateString(text.slice(0, 10))
}

/** Returns true for an IP address, which may have the length of its network: `10.0.0.1`, `2001:db8::/32`. */
export function isIpAddressOrCidr(text: string): boolean {
  const [address = '', ...lengths] = text.split('/')
  const bits = isIPv4(address) ? 32 : 128
  const isAddress = isIPv4(address) || (isIPv6(address) && !address.includes('%'))
  return isAddress && lengths.length < 2 && lengths.every((each) => NETWORK_LENGTH.test(each) && Number(each) <= bits)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns true for text that every database can store: PostgreSQL stores no NUL, and UTF-8 has no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text)
}

/** Matches days that each month of each year has. Creating a `Date` takes much longer. */
const PLAIN_DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATETIME = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const NETWORK_LENGTH = /^(?:0|[1-9]\d{0,2})$/
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const LONE_SURROGATE = /\p{Surrogate}/u
