import {
  bindConstant,
  bindValue,
  derivedTableColumnName,
  EMPTY_SQL,
  join,
  rawSql,
  type Sql,
  sqlTag,
  value,
} from '../sql/sql'
import { mapParam, valueOfFirstExecution } from '../sql/sql-param'
import { countFractionDigits } from './cursor-cache-key'
import type { Dialect } from './dialect'

/** MySQL and MariaDB. Their driver writes values into the text itself, and a list as `1, 2, 3`. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  inList: (column, values, { comparedAs }) => {
    const list = value(mapParam(values, (all) => (all.length === 0 ? [null] : all)))
    if (comparedAs === 'number') return sqlTag`(${column} in (${list}))`
    // The collation that most columns have takes 'a' for 'A': the first term uses the index, the second is exact.
    return sqlTag`(${column} in (${list}) and ${asBytes(column)} in (${list}))`
  },
  keyInList: (columns, keys) => {
    const list = value(mapParam(keys, (all) => (all.length === 0 ? [columns.map(() => null)] : all)))
    const row = columns.map(({ expression }) => expression)
    const found = sqlTag`(${join(row, ', ')}) in (${list})`
    if (columns.every(({ comparedAs }) => comparedAs === 'number')) return sqlTag`(${found})`
    const exact = columns.map(({ expression, comparedAs }) =>
      comparedAs === 'text' ? asBytes(expression) : expression,
    )
    return sqlTag`(${found} and (${join(exact, ', ')}) in (${list}))`
  },
  textEquals: (left, right) => sqlTag`(${left} = ${right} and ${asBytes(left)} = ${asBytes(right)})`,
  withBinaryCollation: asBytes,
  withCommonCollation: (text) => sqlTag`(convert(${text} using utf8mb4) collate utf8mb4_bin)`,
  textInList: (left, others) => {
    const exact = join(others.map(asBytes), ', ')
    return sqlTag`(${left} in (${join(others, ', ')}) and ${asBytes(left)} in (${exact}))`
  },
  typed: (expression) => expression,
  asComparand: (given) => given,
  exists: (select) => sqlTag`exists (${select})`,
  existsPerRow: (select) => sqlTag`exists (${select})`,
  listsShared: true,
  // MariaDB has no derived tables that see the row outside, except this one.
  withDerivedColumns: ({ columns, alias, expression }) => {
    const declared = columns.map((_, place) => `${derivedTableColumnName(place)} bigint path '$[${place}]'`).join(', ')
    const table = sqlTag`json_table(json_array(${join(columns, ', ')}), '$' columns (${rawSql(declared)}))`
    return sqlTag`(select ${expression} from ${table} ${rawSql(alias)})`
  },
  truncateToMillisecond: (moment) => sqlTag`(${moment} - interval (microsecond(${moment}) % 1000) microsecond)`,
  contains: (column, text) => sqlTag`(locate(${asBytes(text)}, ${asBytes(column)}) > 0)`,
  startsWith: (column, text) => sqlTag`(left(${asBytes(column)}, length(${asBytes(text)})) = ${asBytes(text)})`,
  endsWith: (column, text) => sqlTag`(right(${asBytes(column)}, length(${asBytes(text)})) = ${asBytes(text)})`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the least of all values.
    if (nulls === 'nullsFirst' && direction === 'descending') {
      return sqlTag`${expression} is not null, ${expression} desc`
    }
    if (direction === 'descending') return sqlTag`${expression} desc`
    return nulls === 'nullable' ? sqlTag`${expression} is null, ${expression} asc` : sqlTag`${expression} asc`
  },
  selectSortValue: (expression, { valueType }) => {
    if (valueType === 'string') return expression
    // A float is shown with six digits, and as a double with all.
    const exact = valueType === 'float' || valueType === 'boolean' ? sqlTag`${expression} + 0e0` : expression
    return sqlTag`cast(${exact} as char)`
  },
  bindSortValue: (text, { valueType }) => {
    switch (valueType) {
      case 'float':
        return value(mapParam(text, Number))
      case 'integer':
      case 'bigint':
        return value(mapParam(text, BigInt))
      case 'decimal':
        return sqlTag`cast(${value(text)} as decimal(65, ${rawSql(String(countFractionDigits(valueOfFirstExecution(text))))}))`
      case 'boolean':
        return value(mapParam(text, (literal) => (literal === 'true' ? 1 : 0)))
      default:
        return value(text)
    }
  },
  // But compared as text.
  sortsEnumsByDeclaration: 'asColumns',
  asSortColumn: (expression, { valueType }) => (valueType === 'enum' ? sqlTag`(${expression} + 0)` : expression),
  supportsRowValueComparison: false,
  lock: () => sqlTag` for update`,
  pushesPredicatesIntoUnions: 'nowhere',
  // Rows of a select within the select have to be locked there.
  lockable: (source) => (source.endsWith(')') ? `${source.slice(0, -1)} for update)` : source),
  advisoryLock: () => undefined,
  estimateRowCount: ({ database, name }) => {
    const schema = database === undefined ? rawSql('schema()') : bindConstant(database)
    return sqlTag`select table_rows from information_schema.tables where table_schema = ${schema} and table_name = ${bindConstant(name)}`
  },
  advanceSequence: () => undefined,
  insertJunctionRows: ({ table, sourceColumns, relatedColumns }, source, related) => {
    const columns = join([...sourceColumns, ...relatedColumns], ', ')
    const [some] = sourceColumns
    const pairs = bindValue(related.map((key) => [...source, ...key]))
    // Not `insert ignore`, which would leave out what a foreign key refuses as well.
    return sqlTag`insert into ${table} (${columns}) values ${pairs} on duplicate key update ${some ?? EMPTY_SQL} = ${some ?? EMPTY_SQL}`
  },
}

/** Text as bytes in one character set, whatever that of the column: no collation and no padding with blanks. */
function asBytes(text: Sql): Sql {
  return sqlTag`cast(convert(${text} using utf8mb4) as binary)`
}
