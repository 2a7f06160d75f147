import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { ValueRange, ValueType } from '../../graph/value-type'
import type { Dialect } from './dialect'
import { dialectOf } from './dialect-of'

/** What values a column can hold, from its declaration and the types of the database. */
export function describeValues(column: ColumnMetadata, dataSource: DataSource): ValueRange {
  const family = dialectOf(dataSource).name
  const databaseType = dataSource.driver.normalizeType(column).toLowerCase()
  const valueType = valueTypeOf(column, databaseType, family)
  const limits = limitsOf(valueType, column, databaseType, dataSource)
  return valueType === 'string' && OPAQUE.has(databaseType)
    ? { valueType, ...limits, isOpaque: true }
    : { valueType, ...limits }
}

/** PostgreSQL can't compare most of them; the others it reads as little programs. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['xml', 'hstore', 'tsvector', 'tsquery', 'jsonpath', 'line', 'lseg', 'box', 'path'],
])

type Family = Dialect['name']

/** The declared type says more than the one in the database, where `boolean` may be a `tinyint` and `uuid` a `varchar`. */
function valueTypeOf(column: ColumnMetadata, databaseType: string, family: Family): ValueType {
  const single = singleValueTypeOf(column, databaseType, family)
  if (!column.isArray) return single
  return single === 'string' || single === 'uuid' || single === 'enum' ? 'list' : 'json'
}

function singleValueTypeOf(column: ColumnMetadata, databaseType: string, family: Family): ValueType {
  const declared = column.generationStrategy === 'uuid' ? 'uuid' : column.type
  if (declared === Boolean) return 'boolean'
  if (declared === 'hstore') return column.hstoreType === 'object' ? 'json' : 'string'
  if (family === 'mysql' && databaseType === 'bit') return 'binary'
  return BY_DECLARED_TYPE.get(declared) ?? BY_DATABASE_TYPE.get(databaseType) ?? 'json'
}

const BY_DECLARED_TYPE: ReadonlyMap<unknown, ValueType> = new Map([
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['uuid', 'uuid'],
  ['simple-enum', 'enum'],
  ['simple-array', 'list'],
  ['simple-json', 'json'],
  ['json', 'json'], // old versions of MariaDB keep it as text
])

const DATABASE_TYPES: Partial<Record<ValueType, readonly string[]>> = {
  string: [
    ...['varchar', 'character varying', 'varying character', 'nvarchar', 'national varchar', 'character', 'char'],
    ...['nchar', 'national char', 'native character', 'text', 'tinytext', 'mediumtext', 'longtext', 'clob', 'citext'],
    ...['xml', 'inet', 'inet4', 'inet6', 'cidr', 'macaddr', 'macaddr8', 'ltree', 'tsvector', 'tsquery', 'jsonpath'],
    ...['bit', 'bit varying', 'varbit', 'money', 'time with time zone', 'line', 'lseg', 'box', 'path'],
    ...['int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange'],
    ...['int4multirange', 'int8multirange', 'nummultirange', 'tsmultirange', 'tstzmultirange', 'datemultirange'],
  ],
  uuid: ['uuid'],
  integer: ['int', 'int2', 'int4', 'integer', 'tinyint', 'smallint', 'mediumint', 'year'],
  bigint: ['bigint', 'int8', 'unsigned big int'],
  float: ['float', 'float4', 'float8', 'double', 'double precision', 'real'],
  decimal: ['decimal', 'dec', 'numeric', 'fixed'],
  boolean: ['boolean', 'bool'],
  datetime: ['datetime', 'timestamp', 'timestamptz', 'timestamp without time zone', 'timestamp with time zone'],
  date: ['date'],
  time: ['time', 'time without time zone'],
  enum: ['enum'],
  list: ['set'],
  binary: ['blob', 'tinyblob', 'mediumblob', 'longblob', 'bytea', 'binary', 'varbinary'],
  json: ['json', 'jsonb'],
}

const BY_DATABASE_TYPE: ReadonlyMap<string, ValueType> = new Map(
  Object.entries(DATABASE_TYPES).flatMap(([valueType, names]) =>
    names.map((name): [string, ValueType] => [name, valueType as ValueType]),
  ),
)

function limitsOf(
  valueType: ValueType,
  column: ColumnMetadata,
  databaseType: string,
  dataSource: DataSource,
): Omit<ValueRange, 'valueType'> {
  switch (valueType) {
    case 'string':
    case 'binary':
      return lengthOf(column, databaseType, dataSource)
    case 'integer':
    case 'bigint':
      return boundsOf(column, databaseType, dialectOf(dataSource).name)
    case 'decimal':
      return digitsOf(column, databaseType, dataSource)
    case 'enum':
    case 'list':
      return column.enum === undefined ? {} : { enumValues: [...column.enum] }
    default:
      return {}
  }
}

function lengthOf(column: ColumnMetadata, databaseType: string, { driver }: DataSource): Omit<ValueRange, 'valueType'> {
  const length = Number(driver.getColumnLength(column) || driver.dataTypeDefaults?.[databaseType]?.length)
  return length > 0 ? { maximumLength: length } : {}
}

function digitsOf(column: ColumnMetadata, databaseType: string, dataSource: DataSource): Omit<ValueRange, 'valueType'> {
  const defaults = dataSource.driver.dataTypeDefaults?.[databaseType]
  const precision = column.precision ?? defaults?.precision
  // `numeric(10)` has no digits after the point; SQLite keeps whatever it is given.
  const implied = precision === undefined || dialectOf(dataSource).name === 'sqlite' ? undefined : 0
  const scale = column.scale ?? implied
  return { ...(precision === undefined ? {} : { precision }), ...(scale === undefined ? {} : { scale }) }
}

function boundsOf(column: ColumnMetadata, databaseType: string, family: Family): Omit<ValueRange, 'valueType'> {
  if (databaseType === 'year') return { minimum: 1901n, maximum: 2155n }
  const bits = bitsOf(databaseType, family)
  if (family === 'mysql' && column.unsigned) return { minimum: 0n, maximum: 2n ** bits - 1n }
  // JSON numbers are doubles: on SQLite, where every integer has 64 bits, they are the limit.
  if (bits === DOUBLE_BITS) return { minimum: 1n - 2n ** 53n, maximum: 2n ** 53n - 1n }
  return { minimum: -(2n ** (bits - 1n)), maximum: 2n ** (bits - 1n) - 1n }
}

const DOUBLE_BITS = 54n

function bitsOf(databaseType: string, family: Family): bigint {
  if (BY_DATABASE_TYPE.get(databaseType) === 'bigint') return 64n
  if (family === 'sqlite') return DOUBLE_BITS
  return BITS.get(databaseType) ?? 32n
}

const BITS: ReadonlyMap<string, bigint> = new Map([
  ['tinyint', 8n],
  ['smallint', 16n],
  ['mediumint', 24n],
])
