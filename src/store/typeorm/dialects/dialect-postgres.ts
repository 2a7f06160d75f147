import type { AttributeType } from '../../../graph/model/value-type'
import { Param } from '../../../query/tree/param'
import {
  boundConstantSql,
  boundValueSql,
  joinSql,
  paramSql,
  rawSql,
  type Sql,
  sqlTag,
  toSelectListWithNumberedAliases,
} from '../sql/sql'
import { mapParam, type ParamOrComputedParam } from '../sql/sql-param'
import type { Dialect } from './dialect'

export const postgresDialect: Dialect = {
  name: 'postgres',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index + 1}`,
  // PostgreSQL infers the type of the list from the column.
  inList: (column, values) => sqlTag`(${column} = any(${paramSql(values)}))`,
  keyInList: (columns, keys) => {
    const types = columns.map(({ databaseType }) => databaseType)
    const expressions = columns.map(({ expression }) => expression)
    const listed = sqlTag`select ${joinSql(selectKeyParts(types), ', ')} from ${keyList(types, keys)}`
    return sqlTag`((${joinSql(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right})`,
  withBinaryCollation,
  withCommonCollation: (text) => sqlTag`(${text} collate "default")`,
  textInList: (left, values) => sqlTag`(${left} in (${joinSql(values, ', ')}))`,
  typed: (expression, valueType) => {
    const type = TYPES[valueType]
    return type === undefined ? expression : sqlTag`(${expression})::${rawSql(type)}`
  },
  asComparand: (expression) => expression,
  likely: (condition) => condition,
  exists: (select) => sqlTag`exists (${select})`,
  existsPerRow: (select) => sqlTag`exists (${select}) is true`,
  listsShared: false,
  // `offset 0` prevents PostgreSQL from merging the select into the outer one, where it would evaluate the columns at each use.
  withDerivedColumns: ({ columns, alias, expression }) =>
    sqlTag`(select ${expression} from (select ${toSelectListWithNumberedAliases(columns)} offset 0) ${rawSql(alias)})`,
  truncateToMillisecond: (moment) => sqlTag`date_trunc('milliseconds', ${moment})`,
  contains: (column, text) => sqlTag`(strpos(${exactText(column)}, (${text})::text) > 0)`,
  startsWith: (column, text) => sqlTag`starts_with(${exactText(column)}, (${text})::text)`,
  endsWith: (column, text) => sqlTag`(right(${exactText(column)}, length((${text})::text)) = (${text})::text)`,
  orderBy: (expression, direction, nulls) => {
    // PostgreSQL sorts nulls after all values.
    if (nulls === 'nullsFirst' && direction === 'ascending') return sqlTag`${expression} asc nulls first`
    if (direction === 'ascending') return sqlTag`${expression} asc`
    return nulls === 'nullable' ? sqlTag`${expression} desc nulls last` : sqlTag`${expression} desc`
  },
  selectSortValue: (expression, { valueType }) =>
    sqlTag`(${expression})${rawSql(valueType === 'float' ? '::double precision' : '')}::text`,
  // PostgreSQL infers the type from the column. Numbers get the widest type, because a value too large for a `real` column is an error.
  bindSortValue: (text, { valueType }) => {
    const widest = WIDEST[valueType]
    return widest === undefined ? paramSql(text) : sqlTag`${paramSql(text)}::${rawSql(widest)}`
  },
  sortsEnumsByDeclaration: 'everywhere',
  asSortColumn: (expression) => expression,
  supportsRowValueComparison: true,
  // Locks one table, because PostgreSQL can't lock the right sides of left joins.
  lock: (alias) => sqlTag` for update of ${rawSql(alias)}`,
  pushesPredicatesIntoUnions: 'everywhere',
  mergesSortedSelects: false,
  plansBoundLimitsAgain: false,
  lockInDerivedTable: (source) => source,
  advisoryLocks: (names) =>
    sqlTag`select pg_advisory_xact_lock(hashtextextended(each, 0)) from unnest(${boundValueSql(names)}::text[]) each`,
  // Estimates as the planner does: rows per page at the last `analyze`, times the present number of pages.
  estimateRowCount: ({ quoted }) => {
    const pages = sqlTag`(pg_relation_size(oid) / current_setting('block_size')::bigint)`
    const rows = sqlTag`case when relpages > 0 and reltuples >= 0 then (reltuples / relpages * ${pages})::bigint end`
    return sqlTag`select ${rows} from pg_class where oid = ${boundConstantSql(quoted)}::regclass`
  },
  // Never decreases the sequence. Skips it if the role has no privilege to set it.
  advanceSequence: ({ table, column }, key) => {
    const counter = sqlTag`select pg_get_serial_sequence(${boundConstantSql(table)}, ${boundConstantSql(column)})::regclass as counter`
    const isBehind = sqlTag`${key}::bigint > coalesce(pg_sequence_last_value(counter), 0)`
    return sqlTag`select setval(counter, ${key}::bigint) from (${counter}) counters where has_sequence_privilege(counter, 'update') and ${isBehind}`
  },
  insertJunctionRows: ({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source, related) => {
    const columns = joinSql([...sourceColumns, ...relatedColumns], ', ')
    const [type = ''] = relatedColumnTypes
    if (relatedColumnTypes.length === 1) {
      const list = sqlTag`unnest(${boundValueSql(related.map(([only]) => only))}::text[])`
      return sqlTag`insert into ${table} (${columns}) select ${joinSql(source.map(boundValueSql), ', ')}, each::${castTypeOfDatabaseType(type)} from ${list} each on conflict do nothing`
    }
    const selected = [...source.map(boundValueSql), ...selectKeyParts(relatedColumnTypes)]
    return sqlTag`insert into ${table} (${columns}) select ${joinSql(selected, ', ')} from ${keyList(relatedColumnTypes, new Param(related))} on conflict do nothing`
  },
}

function withBinaryCollation(text: Sql): Sql {
  return sqlTag`(${text} collate "C")`
}

/** Makes a search case-sensitive. PostgreSQL can't search in text with a nondeterministic collation, and `citext` ignores case. */
function exactText(text: Sql): Sql {
  return withBinaryCollation(sqlTag`(${text})::text`)
}

/** Selects from lists of key parts. A list as the source of a select needs an explicit type. */
function keyList(types: readonly string[], keys: ParamOrComputedParam<readonly (readonly unknown[])[]>): Sql {
  const lists = types.map(
    (_, index) => sqlTag`${paramSql(mapParam(keys, (all) => all.map((key) => key[index])))}::text[]`,
  )
  return sqlTag`unnest(${joinSql(lists, ', ')}) each(${joinSql(
    types.map((_, index) => keyPartName(index)),
    ', ',
  )})`
}

function selectKeyParts(types: readonly string[]): readonly Sql[] {
  return types.map((type, index) => sqlTag`each.${keyPartName(index)}::${castTypeOfDatabaseType(type)}`)
}

function keyPartName(index: number): Sql {
  return rawSql(`part${index}`)
}

/** Returns a type for casts. `character` without a length would cut texts to one character. */
export function castTypeOfDatabaseType(type: string): Sql {
  return rawSql(type === 'character' ? 'bpchar' : type)
}

/** The types that literals are cast to. */
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

/** The widest type of each kind of numbers. Comparisons with columns of narrower types can still use their indexes. */
const WIDEST: Readonly<Partial<Record<AttributeType, string>>> = {
  integer: 'bigint',
  bigint: 'bigint',
  float: 'double precision',
}
