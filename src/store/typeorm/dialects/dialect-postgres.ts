import type { AttributeType } from '../../../graph/model/value-type'
import { Param } from '../../../query/tree/param'
import { bind, constant, identifier, join, listDerivedColumns, type Sql, toSql, value } from '../sql/sql'
import { mapParam, type SqlParam } from '../sql/sql-param'
import type { Dialect } from './dialect'

export const postgresDialect: Dialect = {
  name: 'postgres',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index + 1}`,
  // The type of the list follows from the column: integers, uuids, enums and text alike.
  inList: (column, values) => toSql`(${column} = any(${value(values)}))`,
  keyInList: (columns, keys) => {
    const types = columns.map(({ databaseType }) => databaseType)
    const expressions = columns.map(({ expression }) => expression)
    const listed = toSql`select ${join(selectKeyParts(types), ', ')} from ${keyList(types, keys)}`
    return toSql`((${join(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => toSql`(${left} = ${right})`,
  withBinaryCollation: (text) => toSql`(${text} collate "C")`,
  withCommonCollation: (text) => toSql`(${text} collate "default")`,
  textInList: (left, others) => toSql`(${left} in (${join(others, ', ')}))`,
  typed: (expression, valueType) => {
    const type = TYPES[valueType]
    return type === undefined ? expression : toSql`(${expression})::${identifier(type)}`
  },
  asComparand: (given) => given,
  exists: (select) => toSql`exists (${select})`,
  existsPerRow: (select) => toSql`exists (${select}) is true`,
  listsShared: false,
  // Without the offset the select is merged into the one around it, with a copy of its columns wherever they are used.
  withDerivedColumns: ({ columns, alias, expression }) =>
    toSql`(select ${expression} from (select ${listDerivedColumns(columns)} offset 0) ${identifier(alias)})`,
  truncateToMillisecond: (moment) => toSql`date_trunc('milliseconds', ${moment})`,
  contains: (column, text) => toSql`(strpos((${column})::text, (${text})::text) > 0)`,
  startsWith: (column, text) => toSql`starts_with((${column})::text, (${text})::text)`,
  endsWith: (column, text) => toSql`(right((${column})::text, length((${text})::text)) = (${text})::text)`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the greatest of all values.
    if (nulls === 'nullsFirst' && direction === 'ascending') return toSql`${expression} asc nulls first`
    if (direction === 'ascending') return toSql`${expression} asc`
    return nulls === 'nullable' ? toSql`${expression} desc nulls last` : toSql`${expression} desc`
  },
  selectSortValue: (expression, { valueType }) =>
    toSql`(${expression})${identifier(valueType === 'float' ? '::double precision' : '')}::text`,
  // The type follows from the column, except where another one would take more: what is too large for a `real` is an error.
  bindSortValue: (text, { valueType }) => {
    const widest = WIDEST[valueType]
    return widest === undefined ? value(text) : toSql`${value(text)}::${identifier(widest)}`
  },
  sortsEnumsByDeclaration: 'everywhere',
  asSortColumn: (expression) => expression,
  supportsRowValueComparison: true,
  // Locks one table: the right sides of left joins can't be locked.
  lock: (alias) => toSql` for update of ${identifier(alias)}`,
  pushesPredicatesIntoUnions: 'everywhere',
  lockable: (source) => source,
  advisoryLock: (name) => toSql`select pg_advisory_xact_lock(hashtextextended(${bind(name)}, 0))`,
  // Estimates as the planner does: rows for each page when last counted, times the pages of today.
  estimateRowCount: ({ quoted }) => {
    const pages = toSql`(pg_relation_size(oid) / current_setting('block_size')::bigint)`
    const rows = toSql`case when relpages > 0 and reltuples >= 0 then (reltuples / relpages * ${pages})::bigint end`
    return toSql`select ${rows} from pg_class where oid = ${constant(quoted)}::regclass`
  },
  // The counter never goes back. If the role may not set it, it stays.
  advanceSequence: ({ table, column }, key) => {
    const counter = toSql`select pg_get_serial_sequence(${constant(table)}, ${constant(column)})::regclass as counter`
    const isBehind = toSql`${key}::bigint > coalesce(pg_sequence_last_value(counter), 0)`
    return toSql`select setval(counter, ${key}::bigint) from (${counter}) counters where has_sequence_privilege(counter, 'update') and ${isBehind}`
  },
  insertJunctionRows: ({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source, related) => {
    const columns = join([...sourceColumns, ...relatedColumns], ', ')
    const [type = ''] = relatedColumnTypes
    if (relatedColumnTypes.length === 1) {
      const list = toSql`unnest(${bind(related.map(([only]) => only))}::text[])`
      return toSql`insert into ${table} (${columns}) select ${join(source.map(bind), ', ')}, each::${castTypeOf(type)} from ${list} each on conflict do nothing`
    }
    const selected = [...source.map(bind), ...selectKeyParts(relatedColumnTypes)]
    return toSql`insert into ${table} (${columns}) select ${join(selected, ', ')} from ${keyList(relatedColumnTypes, new Param(related))} on conflict do nothing`
  },
}

/** A list as the source of a select needs an explicit type. */
function keyList(types: readonly string[], keys: SqlParam<readonly (readonly unknown[])[]>): Sql {
  const lists = types.map((_, place) => toSql`${value(mapParam(keys, (all) => all.map((key) => key[place])))}::text[]`)
  return toSql`unnest(${join(lists, ', ')}) each(${join(
    types.map((_, place) => keyPartName(place)),
    ', ',
  )})`
}

function selectKeyParts(types: readonly string[]): readonly Sql[] {
  return types.map((type, place) => toSql`each.${keyPartName(place)}::${castTypeOf(type)}`)
}

function keyPartName(place: number): Sql {
  return identifier(`part${place}`)
}

/** Without a length `character` is one of 1. */
export function castTypeOf(type: string): Sql {
  return identifier(type === 'character' ? 'bpchar' : type)
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
