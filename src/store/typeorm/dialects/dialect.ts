import type { SqlDialect } from '../../../graph/query-function'
import type { AttributeType, ValueConstraints } from '../../../graph/value-type'
import type { Sql } from '../sql/sql'
import type { SqlParam } from '../sql/sql-param'

/** What databases say in different ways. One object per family: dialect-sqlite, dialect-postgres, dialect-mysql. */
export interface Dialect {
  readonly name: SqlDialect
  /** Escapes the quote character within. */
  quote(name: string): string
  /** The place of the value with this index, from 0. */
  placeholder(index: number): string
  /** `column in (list)` with one value for the whole list, so that the text does not depend on its length. */
  inList(column: Sql, values: SqlParam<readonly unknown[]>, of: Omit<KeyColumnSql, 'expression'>): Sql
  /** The same for keys of several columns. */
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
  asComparand(given: Sql, valueType: AttributeType): Sql
  /** Whether there are such rows. */
  exists(select: Sql): Sql
  /** The same, looked up for each row: others may be made joins, and to plan a statement of sixty joins takes seconds. */
  existsPerRow(select: Sql): Sql
  /** Whether related rows that many rows share are best given as a list of their keys: else it looks for them again for each of those rows. */
  readonly listsShared: boolean
  /** An expression over the columns of a derived table of one row, `n0`, `n1` and so on: whole numbers, each worked out once. */
  withDerivedColumns(of: DerivedColumns): Sql
  /** A moment without what is finer than a millisecond. */
  truncateToMillisecond(moment: Sql): Sql
  /** Where it looks into a union for the rows that belong to one, in place of making the whole of it first. */
  readonly pushesPredicatesIntoUnions: 'everywhere' | 'inSubselects' | 'nowhere'
  /** Rows of a source, so that `lock` locks them. */
  lockable(source: string): string
  /** Whoever runs it waits for others who have run it with the same name, until their transactions end; `undefined`: locked rows will do. */
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
  /** Where enums are sorted by their declaration: wherever they stand, and compared so too; or columns only; or nowhere. */
  readonly sortsEnumsByDeclaration: 'everywhere' | 'asColumns' | 'nowhere'
  /** A value to be sorted by once it has become the column of a derived table. */
  asSortColumn(expression: Sql, range: ValueConstraints): Sql
  /** Whether `(a, b) > (1, 2)` is served by an index. */
  readonly supportsRowValueComparison: boolean
  /** Behind a select, so that the rows of this table reference can't be written by others until the transaction ends; nothing where that is not needed. */
  lock(alias: string): Sql
  /** Takes the counter of a generated key behind one that a client gave; nothing where the database does so itself. */
  advanceSequence(counter: SequenceColumn, key: Sql): Sql | undefined
  /** Puts one pair per right into a table of pairs, with one value for all rights; pairs that are there already stay as they are. */
  insertJunctionRows(
    pairs: JunctionColumns,
    sourceKey: readonly unknown[],
    relatedKeys: readonly (readonly unknown[])[],
  ): Sql
}

/** One of the columns of a key, or of one that refers to it. */
export interface KeyColumnSql {
  readonly expression: Sql
  readonly comparedAs: 'number' | 'text'
  /** What the database calls its type, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
}

export interface DerivedColumns {
  readonly columns: readonly Sql[]
  readonly alias: string
  readonly expression: Sql
}

export interface NamedTable {
  /** With its schema. */
  readonly quoted: string
  /** As it is; `undefined`: that of the connection. */
  readonly database: string | undefined
  readonly name: string
}

/** A key that counts up. */
export interface SequenceColumn {
  /** Quoted, with its schema. */
  readonly table: string
  /** As it is. */
  readonly column: string
}

/** A table of pairs and its columns, quoted: those of either key. */
export interface JunctionColumns {
  readonly table: Sql
  readonly sourceColumns: readonly Sql[]
  readonly relatedColumns: readonly Sql[]
  /** What the database calls the types of the right columns. */
  readonly relatedColumnTypes: readonly string[]
}

/** `quotePath('other.humans', sqliteDialect)` -> `"other"."humans"` */
export function quotePath(tablePath: string, dialect: Dialect): string {
  return tablePath.split('.').map(dialect.quote).join('.')
}
