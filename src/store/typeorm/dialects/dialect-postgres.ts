import type { AttributeType } from '../../../graph/model/value-type'
import { Param } from '../../../query/tree/param'
import { bindConstant, bindValue, derivedTableSelectList, join, rawSql, type Sql, sqlTag, value } from '../sql/sql'
import { mapParam, type SqlParam } from '../sql/sql-param'
import type { Dialect } from './dialect'

export const postgresDialect: Dialect = {
  name: 'postgres',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index + 1}`,
  // The type of the list follows from the column: integers, uuids, enums and text alike.
  inList: (column, values) => sqlTag`(${column} = any(${value(values)}))`,
  keyInList: (columns, keys) => {
    const types = columns.map(({ databaseType }) => databaseType)
    const expressions = columns.map(({ expression }) => expression)
    const listed = sqlTag`select ${join(selectKeyParts(types), ', ')} from ${keyList(types, keys)}`
    return sqlTag`((${join(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right})`,
  withBinaryCollation: (text) => sqlTag`(${text} collate "C")`,
  withCommonCollation: (text) => sqlTag`(${text} collate "default")`,
  textInList: (left, others) => sqlTag`(${left} in (${join(others, ', ')}))`,
  typed: (expression, valueType) => {
    const type = TYPES[valueType]
    return type === undefined ? expression : sqlTag`(${expression})::${rawSql(type)}`
  },
  asComparand: (given) => given,
  exists: (select) => sqlTag`exists (${select})`,
  existsPerRow: (select) => sqlTag`exists (${select}) is true`,
  listsShared: false,
  // Without the offset the select is merged into the one around it, with a copy of its columns wherever they are used.
  withDerivedColumns: ({ columns, alias, expression }) =>
    sqlTag`(select ${expression} from (select ${derivedTableSelectList(columns)} offset 0) ${rawSql(alias)})`,
  truncateToMillisecond: (moment) => sqlTag`date_trunc('milliseconds', ${moment})`,
  contains: (column, text) => sqlTag`(strpos((${column})::text, (${text})::text) > 0)`,
  startsWith: (column, text) => sqlTag`starts_with((${column})::text, (${text})::text)`,
  endsWith: (column, text) => sqlTag`(right((${column})::text, length((${text})::text)) = (${text})::text)`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the greatest of all values.
    if (nulls === 'nullsFirst' && direction === 'ascending') return sqlTag`${expression} asc nulls first`
    if (direction === 'ascending') return sqlTag`${expression} asc`
    return nulls === 'nullable' ? sqlTag`${expression} desc nulls last` : sqlTag`${expression} desc`
  },
  selectSortValue: (expression, { valueType }) =>
    sqlTag`(${expression})${rawSql(valueType === 'float' ? '::double precision' : '')}::text`,
  // The type follows from the column, except where another one would take more: what is too large for a `real` is an error.
  bindSortValue: (text, { valueType }) => {
    const widest = WIDEST[valueType]
    return widest === undefined ? value(text) : sqlTag`${value(text)}::${rawSql(widest)}`
  },
  sortsEnumsByDeclaration: 'everywhere',
  asSortColumn: (expression) => expression,
  supportsRowValueComparison: true,
  // Locks one table: the right sides of left joins can't be locked.
  lock: (alias) => sqlTag` for update of ${rawSql(alias)}`,
  pushesPredicatesIntoUnions: 'everywhere',
  lockable: (source) => source,
  advisoryLock: (name) => sqlTag`select pg_advisory_xact_lock(hashtextextended(${bindValue(name)}, 0))`,
  // Estimates as the planner does: rows for each page when last counted, times the pages of today.
  estimateRowCount: ({ quoted }) => {
    const pages = sqlTag`(pg_relation_size(oid) / current_setting('block_size')::bigint)`
    const rows = sqlTag`case when relpages > 0 and reltuples >= 0 then (reltuples / relpages * ${pages})::bigint end`
    return sqlTag`select ${rows} from pg_class where oid = ${bindConstant(quoted)}::regclass`
  },
  // The counter never goes back. If the role may not set it, it stays.
  advanceSequence: ({ table, column }, key) => {
    const counter = sqlTag`select pg_get_serial_sequence(${bindConstant(table)}, ${bindConstant(column)})::regclass as counter`
    const isBehind = sqlTag`${key}::bigint > coalesce(pg_sequence_last_value(counter), 0)`
    return sqlTag`select setval(counter, ${key}::bigint) from (${counter}) counters where has_sequence_privilege(counter, 'update') and ${isBehind}`
  },
  insertJunctionRows: ({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source, related) => {
    const columns = join([...sourceColumns, ...relatedColumns], ', ')
    const [type = ''] = relatedColumnTypes
    if (relatedColumnTypes.length === 1) {
      const list = sqlTag`unnest(${bindValue(related.map(([only]) => only))}::text[])`
      return sqlTag`insert into ${table} (${columns}) select ${join(source.map(bindValue), ', ')}, each::${castTypeOf(type)} from ${list} each on conflict do nothing`
    }
    const selected = [...source.map(bindValue), ...selectKeyParts(relatedColumnTypes)]
    return sqlTag`insert into ${table} (${columns}) select ${join(selected, ', ')} from ${keyList(relatedColumnTypes, new Param(related))} on conflict do nothing`
  },
}

/** A list as the source of a select needs an explicit type. */
function keyList(types: readonly string[], keys: SqlParam<readonly (readonly unknown[])[]>): Sql {
  const lists = types.map((_, place) => sqlTag`${value(mapParam(keys, (all) => all.map((key) => key[place])))}::text[]`)
  return sqlTag`unnest(${join(lists, ', ')}) each(${join(
    types.map((_, place) => keyPartName(place)),
    ', ',
  )})`
}

function selectKeyParts(types: readonly string[]): readonly Sql[] {
  return types.map((type, place) => sqlTag`each.${keyPartName(place)}::${castTypeOf(type)}`)
}

function keyPartName(place: number): Sql {
  return rawSql(`part${place}`)
}

/** Without a length `character` is one of 1. */
export function castTypeOf(type: string): Sql {
  return rawSql(type === 'character' ? 'bpchar' : type)
}

/** The types of literals. */
const TYPES: Readonly<Partial<Record<AttributeType, string>>> = {
  string: 'text',
  uuid: 'uuid',
  integer: 'integer',
  float: 'double precision',
  bigint: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  datetime: 'timestamptz',
  date: 'date',
  time: 'time',
}

/** The types that all numbers of a kind fit in: they are compared with columns of the others by the same index. */
const WIDEST: Readonly<Partial<Record<AttributeType, string>>> = {
  integer: 'bigint',
  bigint: 'bigint',
  float: 'double precision',
}
