import type { AttributeType } from '../../../graph/model/value-type'
import { bindValue, derivedTableSelectList, EMPTY_SQL, join, rawSql, type Sql, sqlTag, value } from '../sql/sql'
import { mapParam, valueOfFirstExecution } from '../sql/sql-param'
import { isInt64Text } from './cursor-cache-key'
import type { Dialect } from './dialect'

/** Every driver of SQLite: better-sqlite3, sql.js and the others. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  inList: (column, values, { databaseType }) => {
    const listed = sqlTag`select ${join(selectKeyParts([databaseType]), ', ')} from json_each(${value(mapParam(values, toJson))})`
    return sqlTag`(${column} in (${listed}))`
  },
  keyInList: (columns, keys) => {
    const expressions = columns.map(({ expression }) => expression)
    const parts = selectKeyParts(columns.map(({ databaseType }) => databaseType))
    const listed = sqlTag`select ${join(parts, ', ')} from json_each(${value(mapParam(keys, toJson))})`
    return sqlTag`((${join(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right} collate binary)`,
  withBinaryCollation: (text) => sqlTag`(${text} collate binary)`,
  withCommonCollation: (text) => sqlTag`(${text} collate binary)`,
  textInList: (left, others) => sqlTag`(${left} collate binary in (${join(others, ', ')}))`,
  typed: castBigInt,
  asComparand: castBigInt,
  // SQLite 3.51 and 3.52 make joins of these, and lose rows, or count those that an `offset` skips wrongly. The plus keeps them from it.
  exists: (select) => sqlTag`+exists (${select})`,
  existsPerRow: (select) => sqlTag`+exists (${select})`,
  listsShared: true,
  // A select without `from` is not merged into the one around it.
  withDerivedColumns: ({ columns, alias, expression }) =>
    sqlTag`(select ${expression} from (select ${derivedTableSelectList(columns)}) ${rawSql(alias)})`,
  truncateToMillisecond: (moment) => sqlTag`strftime('%Y-%m-%d %H:%M:%f', ${moment})`,
  // Functions of an expression have no collation, so that these compare exactly. The empty text is found everywhere.
  contains: (column, text) => sqlTag`(instr(${column}, ${text}) > 0)`,
  startsWith: (column, text) => sqlTag`(substr(${column}, 1, length(${text})) = ${text})`,
  // Not `substr(column, -length)`: that is the whole column for the empty text.
  endsWith: (column, text) => sqlTag`(substr(${column}, length(${column}) - length(${text}) + 1) = ${text})`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the least of all values.
    if (nulls === 'nullsFirst' && direction === 'descending') return sqlTag`${expression} desc nulls first`
    if (direction === 'descending') return sqlTag`${expression} desc`
    return nulls === 'nullable' ? sqlTag`${expression} asc nulls last` : sqlTag`${expression} asc`
  },
  // JavaScript writes a float so that it is read as the same one, where SQLite keeps 15 digits of it; integers lose digits in JavaScript.
  selectSortValue: (expression, { valueType }) => {
    if (valueType === 'bigint') return sqlTag`cast(${expression} as text)`
    if (valueType !== 'decimal') return expression
    return sqlTag`case when typeof(${expression}) = 'integer' then cast(${expression} as text) else ${expression} end`
  },
  bindSortValue: (text, { valueType }) => {
    if (valueType === 'boolean') return value(mapParam(text, (literal) => (literal === 'true' ? 1 : 0)))
    if (!NUMERIC.has(valueType)) return value(text)
    return isInt64Text(valueOfFirstExecution(text))
      ? sqlTag`cast(${value(text)} as integer)`
      : value(mapParam(text, Number))
  },
  sortsEnumsByDeclaration: 'nowhere',
  asSortColumn: (expression) => expression,
  supportsRowValueComparison: true,
  lock: () => EMPTY_SQL,
  pushesPredicatesIntoUnions: 'inSubselects',
  lockable: (source) => source,
  advisoryLock: () => undefined,
  estimateRowCount: () => undefined,
  advanceSequence: () => undefined,
  insertJunctionRows: ({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source, related) => {
    const selected = [...source.map(bindValue), ...selectKeyParts(relatedColumnTypes)]
    const list = relatedColumns.length === 1 ? related.map(([only]) => only) : related
    // Without `where true` the parser takes `true` for that of a join.
    return sqlTag`insert into ${table} (${join([...sourceColumns, ...relatedColumns], ', ')}) select ${join(selected, ', ')} from json_each(${bindValue(toJson(list))}) where true on conflict do nothing`
  },
}

/** Digits above 2^53 are given as text, and an expression is no column that would make an integer of it: any integer comes before any text. */
function castBigInt(given: Sql, valueType: AttributeType): Sql {
  return valueType === 'bigint' ? sqlTag`cast(${given} as numeric)` : given
}

/** JSON has no word for bytes: `selectKeyParts` reads them from their digits. */
function toJson(list: readonly unknown[]): string {
  return JSON.stringify(list.map((each) => (Array.isArray(each) ? each.map(toJsonValue) : toJsonValue(each))))
}

function toJsonValue(part: unknown): unknown {
  return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part
}

/** Selects the parts of each key of a JSON list. */
function selectKeyParts(types: readonly string[]): readonly Sql[] {
  return types.map((type, place) => {
    const part = types.length === 1 ? 'value' : `json_extract(value, '$[${place}]')`
    return rawSql(type === 'blob' ? `unhex(${part})` : part)
  })
}

/** Compared as numbers. An expression has no type by which a text would become one. */
const NUMERIC: ReadonlySet<AttributeType> = new Set(['integer', 'bigint', 'float', 'decimal'] as const)
