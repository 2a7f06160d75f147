import type { DataSource } from 'typeorm'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import { dialectOf } from '../dialects/dialect-of'
import type { ColumnMetadata } from './typeorm-metadata'
import { valueLimitsOfColumn } from './value-limits'

/** Describes the values of a column by its declaration and the types of the database. */
export function valueConstraintsOfColumn(column: ColumnMetadata, dataSource: DataSource): ValueConstraints {
  const family = dialectOf(dataSource).name
  const databaseType = dataSource.driver.normalizeType(column).toLowerCase()
  const valueType = valueTypeOf(column, databaseType, family)
  const limits = valueLimitsOfColumn(valueType, column, databaseType, dataSource)
  if (column.isArray) {
    return { valueType: TEXTUAL.has(valueType) ? 'list' : 'json', members: { valueType, ...limits } }
  }
  if (valueType !== 'string' || PLAIN_TEXT.has(databaseType)) return { valueType, ...limits }
  return { valueType, ...limits, databaseType, ...(OPAQUE.has(databaseType) && { isOpaque: true }) }
}

/** Types that can't be compared in PostgreSQL, or whose values are expressions. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['xml', 'hstore', 'tsvector', 'tsquery', 'jsonpath', 'line', 'lseg', 'box', 'path'],
])

/** Text types that databases compare with each other. */
const PLAIN_TEXT: ReadonlySet<string> = new Set([
  ...['varchar', 'character varying', 'varying character', 'nvarchar', 'national varchar', 'character', 'char'],
  ...['nchar', 'national char', 'native character', 'text', 'tinytext', 'mediumtext', 'longtext', 'clob', 'citext'],
])

type DialectName = Dialect['name']

const TEXTUAL: ReadonlySet<AttributeType> = new Set(['string', 'uuid', 'enum'] as const)

/** Returns the value type. The declared type comes first, because in the database `boolean` can be `tinyint` and `uuid` can be `varchar`. */
function valueTypeOf(column: ColumnMetadata, databaseType: string, family: DialectName): AttributeType {
  const declared = column.generationStrategy === 'uuid' ? 'uuid' : column.type
  if (declared === Boolean) return 'boolean'
  if (declared === 'hstore') return column.hstoreType === 'object' ? 'json' : 'string'
  if (family === 'mysql' && databaseType === 'bit') return 'binary'
  return BY_DECLARED_TYPE.get(declared) ?? BY_DATABASE_TYPE.get(databaseType) ?? 'json'
}

const BY_DECLARED_TYPE: ReadonlyMap<unknown, AttributeType> = new Map([
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['uuid', 'uuid'],
  ['simple-enum', 'enum'],
  ['simple-array', 'list'],
  ['simple-json', 'json'],
  ['json', 'json'], // MariaDB stores it as text
])

const DATABASE_TYPES: Partial<Record<AttributeType, readonly string[]>> = {
  string: [
    ...PLAIN_TEXT,
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

const BY_DATABASE_TYPE: ReadonlyMap<string, AttributeType> = new Map(
  Object.entries(DATABASE_TYPES).flatMap(([valueType, names]) =>
    names.map((name): [string, AttributeType] => [name, valueType as AttributeType]),
  ),
)
