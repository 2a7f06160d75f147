import type { AttributeType } from '../../../graph/model/value-type'
import {
  boundValueSql,
  EMPTY_SQL,
  joinSql,
  paramSql,
  rawSql,
  type Sql,
  sqlTag,
  toSelectListWithNumberedAliases,
} from '../sql/sql'
import { evaluateParamWhileCompiling, mapParam } from '../sql/sql-param'
import { isInt64Text } from './cursor-cache-key'
import type { Dialect } from './dialect'

/** The dialect of all SQLite drivers: better-sqlite3, sql.js and others. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  inList: (column, values, { databaseType }) => {
    const listed = sqlTag`select ${joinSql(selectKeyParts([databaseType]), ', ')} from json_each(${paramSql(mapParam(values, toJson))})`
    return sqlTag`(${column} in (${listed}))`
  },
  keyInList: (columns, keys) => {
    const expressions = columns.map(({ expression }) => expression)
    const parts = selectKeyParts(columns.map(({ databaseType }) => databaseType))
    const listed = sqlTag`select ${joinSql(parts, ', ')} from json_each(${paramSql(mapParam(keys, toJson))})`
    return sqlTag`((${joinSql(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right} collate binary)`,
  withBinaryCollation: (text) => sqlTag`(${text} collate binary)`,
  withCommonCollation: (text) => sqlTag`(${text} collate binary)`,
  textInList: (left, values) => sqlTag`(${left} collate binary in (${joinSql(values, ', ')}))`,
  typed: castBigInt,
  asComparand: (expression, { valueType }) => castBigInt(expression, valueType),
  // Without statistics SQLite expects few rows, and sorts those of the index. To count them, an index that has all columns is still the fastest.
  likely: (condition, use) => (use === 'counted' ? sqlTag`likely(${condition})` : sqlTag`((${condition}) is true)`),
  // SQLite 3.51 and 3.52 convert `exists` to a join, which loses rows or counts rows that an `offset` skips. The plus prevents the conversion.
  exists: (select) => sqlTag`+exists (${select})`,
  existsPerRow: (select) => sqlTag`+exists (${select})`,
  listsShared: true,
  // SQLite does not merge a select without `from` into the outer one.
  withDerivedColumns: ({ columns, alias, expression }) =>
    sqlTag`(select ${expression} from (select ${toSelectListWithNumberedAliases(columns)}) ${rawSql(alias)})`,
  truncateToMillisecond: (moment) => sqlTag`strftime('%Y-%m-%d %H:%M:%f', ${moment})`,
  // Results of functions have no collation, so these comparisons are exact. An empty text matches every value.
  contains: (column, text) => sqlTag`(instr(${column}, ${text}) > 0)`,
  startsWith: (column, text) => sqlTag`(substr(${column}, 1, length(${text})) = ${text})`,
  // `substr(column, -length)` would return the whole column for an empty text.
  endsWith: (column, text) => sqlTag`(substr(${column}, length(${column}) - length(${text}) + 1) = ${text})`,
  orderBy: (expression, direction, nulls) => {
    // SQLite sorts nulls before all values.
    if (nulls === 'nullsFirst' && direction === 'descending') return sqlTag`${expression} desc nulls first`
    if (direction === 'descending') return sqlTag`${expression} desc`
    return nulls === 'nullable' ? sqlTag`${expression} asc nulls last` : sqlTag`${expression} asc`
  },
  // Casts integers to text, because JavaScript loses digits of large ones. Floats stay numbers, because SQLite prints only 15 digits of them.
  selectSortValue: (expression, { valueType }) => {
    if (valueType === 'bigint') return sqlTag`cast(${expression} as text)`
    if (valueType !== 'decimal') return expression
    return sqlTag`case when typeof(${expression}) = 'integer' then cast(${expression} as text) else ${expression} end`
  },
  bindSortValue: (text, { valueType }) => {
    if (valueType === 'boolean') return paramSql(mapParam(text, (literal) => (literal === 'true' ? 1 : 0)))
    if (!NUMERIC.has(valueType)) return paramSql(text)
    return isInt64Text(evaluateParamWhileCompiling(text))
      ? sqlTag`cast(${paramSql(text)} as integer)`
      : paramSql(mapParam(text, Number))
  },
  sortsEnumsByDeclaration: 'nowhere',
  asSortColumn: (expression) => expression,
  supportsRowValueComparison: true,
  lock: () => EMPTY_SQL,
  pushesPredicatesIntoUnions: 'inSubselects',
  mergesSortedSelects: true,
  plansBoundLimitsAgain: true,
  lockInDerivedTable: (source) => source,
  advisoryLocks: () => undefined,
  estimateRowCount: () => undefined,
  advanceSequence: () => undefined,
  insertJunctionRows: ({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source, related) => {
    const selected = [...source.map(boundValueSql), ...selectKeyParts(relatedColumnTypes)]
    const list = relatedColumns.length === 1 ? related.map(([only]) => only) : related
    // Without `where true` the parser would take `on` for the condition of a join.
    return sqlTag`insert into ${table} (${joinSql([...sourceColumns, ...relatedColumns], ', ')}) select ${joinSql(selected, ', ')} from json_each(${boundValueSql(toJson(list))}) where true on conflict do nothing`
  },
}

/**
 * Casts integers above 2^53, which are bound as text. Only columns convert such a text to an integer; compared with another expression it would
 * be greater than any integer.
 */
function castBigInt(expression: Sql, valueType: AttributeType): Sql {
  return valueType === 'bigint' ? sqlTag`cast(${expression} as numeric)` : expression
}

/** Prints a list as JSON. Bytes become hex digits, which `selectKeyParts` reads. */
function toJson(list: readonly unknown[]): string {
  return JSON.stringify(list.map((item) => (Array.isArray(item) ? item.map(toJsonValue) : toJsonValue(item))))
}

function toJsonValue(part: unknown): unknown {
  return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part
}

/** Selects the parts of each key of a JSON list. */
function selectKeyParts(types: readonly string[]): readonly Sql[] {
  return types.map((type, index) => {
    const part = types.length === 1 ? 'value' : `json_extract(value, '$[${index}]')`
    return rawSql(type === 'blob' ? `unhex(${part})` : part)
  })
}

/** Types that are bound as numbers, because an expression does not convert a text to a number as a column does. */
const NUMERIC: ReadonlySet<AttributeType> = new Set(['integer', 'bigint', 'float', 'decimal'] as const)
