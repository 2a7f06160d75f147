import type { Attribute } from '../../../src/graph/resource-graph'
import type { ValueRange, ValueType } from '../../../src/graph/value-type'
import { DATABASE } from '../../support/database'

/** Texts that mean something to a database, to a URL or to Unicode; few of each, so that rows are alike. */
export const TEXTS: readonly string[] = [
  ...['', 'a', 'A', 'b', 'ab', 'aB', ' a', 'a ', 'a  b', "O'Hara", "''", '"', '`', '%', '_', 'a%', 'a_b', '\\', 'a\\b'],
  ...['\\%', '*', '?', '$1', ':a', '--', ';', '/*', '&a=b', 'a+b', '%20', '[a]', '{a}', 'null', 'true', '0', '10', '9'],
  ...['\n', '\t', '\u2028', '\ufeff', '\u{1f600}', 'a\u{1f600}', '\u{1f468}\u200d\u{1f469}'],
  ...['\u00e9', 'e\u0301', 'e', '\u0301', '\u00df', 'ss', '\u0130', 'i', '\uff41', '\u65e5\u672c'],
]

/** No two are equal in any collation, so that each can be the key of a row. `.` and `..` can't stand in a URL. */
export const TEXT_IDS: readonly string[] = [
  ...["o'x", 'b%', 'c_', 'd\\', 'e/f', 'g h', 'h?i', 'j#', 'k,l', 'm&n=', '\u{1f600}', '\u65e5\u672c', 'p+', 'q%2f'],
]

export const UUIDS: readonly string[] = [
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ...['7c9e6679-7425-40de-944b-e07fc1f90ae8', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
]

/** What can be stored in an attribute, and what it can be compared with. */
export function valuesOf({ range, isNullable }: Attribute): readonly unknown[] {
  const values = POOLS[range.valueType].filter((value) => fits(value, range))
  return isNullable ? [...values, null, null] : values
}

/** Beyond what is stored. */
export function literalsOf(range: ValueRange): readonly unknown[] {
  if (range.parts !== undefined) return combined(range.parts.map(literalsOf))
  if (range.valueType === 'enum') return range.enumValues ?? []
  return [...POOLS[range.valueType], ...(EXTREMES[range.valueType] ?? [])].filter((value) => isInRange(value, range))
}

/** Each value of the longest once. */
function combined(pools: readonly (readonly unknown[])[]): readonly unknown[] {
  const longest = Math.max(...pools.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => pools.map((pool) => pool[index % pool.length]))
}

const POOLS: Readonly<Record<ValueType, readonly unknown[]>> = {
  string: TEXTS,
  uuid: UUIDS,
  integer: [0, 0, 1, 2, 3, -1, 7, 2147483647, -2147483648],
  bigint: ['0', '1', '2', '-1', '9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
  float: [0, 1, 2, 0.1, -1.5, 1e-7, 2.5, 1e15],
  decimal: ['0.00', '1.00', '2.00', '0.10', '-1.50', '2.50', '999999.99', '-999999.99'],
  boolean: [true, false],
  datetime: [
    ...['1970-01-01T00:00:00.000Z', '2024-02-29T12:30:00.123Z', '2024-02-29T12:30:00.124Z', '2038-01-19T03:14:08Z'],
  ].map((text) => new Date(text)),
  date: ['1970-01-01', '2024-02-29', '2024-03-01', '9999-12-31'],
  time: ['00:00:00', '12:30:00', '12:30:01', '23:59:59'],
  enum: ['draft', 'final'],
  list: [],
  binary: [],
  json: [{ a: [1, 'x', null] }, [], 'text', 0, false],
}

const EXTREMES: Readonly<Partial<Record<ValueType, readonly unknown[]>>> = {
  integer: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  float: [1e21, -1e300, 5e-324, 0.30000000000000004],
  // Of more than fifteen digits SQLite, which computes with doubles, would know no more than that.
  decimal: ['0.105', '-1.4999', '0', '1', '2.5', '0.1000000', '999999.999'],
  // The first years of our era are no years to MariaDB, whose calendar starts in 1000.
  datetime: ['2024-02-29T12:30:00Z', '1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'].map((text) => new Date(text)),
  date: ['1000-01-01', '2023-12-31'],
  time: ['12:30:00.000', '12:30:00.5', '12:30:00.999999', '23:59:59.1'],
}

function fits(value: unknown, range: ValueRange): boolean {
  if (typeof value === 'string' && range.maximumLength !== undefined) return value.length <= range.maximumLength
  return isInRange(value, range)
}

function isInRange(value: unknown, { valueType, minimum, maximum }: ValueRange): boolean {
  if (valueType !== 'integer' && valueType !== 'bigint') return true
  const number = BigInt(value as number | string)
  return number >= (minimum ?? number) && number <= (maximum ?? number)
}

/** Whether the order of texts is that of their code points; elsewhere it is the collation's, which has to be asked. */
export const ORDERS_BY_CODE_POINT = DATABASE === 'sqlite'
