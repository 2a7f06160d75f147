import { isA } from '../../../graph/model/inheritance'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Dialect } from '../dialects/dialect'
import type {
  ColumnMapping,
  ConcreteTable,
  ForeignKeyColumn,
  JoinedColumn,
  Mapping,
  TableMapping,
} from '../mapping/mapping'
import { bindConstant, EMPTY_SQL, join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { type KeySql, keyColumnsEqual } from './key-conditions'

/** The rows of one table reference within a statement, and the to-one joins that hang on them. */
export interface SqlScope {
  readonly mapping: Mapping
  /** The declared type of the rows, or one that they are known to be. */
  readonly type: ResourceType
  /** The source of the rows, which is that of the original type of the scope. */
  readonly table: TableMapping
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
  /** Whether the statement reads all rows of a table, or knows keys of some rows or of their sources. */
  readonly reads: 'allRows' | 'someRows'
  /** True if several rows of the statement can lead to one of these rows, which would repeat lookups. */
  readonly mayRepeat: boolean
  /** True if no enclosing subselect runs for each row, so that a join here is made once. */
  readonly runsOnce: boolean
  /** Names that are unique within the whole statement. */
  readonly nextAlias: () => string
  /** The number of one more condition on related rows, from 1, within the whole statement. */
  readonly nextHas: () => number
}

/**
 * Subselects that a condition has more than once. They are worked out once for each row, as the columns of a derived table of one row: of 160
 * terms over one `count`, each would else count for itself.
 */
export interface SharedSubselects {
  readonly repeated: ReadonlySet<string>
  readonly alias: string
  /** By their keys, those that the condition has been compiled with so far. */
  readonly columns: Map<string, Sql>
  /** From the rows that the condition is about to those of the scope. */
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
  readonly columns: ConcreteTable['columns']
}

/** The requested joined tables of one hierarchy by alias. Their joins follow the join of the rows. */
interface JoinedTables {
  readonly texts: Joins['texts']
  readonly aliases: Set<string>
}

export function rootScope(mapping: Mapping, type: ResourceType, reads: SqlScope['reads'] = 'someRows'): SqlScope {
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

/** Rows of another table reference in the same statement, for a subselect. */
export function innerScope(outer: SqlScope, type: ResourceType): SqlScope {
  const { mapping, depth, reads, mayRepeat, nextAlias, nextHas } = outer
  return createScope(mapping, type, { depth: depth + 1, reads, mayRepeat, runsOnce: false, nextAlias, nextHas })
}

/** Compiles what stands after `from`: `"humans" t0 left join …`. Call it when everything that may need joins is compiled. `source`: one of the tables of the type, or all. */
export function compileFromItem(scope: SqlScope, source = scope.table.fromItem): Sql {
  const table = rawSql(`${source(scope.usedColumns)} ${scope.alias}`)
  const joined = scope.joins.texts.map((toText) => toText())
  return joined.length === 0 ? table : sqlTag`${table} ${join(joined, ' ')}`
}

/** Returns the source of the same rows in a form that `lock` of the dialect can lock. */
export function toLockableTable({ fromItem, columns }: ConcreteTable, dialect: Dialect): ConcreteTable {
  return { fromItem: (asked) => dialect.lockable(fromItem(asked)), columns }
}

export function keyColumns(scope: SqlScope): KeySql {
  return scope.table.key.map(({ column }) => qualifiedColumn(scope, column))
}

/** The first column of the key, which is null only if a join found no row. */
export function firstKeyColumn(scope: SqlScope): Sql {
  return keyColumns(scope)[0] ?? FALSE
}

export function foreignKeyColumns(scope: SqlScope, columns: readonly ForeignKeyColumn[]): KeySql {
  const { dialect } = scope.mapping
  return columns.map(({ column, hasOtherCollation }) => {
    const foreign = qualifiedColumn(scope, column)
    return hasOtherCollation ? dialect.withCommonCollation(foreign) : foreign
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
  // Tables that are united have worked out their expressions already.
  if (query === undefined || scope.table.columns !== undefined) return qualifiedColumn(scope, column)
  const extension = scope.table.joinedColumns.get(column)
  scope.usedColumns.add(column)
  if (extension === undefined) return rawSql(`(${query(scope.alias)})`)
  return readJoinedColumn(scope, extension, (alias) => `(${query(alias)})`)
}

/** All other joined tables have null for the column. */
function firstNotNull(united: readonly TableAlias[], column: string): Sql {
  const places = united.filter(({ columns }) => columns?.has(column) !== false)
  const each = places.map(({ alias }) => rawSql(`${alias}.${column}`))
  return each.length === 1 ? join(each, ', ') : sqlTag`coalesce(${join(each, ', ')})`
}

/** An embedded object exists if any of its columns has a value. */
function presenceOfAny(columns: readonly Sql[]): Sql {
  const areNull = columns.map((column) => sqlTag`${column} is null`)
  return sqlTag`(case when ${join(areNull, ' and ')} then null else 1 end)`
}

/** A column of a table that belongs to these rows: the table is joined, once. Where it can't be, or is one of very many, the column is looked up. */
function readJoinedColumn(scope: SqlScope, extension: JoinedColumn, expression: (alias: string) => string): Sql {
  const { alias, joinedTables } = scope
  const { table, key, suffix } = extension
  const own = keyColumns(scope)
  const isOfRow = (of: string) =>
    keyColumnsEqual(
      key.map((column) => rawSql(`${of}.${column}`)),
      own,
    )
  const joined = `${alias}${suffix}`
  if (joinedTables === undefined || (!joinedTables.aliases.has(joined) && exceedsJoinLimit(joinedTables, 1))) {
    const inner = scope.nextAlias()
    return sqlTag`(select ${rawSql(expression(inner))} from ${rawSql(`${table} ${inner}`)} where ${isOfRow(inner)})`
  }
  if (!joinedTables.aliases.has(joined)) {
    joinedTables.aliases.add(joined)
    const text = sqlTag`left join ${rawSql(`${table} ${joined}`)} on ${isOfRow(joined)}`
    joinedTables.texts.push(() => text)
  }
  return rawSql(expression(joined))
}

/** Restricts to rows of this type that are not deleted. */
export function liveRowOfTypeConditions(scope: SqlScope): readonly Sql[] {
  const notDeleted = scope.table.deleteDateColumns.map((column) => sqlTag`${qualifiedColumn(scope, column)} is null`)
  return [...storedTypeConditions(scope, scope.type.concreteTypes), ...notDeleted]
}

/** Restricts to rows that are stored as one of these types. None is needed if the table has no other rows, or for `undefined`: any type. */
export function storedTypeConditions(scope: SqlScope, types: readonly StoredType[] | undefined): readonly Sql[] {
  if (types === undefined) return []
  const { discriminator, types: possible } = scope.table
  const wanted = types.filter((type) => possible.includes(type))
  if (wanted.length === 0) return [FALSE]
  if (discriminator === undefined) return []
  const values = wanted.map((type) => bindConstant(discriminator.valueOf(type)))
  return [sqlTag`${qualifiedColumn(scope, discriminator.column)} in (${join(values, ', ')})`]
}

/** Restricts to rows of a subtype, which alone have its fields. None is needed if all rows of the scope are of that type. */
export function subtypeConditions(scope: SqlScope, subtype: ResourceType): readonly Sql[] {
  return isA(scope.type, subtype) ? [] : storedTypeConditions(scope, subtype.concreteTypes)
}

export const TRUE = rawSql('(1 = 1)')
export const FALSE = rawSql('(1 = 0)')

export function whereClause(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? EMPTY_SQL : sqlTag` where ${join(conditions, ' and ')}`
}

type StatementScope = Pick<SqlScope, 'depth' | 'reads' | 'mayRepeat' | 'runsOnce' | 'nextAlias' | 'nextHas'>

function createScope(mapping: Mapping, type: ResourceType, within: StatementScope): SqlScope {
  const joins = createJoins()
  const table = mapping.tableOf(type)
  return {
    mapping,
    type,
    table,
    unionAliases: undefined,
    usedColumns: new Set(table.key.map(({ column }) => column)),
    alias: within.nextAlias(),
    joins,
    joinedTables: { texts: joins.texts, aliases: new Set() },
    shared: undefined,
    ...within,
  }
}

export function createJoins(): Joins {
  return { texts: [], scopes: new Map() }
}

/** Returns true if as many more joins would exceed the limit, which other joins need more. */
export function exceedsJoinLimit({ texts }: Pick<Joins, 'texts'>, more: number): boolean {
  return texts.length + more > MAX_JOINS
}

/** SQLite joins 64 tables in a statement, MySQL 61. */
const MAX_JOINS = 40
