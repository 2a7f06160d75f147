import type { IdCodec } from '../../declarations/id-codec'

/**
 * The type of an attribute's values, independent of the database. At runtime, a value is:
 *
 * | value type | runtime value |
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
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

export const ATTRIBUTE_TYPES = [
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

/** The constraints on the values of a column, from its declaration. */
export interface ValueConstraints {
  readonly valueType: AttributeType
  /** Characters (string) or bytes (binary). */
  readonly maximumLength?: number
  readonly minimumLength?: number
  /** Bytes of the stored text in UTF-8. */
  readonly maximumBytes?: number
  /** True if the database removes spaces at the end. */
  readonly isPadded?: true
  /** Decimal digits in total, and (`scale`) after the decimal point; `scale` also for fractions of seconds. */
  readonly precision?: number
  readonly scale?: number
  /** Significant decimal digits. A float that has this constraint has 32 bits. */
  readonly significantDigits?: number
  /** The inclusive bounds of an integer, of milliseconds since 1970, or of bits. Other numbers have at most a minimum of 0. */
  readonly minimum?: bigint
  readonly maximum?: bigint
  /** The constraints on the members of a database array. */
  readonly members?: ValueConstraints
  /** All members of an embedded object, by name. */
  readonly shape?: ReadonlyMap<string, EmbeddedMember>
  readonly enumValues?: readonly (string | number)[]
  /** True for text that the database can't compare, or not safely. */
  readonly isOpaque?: true
  /** The database type of values that clients write as text. They are compared only with values of the same type. */
  readonly databaseType?: string
  /** Converts between primary keys and the ids that clients see. */
  readonly codec?: IdCodec
  /** The constraints on each part of a composite key. At runtime, the key is an array of its parts. */
  readonly parts?: readonly ValueConstraints[]
}

export interface EmbeddedMember extends Nullability {
  readonly constraints: ValueConstraints
  readonly isTransformed: boolean
  /** True for dates, versions and generated values, which no request can set. */
  readonly isMaintainedByServer: boolean
}

/** Returns true for an embedded object with members that no request can set, at any depth. */
export function hasServerMaintainedEmbeddedMember({ shape }: ValueConstraints): boolean {
  return [...(shape?.values() ?? [])].some(
    (member) => member.isMaintainedByServer || hasServerMaintainedEmbeddedMember(member.constraints),
  )
}

/** Returns the members of an embedded object that requests can set. */
export function writableEmbeddedMembersOf(
  shape: ReadonlyMap<string, EmbeddedMember>,
): ReadonlyMap<string, EmbeddedMember> {
  return new Map([...shape].filter(([, { isMaintainedByServer }]) => !isMaintainedByServer))
}

/** Whether a column can be null. */
export interface Nullability {
  /** Nullable by the declaration of its class. Requests must follow it. */
  readonly isNullable: boolean
  /** Nullable in the database although required by the class: in a single table, the columns of derived classes can be null. */
  readonly isNullableInStore: boolean
}
