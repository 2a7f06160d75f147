/**
 * What the values of an attribute are, whatever the database calls it. Within the library a value is held as:
 *
 * | value type | held as |
 * |---|---|
 * | string, uuid, time (`HH:MM:SS[.fff]`), date (`YYYY-MM-DD`) | string |
 * | integer, float | number |
 * | bigint, decimal | string of digits, so that nothing is lost above 2^53 |
 * | boolean | boolean |
 * | datetime | Date |
 * | enum | one of its values (string or number) |
 * | list | array of strings |
 * | binary | Buffer |
 * | json | any JSON value |
 */
export type ValueType = (typeof VALUE_TYPES)[number]

export const VALUE_TYPES = [
  'string',
  'uuid',
  'integer',
  'float',
  'bigint',
  'decimal',
  'boolean',
  'datetime',
  'date',
  'time',
  'enum',
  'list',
  'binary',
  'json',
] as const

/** What can be known of the values of a column, from its declaration. */
export interface ValueRange {
  readonly valueType: ValueType
  /** Characters (string) or bytes (binary). */
  readonly maximumLength?: number
  /** Decimal digits in all, and after the point. */
  readonly precision?: number
  readonly scale?: number
  /** The least and the greatest integer, inclusive. */
  readonly minimum?: bigint
  readonly maximum?: bigint
  readonly enumValues?: readonly (string | number)[]
  /** Texts that the database has no `=` for, or none that is safe. */
  readonly isOpaque?: true
}
