import { isSameOrDerivedType } from '../../../graph/model/inheritance'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Dialect } from '../dialects/dialect'
import type {
  ColumnMapping,
  DatabaseMapping,
  ForeignKeyColumn,
  JoinedTableColumn,
  ResourceTypeMapping,
  TableRowSource,
} from '../mapping/database-mapping'
import { boundConstantSql, EMPTY_SQL, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileKeyColumnsEqual, type KeyColumnsSql } from './key-conditions'

/** The rows of one table reference in a statement, and the to-one joins of these rows. */
export interface SqlScope {
  readonly mapping: DatabaseMapping
  /** The declared type of the rows, or a subtype that the conditions guarantee. */
  readonly type: ResourceType
  /** The table of the type that the scope was created for. */
  readonly table: ResourceTypeMapping
  /** The aliases of tables that are joined one by one. Each row is in one of them. */
  readonly unionAliases: readonly TableAlias[] | undefined
  /** The requested columns; the key is always one of them. */
  readonly usedColumns: Set<string>
  readonly alias: string
  readonly joins: Joins
  /** The joined tables with further columns of these rows; `undefined`: nothing can be joined here. */
  readonly joinedTables: JoinedTables | undefined
  /** Subselects that the compiled condition contains several times; `undefined`: none. */
  readonly shared: SharedSubselects | undefined
  /** The number of enclosing subselects. */
  readonly depth: number
  /** `someRows`: the statement knows the keys of its rows or of their source rows. */
  readonly reads: 'allRows' | 'someRows'
  /** True if several rows of the statement can lead to one of these rows, which would repeat lookups. */
  readonly mayRepeat: boolean
  /** True if no enclosing subselect runs for each row, so that the database evaluates a join here once. */
  readonly runsOnce: boolean
  /** Returns a name that is unique in the whole statement. */
  readonly nextAlias: () => string
  /** Counts the `has` conditions of the whole statement. Returns the number of the next one, from 1. */
  readonly nextHas: () => number
}

/**
 * Subselects that a condition contains more than once. They are columns of a derived table with one row, so that the database evaluates each once
 * for each row of the statement. Otherwise 160 terms with the same `count` would count 160 times.
 */
export interface SharedSubselects {
  readonly repeated: ReadonlySet<string>
  readonly alias: string
  /** The subselects that are compiled so far, by their keys. */
  readonly columns: Map<string, Sql>
  /** The path from the rows of the condition to the rows of the scope. */
  readonly path: string
}

/** The joins that compiled clauses requested; each path is joined once. */
interface Joins {
  /** Compiled last, when the requested columns of the joined rows are known. */
  readonly texts: (() => Sql)[]
  readonly scopes: Map<string, SqlScope>
}

interface TableAlias {
  readonly alias: string
  readonly columns: TableRowSource['columns']
}

/** The requested joined tables of one hierarchy by alias. Their joins follow the join of the rows. */
interface JoinedTables {
  readonly texts: Joins['texts']
  readonly aliases: Set<string>
}

export function rootSqlScope(
  mapping: DatabaseMapping,
  type: ResourceType,
  reads: SqlScope['reads'] = 'someRows',
): SqlScope {
  let aliases = 0
  let conditions = 0
  return createScope(mapping, type, {
    depth: 0,
    reads,
    mayRepeat: false,
    runsOnce: true,
    nextAlias: () => `t${aliases++}`,
    nextHas: () => ++conditions,
  })
}

/** Creates a scope for a subselect in the same statement. */
export function innerSqlScope(outer: SqlScope, type: ResourceType): SqlScope {
  const { mapping, depth, reads, mayRepeat, nextAlias, nextHas } = outer
  return createScope(mapping, type, { depth: depth + 1, reads, mayRepeat, runsOnce: false, nextAlias, nextHas })
}

/**
 * Compiles what stands after `from`: `"humans" t0 left join …`. Call it when everything that may need joins is compiled. `source`: one of the tables
 * of the type, or all.
 */
export function compileTableAndJoins(scope: SqlScope, source = scope.table.fromItem): Sql {
  const table = rawSql(`${source(scope.usedColumns)} ${scope.alias}`)
  const joined = scope.joins.texts.map((toText) => toText())
  return joined.length === 0 ? table : sqlTag`${table} ${joinSql(joined, ' ')}`
}

/** Returns the source of the same rows in a form that `lock` of the dialect can lock: only MySQL needs `for update` inside. */
export function addForUpdateInsideDerivedTable(
  { fromItem, columns }: TableRowSource,
  dialect: Dialect,
): TableRowSource {
  return { fromItem: (usedColumns) => dialect.lockInDerivedTable(fromItem(usedColumns)), columns }
}

export function qualifiedKeyColumns(scope: SqlScope): KeyColumnsSql {
  return scope.table.key.map(({ column }) => qualifiedColumn(scope, column))
}

/** Returns the first column of the key, which is null only if a join found no row. */
export function qualifiedFirstKeyColumn(scope: SqlScope): Sql {
  return qualifiedKeyColumns(scope)[0] ?? SQL_FALSE
}

export function qualifiedForeignKeyColumns(scope: SqlScope, columns: readonly ForeignKeyColumn[]): KeyColumnsSql {
  const { dialect } = scope.mapping
  return columns.map(({ column, hasOtherCollation }) => {
    const qualified = qualifiedColumn(scope, column)
    return hasOtherCollation ? dialect.withCommonCollation(qualified) : qualified
  })
}

export function qualifiedColumn(scope: SqlScope, quotedColumn: string): Sql {
  const { columns, joinedColumns } = scope.table
  const extension = joinedColumns.get(quotedColumn)
  if (columns?.has(quotedColumn) === false) return rawSql('null')
  scope.usedColumns.add(quotedColumn)
  if (scope.unionAliases !== undefined) return firstNotNull(scope.unionAliases, quotedColumn)
  if (extension === undefined) return rawSql(`${scope.alias}.${quotedColumn}`)
  return readJoinedColumn(scope, extension, (alias) => `${alias}.${extension.column}`)
}

export function columnSql(scope: SqlScope, mapping: Pick<ColumnMapping, 'column' | 'query' | 'embeddedColumns'>): Sql {
  const { column, query, embeddedColumns } = mapping
  if (embeddedColumns !== undefined) return presenceOfAny(embeddedColumns.map((part) => columnSql(scope, part.column)))
  // The select of a union evaluates such expressions itself.
  if (query === undefined || scope.table.columns !== undefined) return qualifiedColumn(scope, column)
  const extension = scope.table.joinedColumns.get(column)
  scope.usedColumns.add(column)
  if (extension === undefined) return rawSql(`(${query(scope.alias)})`)
  return readJoinedColumn(scope, extension, (alias) => `(${query(alias)})`)
}

/** Reads a column from joined tables of a union: only the table that has the row has a value. */
function firstNotNull(aliases: readonly TableAlias[], column: string): Sql {
  const withColumn = aliases.filter(({ columns }) => columns?.has(column) !== false)
  const qualified = withColumn.map(({ alias }) => rawSql(`${alias}.${column}`))
  return qualified.length === 1 ? joinSql(qualified, ', ') : sqlTag`coalesce(${joinSql(qualified, ', ')})`
}

/** An embedded object exists if any of its columns has a value. */
function presenceOfAny(columns: readonly Sql[]): Sql {
  const areNull = columns.map((column) => sqlTag`${column} is null`)
  return sqlTag`(case when ${joinSql(areNull, ' and ')} then null else 1 end)`
}

/** Reads a column from another table of the same rows. The table is joined once; if it can't be joined, a subselect reads the column. */
function readJoinedColumn(scope: SqlScope, extension: JoinedTableColumn, expression: (alias: string) => string): Sql {
  const { alias, joinedTables } = scope
  const { table, key, suffix } = extension
  const ownKey = qualifiedKeyColumns(scope)
  const isOfRow = (extensionAlias: string) =>
    compileKeyColumnsEqual(
      key.map((column) => rawSql(`${extensionAlias}.${column}`)),
      ownKey,
    )
  const joinedAlias = `${alias}${suffix}`
  if (
    suffix === undefined ||
    joinedTables === undefined ||
    (!joinedTables.aliases.has(joinedAlias) && wouldExceedJoinLimit(joinedTables, 1))
  ) {
    const inner = scope.nextAlias()
    return sqlTag`(select ${rawSql(expression(inner))} from ${rawSql(`${table} ${inner}`)} where ${isOfRow(inner)})`
  }
  if (!joinedTables.aliases.has(joinedAlias)) {
    joinedTables.aliases.add(joinedAlias)
    const text = sqlTag`left join ${rawSql(`${table} ${joinedAlias}`)} on ${isOfRow(joinedAlias)}`
    joinedTables.texts.push(() => text)
  }
  return rawSql(expression(joinedAlias))
}

/** Whether a statement lists rows or counts them. */
export type ListOrCountMode = Parameters<Dialect['likely']>[1]

/** Restricts to rows of this type that are not deleted, or to those of some of its stored types. */
export function liveRowOfTypeConditions(
  scope: SqlScope,
  types = scope.type.concreteTypes,
  use: ListOrCountMode = 'listed',
): readonly Sql[] {
  return [...storedTypeConditions(scope, types, use), ...notDeletedConditions(scope, types)]
}

/** Restricts to rows of these types that are not deleted. Rows of no type may be among them, which a reader leaves out. */
export function liveRowConditions(scope: SqlScope, types: readonly StoredType[]): readonly Sql[] {
  const areAll = scope.table.types.every((type) => types.includes(type))
  return areAll ? notDeletedConditions(scope, types) : liveRowOfTypeConditions(scope, types)
}

function notDeletedConditions(scope: SqlScope, types: readonly StoredType[]): readonly Sql[] {
  const { mapping, table } = scope
  const dates = new Set(types.flatMap((type) => mapping.tableOf(type).deleteDateColumns))
  return table.deleteDateColumns
    .filter((column) => dates.has(column))
    .map((column) => sqlTag`${qualifiedColumn(scope, column)} is null`)
}

/**
 * Restricts to rows of these stored types. Returns no condition if the table can't have other rows, or for `undefined`, which allows any type. A
 * discriminator can have values of no type, because most columns allow any text: such rows are not visible, and don't count.
 */
export function storedTypeConditions(
  scope: SqlScope,
  types: readonly StoredType[] | undefined,
  use: ListOrCountMode = 'listed',
): readonly Sql[] {
  if (types === undefined) return []
  const { discriminator, types: possible } = scope.table
  const matching = types.filter((type) => possible.includes(type))
  if (matching.length === 0) return [SQL_FALSE]
  if (discriminator === undefined) return []
  const areAll = matching.length === possible.length
  if (areAll && discriminator.isExhaustive) return []
  const values = matching.map((type) => boundConstantSql(discriminator.valueOf(type)))
  const condition = sqlTag`${qualifiedColumn(scope, discriminator.column)} in (${joinSql(values, ', ')})`
  return [areAll ? scope.mapping.dialect.likely(condition, use) : condition]
}

/** Restricts to rows of a subtype, because other rows don't have its fields. Returns no condition if all rows of the scope are of that type. */
export function subtypeConditions(scope: SqlScope, subtype: ResourceType): readonly Sql[] {
  return isSameOrDerivedType(scope.type, subtype) ? [] : storedTypeConditions(scope, subtype.concreteTypes)
}

export const SQL_TRUE = rawSql('(1 = 1)')
export const SQL_FALSE = rawSql('(1 = 0)')

export function whereClause(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? EMPTY_SQL : sqlTag` where ${joinSql(conditions, ' and ')}`
}

type StatementScope = Pick<SqlScope, 'depth' | 'reads' | 'mayRepeat' | 'runsOnce' | 'nextAlias' | 'nextHas'>

function createScope(mapping: DatabaseMapping, type: ResourceType, statement: StatementScope): SqlScope {
  const joins = createEmptyJoins()
  const table = mapping.tableOf(type)
  return {
    mapping,
    type,
    table,
    unionAliases: undefined,
    usedColumns: new Set(table.key.map(({ column }) => column)),
    alias: statement.nextAlias(),
    joins,
    joinedTables: { texts: joins.texts, aliases: new Set() },
    shared: undefined,
    ...statement,
  }
}

export function createEmptyJoins(): Joins {
  return { texts: [], scopes: new Map() }
}

/** Returns true if this number of further joins would exceed the limit. */
export function wouldExceedJoinLimit({ texts }: Pick<Joins, 'texts'>, more: number): boolean {
  return texts.length + more > MAX_JOINS
}

/** SQLite joins at most 64 tables in a statement, MySQL 61. */
const MAX_JOINS = 40
