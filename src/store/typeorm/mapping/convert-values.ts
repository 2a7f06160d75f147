import type { DataSource } from 'typeorm'
import { trimTrailing } from '../../../document/trim-text'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

type Convert = (value: unknown) => unknown

/** From what the driver gives for a column to the value as `AttributeType` has it held. */
export function createFromDatabaseConverter(
  dataSource: DataSource,
  metadata: ColumnMetadata,
  range: ValueConstraints,
): Convert {
  const hydrate: Convert = (raw) => dataSource.driver.prepareHydratedValue(raw, metadata)
  // The transformer decides, also for null.
  if (metadata.transformer !== undefined) return hydrate
  const hold = toRuntimeValueBy(range)
  if (isUnconverted(metadata)) return hold === undefined ? identity : (raw) => (raw == null ? null : hold(raw))
  return (raw) => {
    if (raw == null) return null
    const hydrated: unknown = hydrate(raw)
    return hold === undefined || hydrated == null ? hydrated : hold(hydrated)
  }
}

/**
 * Compiles the conversion of a value of an entity, where drivers return other text or a number. A value that a listener changed to another type stays
 * as it is.
 */
export function createFromEntityConverter({ transformer }: ColumnMetadata, range: ValueConstraints): Convert {
  const hold = transformer === undefined && SPELLED.has(range.valueType) ? toRuntimeValueBy(range) : undefined
  if (hold === undefined) return identity
  return (value) => (typeof value === 'string' || typeof value === 'number' ? hold(value) : value)
}

const SPELLED: ReadonlySet<AttributeType> = new Set(['string', 'time', 'bigint', 'decimal'] as const)

/**
 * Compiles the conversion of values that are only serialized. SQLite's text of a moment is recognised by a pattern, in 0.07 µs against 1 µs for a
 * `Date`.
 */
export function createToSerializedConverter(
  fromDatabase: Convert,
  metadata: ColumnMetadata,
  dialect: Dialect,
): Convert {
  const isText = dialect.name === 'sqlite' && (metadata.type === 'datetime' || metadata.type === Date)
  if (!isText || metadata.transformer !== undefined) return fromDatabase
  return (raw) => (typeof raw === 'string' && PLAIN_MOMENT.test(raw) ? toIso(raw) : fromDatabase(raw))
}

function toIso(moment: string): string {
  return `${moment.slice(0, 10)}T${moment.slice(11)}${moment.length === SECONDS ? '.000Z' : 'Z'}`
}

/** Moments as TypeORM and SQLite write them, except for days that not every such month has. */
const PLAIN_MOMENT =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?$/
const SECONDS = '2026-02-28 23:59:59'.length

/** From a held value to a parameter that the driver accepts in our own statements. */
export function createToDatabaseConverter(
  dataSource: DataSource,
  metadata: ColumnMetadata,
  range: ValueConstraints,
  dialect: Dialect,
): Convert {
  const bind = toParameterBy(range, dialect)
  const prepare: Convert = (value) => dataSource.driver.preparePersistentValue(value, metadata)
  if (metadata.transformer !== undefined) return (value) => transform(value, metadata, prepare)
  return (value) => {
    const prepared = prepare(value)
    if (prepared == null) return null
    return bind === undefined ? prepared : bind(prepared)
  }
}

/** A transformer may throw for values that clients compare with. */
function transform(value: unknown, metadata: ColumnMetadata, prepare: Convert): unknown {
  try {
    return prepare(value) ?? null
  } catch (error) {
    throw new TransformerError(metadata, error)
  }
}

/** Converts a value that is compared with an expression to one that the driver accepts. */
export function toDatabaseValue(value: unknown, range: ValueConstraints, dialect: Dialect): unknown {
  if (dialect.name === 'sqlite' && value instanceof Date) return value.toISOString().slice(0, -1).replace('T', ' ')
  if (dialect.name === 'sqlite' && typeof value === 'boolean') return Number(value)
  const bind = toParameterBy(range, dialect)
  return bind === undefined ? value : bind(value)
}

/** Returns true if a column of moments can be more precise than a `Date`, or has several spellings of one moment. */
export function hasSubMillisecondPrecision({ precision, transformer }: ColumnMetadata, { name }: Dialect): boolean {
  if (transformer !== undefined) return false
  return name === 'sqlite' || (precision ?? (name === 'postgres' ? 6 : 0)) > 3
}

/** Types for which no driver and no part of TypeORM converts anything. */
const UNCONVERTED_TYPES: ReadonlySet<unknown> = new Set([
  ...[String, 'varchar', 'character varying', 'char', 'character', 'nvarchar', 'text', 'citext', 'longtext'],
  ...['mediumtext', 'tinytext', 'uuid', 'clob', 'int', 'integer', 'int2', 'int4', 'int8', 'smallint', 'mediumint'],
  ...[
    'bigint',
    'decimal',
    'numeric',
    'real',
    'float',
    'float4',
    'float8',
    'double',
    'double precision',
    'blob',
    'bytea',
  ],
])

function isUnconverted(metadata: ColumnMetadata): boolean {
  return UNCONVERTED_TYPES.has(metadata.type) && !metadata.isArray
}

/** `undefined`: the value needs no conversion. */
function toRuntimeValueBy(range: ValueConstraints): Convert | undefined {
  switch (range.valueType) {
    case 'string':
      return range.isPadded ? (value) => trimTrailing(String(value), ' ') : undefined
    case 'time':
      return (value) => toClock(String(value))
    case 'integer':
    case 'float':
      return (value) => (typeof value === 'number' ? value : Number(value))
    case 'bigint':
      return String
    case 'decimal':
      return (value) => (typeof value === 'number' ? toDigits(value, range.scale) : String(value))
    case 'boolean':
      return (value) => value === true || Number(value) === 1
    case 'datetime':
      return (value) => (value instanceof Date ? value : new Date(String(value)))
    case 'list':
      return (value) => (Array.isArray(value) ? value.map(String) : value)
    case 'binary':
      return (value) => (value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value)
    default:
      return undefined
  }
}

/** No fraction, or one of at least three digits: databases write as many as the column has, or as few as they need. */
function toClock(text: string): string {
  const [clock = '', fraction = ''] = text.split('.')
  const digits = trimTrailing(fraction, '0')
  return digits === '' ? clock : `${clock}.${digits.padEnd(3, '0')}`
}

/** A number that SQLite gives for a decimal, without an exponent and with the digits that its scale demands. */
function toDigits(value: number, scale: number | undefined): string {
  const digits = scale === undefined ? String(value) : value.toFixed(scale)
  if (!digits.includes('e')) return digits
  return Math.abs(value) >= 1 ? BigInt(value).toString() : trimTrailing(value.toFixed(20), '0')
}

function toParameterBy(range: ValueConstraints, dialect: Dialect): Convert | undefined {
  // PostgreSQL takes digits as text, and finds the type in the statement.
  if (dialect.name === 'postgres') return undefined
  if (range.valueType === 'bigint') return dialect.name === 'mysql' ? toWholeNumber : toSafeNumber
  if (dialect.name === 'mysql' && range.valueType === 'float' && range.significantDigits !== undefined) return toSingle
  // Not as text: an expression has no type by which SQLite would compare it as a number.
  if (range.valueType === 'decimal' && dialect.name === 'sqlite') return Number
  return undefined
}

/** MariaDB compares a float of 32 bits with one of 64: 0.1 is another number in each. */
function toSingle(value: unknown): unknown {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) && (single !== 0 || Number(value) === 0) ? single : value
}

/** Digits above 2^53 stay text: SQLite makes an integer of it in a column that is one. */
function toSafeNumber(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function toWholeNumber(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

function identity(value: unknown): unknown {
  return value
}

/** A transformer of the application has failed on a value that was to be written, or compared with. */
export class TransformerError extends Error {
  override readonly name = 'TransformerError'
  readonly column: string

  constructor({ entityMetadata, propertyPath, databaseName }: ColumnMetadata, cause: unknown) {
    super(`The transformer of ${entityMetadata.name}.${propertyPath} has failed on a value.`, { cause })
    this.column = databaseName
  }
}
