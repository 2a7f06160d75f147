import type { SqlDialectName } from '../../../graph/model/filter-or-sort-function'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { Sql } from '../sql/sql'
import type { ParamOrComputedParam } from '../sql/sql-param'

/** The SQL that differs between databases. */
export interface Dialect {
  readonly name: SqlDialectName
  /** Quotes a name and escapes quote characters in it. */
  quote(name: string): string
  /** Returns the placeholder of the value with this index, from 0. */
  placeholder(index: number): string
  /** Compiles `column in (list)`. Binds the whole list as one value, so that the statement text does not depend on its length. */
  inList(column: Sql, values: ParamOrComputedParam<readonly unknown[]>, mapping: Omit<KeyColumnSql, 'expression'>): Sql
  /** Compiles `(a, b) in (list)`, and binds the list as one value too. */
  keyInList(columns: readonly KeyColumnSql[], keys: ParamOrComputedParam<readonly (readonly unknown[])[]>): Sql
  /** Compares text exactly, whatever the collation is. */
  textEquals(left: Sql, right: Sql): Sql
  /** Gives text a collation that compares by code points. */
  withBinaryCollation(text: Sql): Sql
  /** Gives text one case-sensitive collation, so that an expression can combine texts of different collations. */
  withCommonCollation(text: Sql): Sql
  /** Compares exactly with a list of texts. */
  textInList(left: Sql, values: readonly Sql[]): Sql
  /** Casts a value or an expression to this type, where the context does not determine it. */
  typed(expression: Sql, valueType: AttributeType): Sql
  /** Casts a value for a comparison with a column or an expression of this type. */
  asComparand(expression: Sql, constraints: ValueConstraints): Sql
  /** Compiles a condition that holds for nearly all rows, so that no index on its column decides how rows are listed. */
  likely(condition: Sql, use: 'listed' | 'counted'): Sql
  /** Compiles a condition that is true if the select finds a row. */
  exists(select: Sql): Sql
  /** Compiles the same condition as a lookup for each row: databases plan a statement with sixty semi-joins for seconds. */
  existsPerRow(select: Sql): Sql
  /** True if related rows that many rows share should be listed by key once, because the database would look them up for each row. */
  readonly listsShared: boolean
  /** Compiles an expression over a derived table of one row. Its columns `n0`, `n1`… are integers, which the database evaluates once. */
  withDerivedColumns(table: DerivedColumns): Sql
  /** Cuts a moment to milliseconds. */
  truncateToMillisecond(moment: Sql): Sql
  /** Where the database pushes conditions into a union instead of materializing the whole union. */
  readonly pushesPredicatesIntoUnions: 'everywhere' | 'inSubselects' | 'nowhere'
  /** True if a sorted union reads its selects in that order, each only as far as the limit requires. */
  readonly mergesSortedSelects: boolean
  /** Converts the source of rows to one that `lock` can lock. */
  lockInDerivedTable(source: string): string
  /** Compiles a statement that waits for transactions that ran it with one of these names. `undefined`: row locks are sufficient. */
  advisoryLocks(names: readonly string[]): Sql | undefined
  /** True if the database plans a statement again at each execution whose `limit` is a bound value. */
  readonly plansBoundLimitsAgain: boolean
  /** Selects the estimated number of rows from the statistics of a table, or null. `undefined`: the database has no statistics for it. */
  estimateRowCount(table: NamedTable): Sql | undefined
  contains(column: Sql, text: Sql): Sql
  startsWith(column: Sql, text: Sql): Sql
  endsWith(column: Sql, text: Sql): Sql
  /** Compiles one `order by` term. Nulls come last in both directions, or first for `nullsFirst`. */
  orderBy(expression: Sql, direction: 'ascending' | 'descending', nulls: 'nullable' | 'nullsFirst' | 'notNullable'): Sql
  /** Selects a sort value so that the driver returns all its digits. */
  selectSortValue(expression: Sql, constraints: ValueConstraints): Sql
  /** Binds a value that `selectSortValue` returned. */
  bindSortValue(text: ParamOrComputedParam<string>, constraints: ValueConstraints): Sql
  /** Where the database sorts and compares enums by declaration: everywhere, for columns only, or nowhere. */
  readonly sortsEnumsByDeclaration: 'everywhere' | 'asColumns' | 'nowhere'
  /** Converts a sort value that becomes a column of a derived table. */
  asSortColumn(expression: Sql, constraints: ValueConstraints): Sql
  /** True if an index serves `(a, b) > (1, 2)`. */
  readonly supportsRowValueComparison: boolean
  /** Compiles the suffix of a select that locks the rows of this alias until the transaction ends; empty if none is needed. */
  lock(alias: string): Sql
  /** Advances the sequence of a generated key past a key that a client set. `undefined`: the database does so itself. */
  advanceSequence(counter: SequenceColumn, key: Sql): Sql | undefined
  /** Inserts one pair for each related key into a junction table, with one value for all keys; existing pairs stay. */
  insertJunctionRows(
    pairs: JunctionColumns,
    sourceKey: readonly unknown[],
    relatedKeys: readonly (readonly unknown[])[],
  ): Sql
}

/** A column of a key or of a foreign key. */
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

/** A column with a sequence or an auto-increment counter. */
interface SequenceColumn {
  /** Quoted, with its schema. */
  readonly table: string
  /** Unquoted. */
  readonly column: string
}

/** A junction table and the columns of its two foreign keys, quoted. */
interface JunctionColumns {
  readonly table: Sql
  readonly sourceColumns: readonly Sql[]
  readonly relatedColumns: readonly Sql[]
  /** The names of the types of the related columns in the database. */
  readonly relatedColumnTypes: readonly string[]
}

/** `quoteTablePath('other.humans', sqliteDialect)` -> `"other"."humans"` */
export function quoteTablePath(tablePath: string, dialect: Dialect): string {
  return tablePath.split('.').map(dialect.quote).join('.')
}
