import type { DataSource } from 'typeorm'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import { dialectOf } from '../dialects/dialect-of'
import type { ColumnMetadata } from './typeorm-metadata'

type ValueLimits = Omit<ValueConstraints, 'valueType'>

/** Returns the limits of the values of a column. */
export function valueLimitsOfColumn(
  valueType: AttributeType,
  column: ColumnMetadata,
  databaseType: string,
  dataSource: DataSource,
): ValueLimits {
  const family = dialectOf(dataSource).name
  const context: ColumnContext = { column, databaseType, family, dataSource }
  switch (valueType) {
    case 'string':
      return { ...lengthOf(context), ...bytesOf(context), ...paddingOf(context) }
    case 'binary':
      return binaryLimits(context)
    case 'json':
      return bytesOf(context)
    case 'integer':
    case 'bigint':
      return boundsOf(context)
    case 'decimal':
      return decimalLimits(context)
    case 'float':
      return floatLimits(context)
    case 'date':
      return family === 'mysql' ? { minimum: YEAR_100 } : {}
    case 'datetime':
      return datetimeLimits(context)
    case 'time':
      return { scale: digitsOfSeconds(context) }
    case 'enum':
      return enumLimits(column)
    case 'list':
      return { ...bytesOf(context), ...enumLimits(column) }
    default:
      return {}
  }
}

interface ColumnContext {
  readonly column: ColumnMetadata
  readonly databaseType: string
  readonly family: Dialect['name']
  readonly dataSource: DataSource
}

function lengthOf({ column, databaseType, dataSource: { driver } }: ColumnContext): ValueLimits {
  const length = Number(driver.getColumnLength(column) || driver.dataTypeDefaults?.[databaseType]?.length)
  return length > 0 ? { maximumLength: length } : {}
}

/** Returns the limit of text types of MySQL that limit bytes. */
function bytesOf({ databaseType, family }: ColumnContext): ValueLimits {
  const maximumBytes = family === 'mysql' ? BYTES.get(databaseType) : undefined
  return maximumBytes === undefined ? {} : { maximumBytes }
}

/** Returns whether trailing spaces are insignificant: PostgreSQL pads such text, and MySQL removes its trailing spaces. */
function paddingOf({ databaseType, family }: ColumnContext): ValueLimits {
  return family !== 'sqlite' && PADDED.has(databaseType) ? { isPadded: true } : {}
}

function binaryLimits(context: ColumnContext): ValueLimits {
  const { column, databaseType, family } = context
  if (databaseType === 'bit') {
    const bits = BigInt(Number(column.length) || 1)
    const length = Math.ceil(Number(bits) / 8)
    return { minimumLength: length, maximumLength: length, maximum: 2n ** bits - 1n }
  }
  const maximumBytes = family === 'mysql' ? BYTES.get(databaseType) : undefined
  const limits = maximumBytes === undefined ? lengthOf(context) : { maximumLength: maximumBytes }
  if (databaseType !== 'binary' || limits.maximumLength === undefined) return limits
  return { ...limits, minimumLength: limits.maximumLength }
}

const BYTES: ReadonlyMap<string, number> = new Map([
  ...['tinytext', 'tinyblob'].map((name) => [name, 2 ** 8 - 1] as const),
  ...['text', 'blob'].map((name) => [name, 2 ** 16 - 1] as const),
  ...['mediumtext', 'mediumblob'].map((name) => [name, 2 ** 24 - 1] as const),
])
const PADDED: ReadonlySet<string> = new Set(['char', 'character', 'nchar', 'national char'])

function boundsOf({ column, databaseType, family }: ColumnContext): ValueLimits {
  if (databaseType === 'year') return { minimum: 1901n, maximum: 2155n }
  const bits = bitsOf(databaseType, family)
  const isSigned = family === 'postgres' || databaseType === 'bigint'
  // SQLite integers have 64 bits, so the limit is that of JSON numbers, which are doubles.
  const magnitudeBits = bits === DOUBLE_BITS || (isSigned && family !== 'mysql') || !column.unsigned ? bits - 1n : bits
  if (column.unsigned) return { minimum: 0n, maximum: 2n ** magnitudeBits - 1n }
  const minimum = bits === DOUBLE_BITS ? 1n - 2n ** magnitudeBits : -(2n ** magnitudeBits)
  return { minimum, maximum: 2n ** magnitudeBits - 1n }
}

const DOUBLE_BITS = 54n

function bitsOf(databaseType: string, family: Dialect['name']): bigint {
  if (BIGINTS.has(databaseType)) return 64n
  return BITS.get(databaseType) ?? (family === 'sqlite' ? DOUBLE_BITS : 32n)
}

const BIGINTS: ReadonlySet<string> = new Set(['bigint', 'int8', 'unsigned big int'])
const BITS: ReadonlyMap<string, bigint> = new Map([
  ['tinyint', 8n],
  ['smallint', 16n],
  ['int2', 16n],
  ['mediumint', 24n],
])

function decimalLimits({ column, databaseType, family, dataSource }: ColumnContext): ValueLimits {
  const defaults = dataSource.driver.dataTypeDefaults?.[databaseType]
  const precision = column.precision ?? defaults?.precision
  // `numeric(10)` has no fraction digits, except on SQLite, which does not limit them.
  const impliedScale = precision === undefined || family === 'sqlite' ? undefined : 0
  const scale = column.scale ?? impliedScale
  return {
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    // SQLite stores decimals as 64-bit floats.
    ...(family === 'sqlite' ? { significantDigits: 15 } : {}),
    ...(column.unsigned ? { minimum: 0n } : {}),
  }
}

function floatLimits({ column: { unsigned, precision, scale }, databaseType, family }: ColumnContext): ValueLimits {
  const isSingle = SINGLE[family].has(databaseType)
  return {
    ...(isSingle ? { significantDigits: 6 } : {}),
    ...(unsigned ? { minimum: 0n } : {}),
    ...(family === 'mysql' && precision != null && scale != null ? { precision, scale } : {}),
  }
}

const SINGLE: Readonly<Record<Dialect['name'], ReadonlySet<string>>> = {
  sqlite: new Set(),
  postgres: new Set(['real', 'float4']),
  mysql: new Set(['float']),
}

function datetimeLimits(context: ColumnContext): ValueLimits {
  const scale = Math.min(digitsOfSeconds(context), MILLISECONDS)
  if (context.family !== 'mysql') return { scale }
  if (context.databaseType !== 'timestamp') return { scale, minimum: YEAR_100 }
  return { scale, minimum: 1000n, maximum: (2n ** 31n - 1n) * 1000n + 999n }
}

/** The driver reads earlier years as years of the 20th century. */
const YEAR_100 = BigInt(Date.parse('0100-01-01T00:00:00Z'))
/** The number of fraction digits of a `Date`. */
const MILLISECONDS = 3

function digitsOfSeconds({ column: { precision }, family }: ColumnContext): number {
  return precision ?? { sqlite: 9, postgres: 6, mysql: 0 }[family]
}

function enumLimits(column: ColumnMetadata): ValueLimits {
  return column.enum === undefined ? {} : { enumValues: [...column.enum] }
}
