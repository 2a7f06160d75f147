import { columnAt } from './derived-columns'
import type { Dialect } from './dialect'
import { convert, ownValue } from './parameter'
import { scaleOf } from './position-shape'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'

/** MySQL and MariaDB. Their driver writes values into the text itself, and a list as `1, 2, 3`. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  isAmong: (column, values, { comparedAs }) => {
    const list = value(convert(values, (all) => (all.length === 0 ? [null] : all)))
    if (comparedAs === 'number') return toSql`(${column} in (${list}))`
    // The collation that most columns have takes 'a' for 'A': the first term uses the index, the second is exact.
    return toSql`(${column} in (${list}) and ${bytes(column)} in (${list}))`
  },
  areAmong: (columns, keys) => {
    const list = value(convert(keys, (all) => (all.length === 0 ? [columns.map(() => null)] : all)))
    const row = columns.map(({ expression }) => expression)
    const found = toSql`(${join(row, ', ')}) in (${list})`
    if (columns.every(({ comparedAs }) => comparedAs === 'number')) return toSql`(${found})`
    const exact = columns.map(({ expression, comparedAs }) => (comparedAs === 'text' ? bytes(expression) : expression))
    return toSql`(${found} and (${join(exact, ', ')}) in (${list}))`
  },
  textEquals: (left, right) => toSql`(${left} = ${right} and ${bytes(left)} = ${bytes(right)})`,
  byCodePoints: bytes,
  inOneCollation: (text) => toSql`(convert(${text} using utf8mb4) collate utf8mb4_bin)`,
  textIsOneOf: (left, others) => {
    const exact = join(others.map(bytes), ', ')
    return toSql`(${left} in (${join(others, ', ')}) and ${bytes(left)} in (${exact}))`
  },
  typed: (expression) => expression,
  compared: (given) => given,
  exists: (select) => toSql`exists (${select})`,
  existsForEach: (select) => toSql`exists (${select})`,
  // MariaDB has no derived tables that see the row outside, except this one.
  withColumns: ({ columns, alias, expression }) => {
    const declared = columns.map((_, place) => `${columnAt(place)} bigint path '$[${place}]'`).join(', ')
    const table = toSql`json_table(json_array(${join(columns, ', ')}), '$' columns (${identifier(declared)}))`
    return toSql`(select ${expression} from ${table} ${identifier(alias)})`
  },
  toMillisecond: (moment) => toSql`(${moment} - interval (microsecond(${moment}) % 1000) microsecond)`,
  contains: (column, text) => toSql`(locate(${bytes(text)}, ${bytes(column)}) > 0)`,
  startsWith: (column, text) => toSql`(left(${bytes(column)}, length(${bytes(text)})) = ${bytes(text)})`,
  endsWith: (column, text) => toSql`(right(${bytes(column)}, length(${bytes(text)})) = ${bytes(text)})`,
  orderBy: (expression, direction, nulls) => {
    // Nulls are the least of all values.
    if (nulls === 'nullsFirst' && direction === 'descending') {
      return toSql`${expression} is not null, ${expression} desc`
    }
    if (direction === 'descending') return toSql`${expression} desc`
    return nulls === 'nullable' ? toSql`${expression} is null, ${expression} asc` : toSql`${expression} asc`
  },
  selectPosition: (expression, { valueType }) => {
    if (valueType === 'string') return expression
    // A float is shown with six digits, and as a double with all.
    const exact = valueType === 'float' || valueType === 'boolean' ? toSql`${expression} + 0e0` : expression
    return toSql`cast(${exact} as char)`
  },
  bindPosition: (text, { valueType }) => {
    switch (valueType) {
      case 'float':
        return value(convert(text, Number))
      case 'integer':
      case 'bigint':
        return value(convert(text, BigInt))
      case 'decimal':
        return toSql`cast(${value(text)} as decimal(65, ${identifier(String(scaleOf(ownValue(text))))}))`
      case 'boolean':
        return value(convert(text, (held) => (held === 'true' ? 1 : 0)))
      default:
        return value(text)
    }
  },
  // But compared as text.
  sortsEnums: 'asColumns',
  sortedAs: (expression, { valueType }) => (valueType === 'enum' ? toSql`(${expression} + 0)` : expression),
  comparesRows: false,
  lock: () => toSql` for update`,
  looksIntoUnions: 'nowhere',
  // Rows of a select within the select have to be locked there.
  lockable: (source) => (source.endsWith(')') ? `${source.slice(0, -1)} for update)` : source),
  lockName: () => undefined,
  estimate: ({ database, name }) => {
    const schema = database === undefined ? identifier('schema()') : value(database)
    return toSql`select table_rows from information_schema.tables where table_schema = ${schema} and table_name = ${value(name)}`
  },
  countBehind: () => undefined,
  insertPairs: ({ table, leftColumns, rightColumns }, left, rights) => {
    const columns = join([...leftColumns, ...rightColumns], ', ')
    const [some] = leftColumns
    const pairs = value(rights.map((right) => [...left, ...right]))
    // Not `insert ignore`, which would leave out what a foreign key refuses as well.
    return toSql`insert into ${table} (${columns}) values ${pairs} on duplicate key update ${some ?? NOTHING} = ${some ?? NOTHING}`
  },
}

/** Text as bytes in one character set, whatever that of the column: no collation and no padding with blanks. */
function bytes(text: Sql): Sql {
  return toSql`cast(convert(${text} using utf8mb4) as binary)`
}
