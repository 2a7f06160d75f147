import type { SqlDialect } from '../../../graph/model/query-function'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { Sql } from '../sql/sql'
import type { SqlParam } from '../sql/sql-param'

/** What differs between databases. */
export interface Dialect {
  readonly name: SqlDialect
  /** Escapes the quote character within. */
  quote(name: string): string
  /** The place of the value with this index, from 0. */
  placeholder(index: number): string
  /** `column in (list)` with one value for the whole list, so that the text does not depend on its length. */
  inList(column: Sql, values: SqlParam<readonly unknown[]>, of: Omit<KeyColumnSql, 'expression'>): Sql
  /** `(a, b) in (list)`, likewise with one value. */
  keyInList(columns: readonly KeyColumnSql[], keys: SqlParam<readonly (readonly unknown[])[]>): Sql
  /** Exact equality of text, whatever the collation. */
  textEquals(left: Sql, right: Sql): Sql
  /** A text that is compared with another one by code points, whatever their collations. */
  withBinaryCollation(text: Sql): Sql
  /** A text that meets others in one expression, whatever their collations: one of text, that knows upper and lower case. */
  withCommonCollation(text: Sql): Sql
  /** Exact equality with one of several texts. */
  textInList(left: Sql, others: readonly Sql[]): Sql
  /** A value or an expression that is to be of this type wherever it stands. */
  typed(expression: Sql, valueType: AttributeType): Sql
  /** A value that is compared with a column or an expression of this type. */
  asComparand(expression: Sql, valueType: AttributeType): Sql
  /** Compiles a condition that is true if the select finds a row. */
  exists(select: Sql): Sql
  /** Compiles the same condition as a lookup for each row: databases plan a statement with sixty semi-joins for seconds. */
  existsPerRow(select: Sql): Sql
  /** True if related rows that many rows share should be listed by key once, because the database would look them up for each row. */
  readonly listsShared: boolean
  /** An expression over the columns of a derived table of one row, `n0`, `n1` and so on: whole numbers, each worked out once. */
  withDerivedColumns(of: DerivedColumns): Sql
  /** A moment without what is finer than a millisecond. */
  truncateToMillisecond(moment: Sql): Sql
  /** Where the database pushes conditions into a union instead of materializing the whole union. */
  readonly pushesPredicatesIntoUnions: 'everywhere' | 'inSubselects' | 'nowhere'
  /** Rows of a source, so that `lock` locks them. */
  lockable(source: string): string
  /** A statement that waits until transactions that ran it with the same name have ended. `undefined`: locked rows are enough. */
  advisoryLock(name: string): Sql | undefined
  /** A select of how many rows a table has, by what the database keeps of it, or null; `undefined`: it counts them as quickly. */
  estimateRowCount(table: NamedTable): Sql | undefined
  contains(column: Sql, text: Sql): Sql
  startsWith(column: Sql, text: Sql): Sql
  endsWith(column: Sql, text: Sql): Sql
  /** One `order by` term; nulls last in both directions, or first where they are to be. */
  orderBy(expression: Sql, direction: 'ascending' | 'descending', nulls: 'nullable' | 'nullsFirst' | 'notNullable'): Sql
  /** Selects a value to be sorted by so that the driver gives all of its digits. */
  selectSortValue(expression: Sql, range: ValueConstraints): Sql
  /** That value as a parameter. */
  bindSortValue(text: SqlParam<string>, range: ValueConstraints): Sql
  /** Where the database sorts and compares enums by declaration: everywhere, for columns only, or nowhere. */
  readonly sortsEnumsByDeclaration: 'everywhere' | 'asColumns' | 'nowhere'
  /** A value to be sorted by once it has become the column of a derived table. */
  asSortColumn(expression: Sql, range: ValueConstraints): Sql
  /** True if an index serves `(a, b) > (1, 2)`. */
  readonly supportsRowValueComparison: boolean
  /** A suffix of a select that locks the rows of this table reference until the transaction ends; empty if none is needed. */
  lock(alias: string): Sql
  /** Takes the counter of a generated key behind one that a client gave; nothing where the database does so itself. */
  advanceSequence(counter: SequenceColumn, key: Sql): Sql | undefined
  /** Inserts one pair for each related key into a junction table, with one value for all keys; existing pairs stay. */
  insertJunctionRows(
    pairs: JunctionColumns,
    sourceKey: readonly unknown[],
    relatedKeys: readonly (readonly unknown[])[],
  ): Sql
}

/** One of the columns of a key, or of one that refers to it. */
interface KeyColumnSql {
  readonly expression: Sql
  readonly comparedAs: 'number' | 'text'
  /** The name of its type in the database, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
}

interface DerivedColumns {
  readonly columns: readonly Sql[]
  readonly alias: string
  readonly expression: Sql
}

interface NamedTable {
  /** With its schema. */
  readonly quoted: string
  /** Unquoted; `undefined`: the database of the connection. */
  readonly database: string | undefined
  readonly name: string
}

/** A key that counts up. */
interface SequenceColumn {
  /** Quoted, with its schema. */
  readonly table: string
  /** As it is. */
  readonly column: string
}

/** A table of pairs and its columns, quoted: those of either key. */
interface JunctionColumns {
  readonly table: Sql
  readonly sourceColumns: readonly Sql[]
  readonly relatedColumns: readonly Sql[]
  /** The names of the types of the related columns in the database. */
  readonly relatedColumnTypes: readonly string[]
}

/** `quotePath('other.humans', sqliteDialect)` -> `"other"."humans"` */
export function quotePath(tablePath: string, dialect: Dialect): string {
  return tablePath.split('.').map(dialect.quote).join('.')
}
