import type { IdCodec } from '../../declarations/id-codec'

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
export type AttributeType = (typeof VALUE_TYPES)[number]

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
export interface ValueConstraints {
  readonly valueType: AttributeType
  /** Characters (string) or bytes (binary). */
  readonly maximumLength?: number
  readonly minimumLength?: number
  /** Of text in UTF-8, as it is stored. */
  readonly maximumBytes?: number
  /** Blanks at the end are not kept. */
  readonly isPadded?: true
  /** Decimal digits in all, and after the point: that of seconds, too. */
  readonly precision?: number
  readonly scale?: number
  /** Decimal digits that are kept, wherever the point is. Of a float they tell that it has 32 bits. */
  readonly significantDigits?: number
  /** The least and the greatest, inclusive: of integers, of milliseconds since 1970, of bits. Other numbers have at most a minimum of 0. */
  readonly minimum?: bigint
  readonly maximum?: bigint
  /** Of an array of the database: what its members are. */
  readonly members?: ValueConstraints
  /** Of an embedded object: its members by name, all that it has. */
  readonly shape?: ReadonlyMap<string, ShapeMember>
  readonly enumValues?: readonly (string | number)[]
  /** Texts that the database has no `=` for, or none that is safe. */
  readonly isOpaque?: true
  /** Of what is written as text and is none to the database: its type there. It is compared with no other. */
  readonly databaseType?: string
  /** Of primary keys: what clients see in place of these values. */
  readonly codec?: IdCodec
  /** Of primary keys of several columns: what each of them holds. A key is held as the array of its parts. */
  readonly parts?: readonly ValueConstraints[]
}

export interface ShapeMember extends Nullability {
  readonly range: ValueConstraints
}

/** Whether there can be nothing in a column. */
export interface Nullability {
  /** As its class has declared it, and clients are held to it. */
  readonly isNullable: boolean
  /** Whether a row may lack it all the same: in the one table of a hierarchy the columns of derived classes can be null. */
  readonly isNullableInStore: boolean
}
