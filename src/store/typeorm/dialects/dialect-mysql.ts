import {
  boundConstantSql,
  boundValueSql,
  derivedTableColumnName,
  EMPTY_SQL,
  joinSql,
  paramSql,
  rawSql,
  type Sql,
  sqlTag,
} from '../sql/sql'
import { evaluateParamWhileCompiling, mapParam } from '../sql/sql-param'
import { countFractionDigits } from './cursor-cache-key'
import type { Dialect } from './dialect'

/** The dialect of MySQL and MariaDB. Their driver writes values into the statement text, and a list as `1, 2, 3`. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  inList: (column, values, { comparedAs }) => {
    const list = paramSql(mapParam(values, (all) => (all.length === 0 ? [null] : all)))
    if (comparedAs === 'number') return sqlTag`(${column} in (${list}))`
    // Most columns have a case-insensitive collation: the first term can use the index, the second is exact.
    return sqlTag`(${column} in (${list}) and ${asBytes(column)} in (${list}))`
  },
  keyInList: (columns, keys) => {
    const list = paramSql(mapParam(keys, (all) => (all.length === 0 ? [columns.map(() => null)] : all)))
    const row = columns.map(({ expression }) => expression)
    const condition = sqlTag`(${joinSql(row, ', ')}) in (${list})`
    if (columns.every(({ comparedAs }) => comparedAs === 'number')) return sqlTag`(${condition})`
    const exact = columns.map(({ expression, comparedAs }) =>
      comparedAs === 'text' ? asBytes(expression) : expression,
    )
    return sqlTag`(${condition} and (${joinSql(exact, ', ')}) in (${list}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right} and ${asBytes(left)} = ${asBytes(right)})`,
  withBinaryCollation: asBytes,
  withCommonCollation: (text) => sqlTag`(convert(${text} using utf8mb4) collate utf8mb4_bin)`,
  textInList: (left, values) => {
    const exact = joinSql(values.map(asBytes), ', ')
    return sqlTag`(${left} in (${joinSql(values, ', ')}) and ${asBytes(left)} in (${exact}))`
  },
  typed: (expression) => expression,
  // A decimal and a text would be compared as floating-point numbers, in a list on MariaDB too.
  asComparand: (expression, { valueType, precision = 0, scale = 0 }) => {
    if (valueType !== 'decimal') return expression
    const digits = Math.min(MAX_FRACTION_DIGITS, MAX_DECIMAL_DIGITS - (precision - scale))
    return sqlTag`cast(${expression} as decimal(${rawSql(`${MAX_DECIMAL_DIGITS}, ${digits}`)}))`
  },
  likely: (condition) => condition,
  exists: (select) => sqlTag`exists (${select})`,
  existsPerRow: (select) => sqlTag`exists (${select})`,
  listsShared: true,
  // MariaDB has no lateral derived tables; only `json_table` can refer to columns of the outer row.
  withDerivedColumns: ({ columns, alias, expression }) => {
    const declared = columns.map((_, index) => `${derivedTableColumnName(index)} bigint path '$[${index}]'`).join(', ')
    const table = sqlTag`json_table(json_array(${joinSql(columns, ', ')}), '$' columns (${rawSql(declared)}))`
    return sqlTag`(select ${expression} from ${table} ${rawSql(alias)})`
  },
  truncateToMillisecond: (moment) => sqlTag`(${moment} - interval (microsecond(${moment}) % 1000) microsecond)`,
  contains: (column, text) => sqlTag`(locate(${asBytes(text)}, ${asBytes(column)}) > 0)`,
  startsWith: (column, text) => sqlTag`(left(${asBytes(column)}, length(${asBytes(text)})) = ${asBytes(text)})`,
  endsWith: (column, text) => sqlTag`(right(${asBytes(column)}, length(${asBytes(text)})) = ${asBytes(text)})`,
  orderBy: (expression, direction, nulls) => {
    // MySQL sorts nulls before all values.
    if (nulls === 'nullsFirst' && direction === 'descending') {
      return sqlTag`${expression} is not null, ${expression} desc`
    }
    if (direction === 'descending') return sqlTag`${expression} desc`
    return nulls === 'nullable' ? sqlTag`${expression} is null, ${expression} asc` : sqlTag`${expression} asc`
  },
  selectSortValue: (expression, { valueType }) => {
    if (valueType === 'string') return expression
    // MySQL prints a float with six digits, but a double with all digits.
    const exact = valueType === 'float' || valueType === 'boolean' ? sqlTag`${expression} + 0e0` : expression
    return sqlTag`cast(${exact} as char)`
  },
  bindSortValue: (text, { valueType }) => {
    switch (valueType) {
      case 'float':
        // A statement can't contain `NaN` and `Infinity`, which no row has.
        return paramSql(mapParam(text, (literal) => (Number.isFinite(Number(literal)) ? Number(literal) : literal)))
      case 'integer':
      case 'bigint':
        return paramSql(mapParam(text, BigInt))
      case 'decimal':
        return sqlTag`cast(${paramSql(text)} as decimal(65, ${rawSql(String(countFractionDigits(evaluateParamWhileCompiling(text))))}))`
      case 'boolean':
        return paramSql(mapParam(text, (literal) => (literal === 'true' ? 1 : 0)))
      default:
        return paramSql(text)
    }
  },
  // MySQL sorts enum columns by declaration, but compares them as text.
  sortsEnumsByDeclaration: 'asColumns',
  asSortColumn: (expression, { valueType }) => (valueType === 'enum' ? sqlTag`(${expression} + 0)` : expression),
  supportsRowValueComparison: false,
  lock: () => sqlTag` for update`,
  pushesPredicatesIntoUnions: 'nowhere',
  mergesSortedSelects: false,
  plansBoundLimitsAgain: false,
  // `for update` does not lock the rows of a derived table, so the derived table gets its own `for update`.
  lockInDerivedTable: (source) => (source.endsWith(')') ? `${source.slice(0, -1)} for update)` : source),
  advisoryLocks: () => undefined,
  estimateRowCount: ({ database, name }) => {
    const schema = database === undefined ? rawSql('schema()') : boundConstantSql(database)
    return sqlTag`select table_rows from information_schema.tables where table_schema = ${schema} and table_name = ${boundConstantSql(name)}`
  },
  advanceSequence: () => undefined,
  insertJunctionRows: ({ table, sourceColumns, relatedColumns }, source, related) => {
    const columns = joinSql([...sourceColumns, ...relatedColumns], ', ')
    const [column] = sourceColumns
    const pairs = boundValueSql(related.map((key) => [...source, ...key]))
    // `insert ignore` would also hide violations of foreign keys.
    return sqlTag`insert into ${table} (${columns}) values ${pairs} on duplicate key update ${column ?? EMPTY_SQL} = ${column ?? EMPTY_SQL}`
  },
}

const MAX_DECIMAL_DIGITS = 65
/** MySQL has fewer than MariaDB. */
const MAX_FRACTION_DIGITS = 30

/** Converts text to bytes in utf8mb4, for comparisons without collation and without padding of trailing spaces. */
function asBytes(text: Sql): Sql {
  return sqlTag`cast(convert(${text} using utf8mb4) as binary)`
}
