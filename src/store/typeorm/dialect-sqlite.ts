import type { ValueType } from '../../graph/value-type'
import { listColumns } from './derived-columns'
import type { Dialect } from './dialect'
import { convert, ownValue } from './parameter'
import { isInt64 } from './position-shape'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'

/** Every driver of SQLite: better-sqlite3, sql.js and the others. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  isAmong: (column, values, { databaseType }) => {
    const listed = toSql`select ${join(partsOf([databaseType]), ', ')} from json_each(${value(convert(values, toJson))})`
    return toSql`(${column} in (${listed}))`
  },
  areAmong: (columns, keys) => {
    const expressions = columns.map(({ expression }) => expression)
    const parts = partsOf(columns.map(({ databaseType }) => databaseType))
    const listed = toSql`select ${join(parts, ', ')} from json_each(${value(convert(keys, toJson))})`
    return toSql`((${join(expressions, ', ')}) in (${listed}))`
  },
  textEquals: (left, right) => toSql`(${left} = ${right} collate binary)`,
  byCodePoints: (text) => toSql`(${text} collate binary)`,
  inOneCollation: (text) => toSql`(${text} collate binary)`,
  textIsOneOf: (left, others) => toSql`(${left} collate binary in (${join(others, ', ')}))`,
  typed: asWhole,
  compared: asWhole,
  // SQLite 3.51 and 3.52 make joins of these, and lose rows, or count those that an `offset` skips wrongly. The plus keeps them from it.
  exists: (select) => toSql`+exists (${select})`,
  existsForEach: (select) => toSql`+exists (${select})`,
  // A select without `from` is not merged into the one around it.
  withColumns: ({ columns, alias, expression }) =>
    toSql`(select ${expression} from (select ${listColumns(columns)}) ${identifier(alias)})`,
  toMillisecond: (moment) => toSql`strftime('%Y-%m-%d %H:%M:%f', ${moment})`,
  // Functions of an expression have no collation, so that these compare exactly. The empty text is found everywhere.
  contains: (column, text) => toSql`(instr(${column}, ${text}) > 0)`,
  startsWith: (column, text) => toSql`(substr(${column}, 1, length(${text})) = ${text})`,
  // Not `substr(column, -length)`: that is the whole column for the empty text.
  endsWith: (column, text) => toSql`(substr(${column}, length(${column}) - length(${text}) + 1) = ${text})`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the least of all values.
    if (nulls === 'nullsFirst' && direction === 'descending') return toSql`${expression} desc nulls first`
    if (direction === 'descending') return toSql`${expression} desc`
    return nulls === 'nullable' ? toSql`${expression} asc nulls last` : toSql`${expression} asc`
  },
  // JavaScript writes a float so that it is read as the same one, where SQLite keeps 15 digits of it; integers lose digits in JavaScript.
  selectPosition: (expression, { valueType }) => {
    if (valueType === 'bigint') return toSql`cast(${expression} as text)`
    if (valueType !== 'decimal') return expression
    return toSql`case when typeof(${expression}) = 'integer' then cast(${expression} as text) else ${expression} end`
  },
  bindPosition: (text, { valueType }) => {
    if (valueType === 'boolean') return value(convert(text, (held) => (held === 'true' ? 1 : 0)))
    if (!NUMERIC.has(valueType)) return value(text)
    return isInt64(ownValue(text)) ? toSql`cast(${value(text)} as integer)` : value(convert(text, Number))
  },
  sortsEnums: 'nowhere',
  sortedAs: (expression) => expression,
  comparesRows: true,
  lock: () => NOTHING,
  looksIntoUnions: 'inSubselects',
  lockable: (source) => source,
  lockName: () => undefined,
  estimate: () => undefined,
  countBehind: () => undefined,
  insertPairs: ({ table, leftColumns, rightColumns, rightTypes }, left, rights) => {
    const selected = [...left.map(value), ...partsOf(rightTypes)]
    const list = rightColumns.length === 1 ? rights.map(([only]) => only) : rights
    // Without `where true` the parser takes `on` for that of a join.
    return toSql`insert into ${table} (${join([...leftColumns, ...rightColumns], ', ')}) select ${join(selected, ', ')} from json_each(${value(toJson(list))}) where true on conflict do nothing`
  },
}

/** Digits above 2^53 are given as text, and an expression is no column that would make an integer of it: any integer comes before any text. */
function asWhole(given: Sql, valueType: ValueType): Sql {
  return valueType === 'bigint' ? toSql`cast(${given} as numeric)` : given
}

/** JSON has no word for bytes: `partsOf` reads them from their digits. */
function toJson(list: readonly unknown[]): string {
  return JSON.stringify(list.map((each) => (Array.isArray(each) ? each.map(toWord) : toWord(each))))
}

function toWord(part: unknown): unknown {
  return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part
}

/** Of each member of a list of keys. */
function partsOf(types: readonly string[]): readonly Sql[] {
  return types.map((type, place) => {
    const part = types.length === 1 ? 'value' : `json_extract(value, '$[${place}]')`
    return identifier(type === 'blob' ? `unhex(${part})` : part)
  })
}

/** Compared as numbers. An expression has no type by which a text would become one. */
const NUMERIC: ReadonlySet<ValueType> = new Set(['integer', 'bigint', 'float', 'decimal'] as const)
