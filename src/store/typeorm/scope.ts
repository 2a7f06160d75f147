import { isA } from '../../graph/inheritance'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import { areSame, type KeySql } from './key-sql'
import type { Branch, ColumnMapping, Extension, ForeignColumn, Mapping, TableMapping } from './mapping'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'

/** The rows of one table reference within a statement, and the to-one joins that hang on them. */
export interface Scope {
  readonly mapping: Mapping
  /** The declared type of the rows, or one that they are known to be. */
  readonly type: ResourceType
  /** Where the rows are read from: that of the type which the scope was made for. */
  readonly table: TableMapping
  /** Where each of several tables is joined by itself: the aliases of all. A row is found in one of them. */
  readonly united: readonly UnitedAlias[] | undefined
  /** The columns that were asked for; the key always is. */
  readonly asked: Set<string>
  readonly alias: string
  readonly joins: Joins
  /** Where tables are joined that have further columns of these very rows; `undefined`: nothing can be joined here. */
  readonly extensions: Extensions | undefined
  /** Subselects that stand in the condition which is compiled more than once; `undefined`: none. */
  readonly shared: SharedSubselects | undefined
  /** How many subselects it is within. */
  readonly depth: number
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
  readonly place: string
}

/** Joins that were asked for while a clause was compiled; each path is joined once. */
interface Joins {
  /** Made once it is known which columns of the joined rows are asked for. */
  readonly texts: (() => Sql)[]
  readonly scopes: Map<string, Scope>
}

interface UnitedAlias {
  readonly alias: string
  readonly columns: Branch['columns']
}

/** The joined tables of one hierarchy that were asked for, by their aliases; their texts stand behind that of the rows themselves. */
interface Extensions {
  readonly texts: Joins['texts']
  readonly aliases: Set<string>
}

export function rootScope(mapping: Mapping, type: ResourceType): Scope {
  let aliases = 0
  let conditions = 0
  return makeScope(mapping, type, { depth: 0, nextAlias: () => `t${aliases++}`, nextHas: () => ++conditions })
}

/** Rows of another table reference in the same statement, for a subselect. */
export function innerScope(outer: Scope, type: ResourceType): Scope {
  const { mapping, depth, nextAlias, nextHas } = outer
  return makeScope(mapping, type, { depth: depth + 1, nextAlias, nextHas })
}

/** The same rows, seen as another type of the hierarchy. */
export function narrowScope(scope: Scope, type: ResourceType): Scope {
  return { ...scope, type }
}

/** `"humans" t0 left join …`: to be used once everything that may ask for joins is compiled. `branch`: one of those of the source. */
export function fromClause(scope: Scope, source = scope.table.source): Sql {
  const table = identifier(`${source(scope.asked)} ${scope.alias}`)
  const joined = scope.joins.texts.map((toText) => toText())
  return joined.length === 0 ? table : toSql`${table} ${join(joined, ' ')}`
}

/** The same rows, so that `lock` of the dialect locks them. */
export function lockable({ source, columns }: Branch, dialect: Dialect): Branch {
  return { source: (asked) => dialect.lockable(source(asked)), columns }
}

export function keyColumns(scope: Scope): KeySql {
  return scope.table.key.map(({ column }) => qualified(scope, column))
}

/** Of no row is any column of its key null: the first tells whether a join has found one. */
export function firstOfKey(scope: Scope): Sql {
  return keyColumns(scope)[0] ?? FALSE
}

export function foreignColumns(scope: Scope, columns: readonly ForeignColumn[]): KeySql {
  const { dialect } = scope.mapping
  return columns.map(({ column, isCollatedOtherwise }) => {
    const foreign = qualified(scope, column)
    return isCollatedOtherwise ? dialect.inOneCollation(foreign) : foreign
  })
}

export function qualified(scope: Scope, quotedColumn: string): Sql {
  const { columns, extensions } = scope.table
  const extension = extensions.get(quotedColumn)
  if (columns?.has(quotedColumn) === false) return identifier('null')
  scope.asked.add(quotedColumn)
  if (scope.united !== undefined) return firstFound(scope.united, quotedColumn)
  if (extension === undefined) return identifier(`${scope.alias}.${quotedColumn}`)
  return readExtension(scope, extension, (alias) => `${alias}.${extension.column}`)
}

export function columnIn(scope: Scope, mapping: Pick<ColumnMapping, 'column' | 'query' | 'parts'>): Sql {
  const { column, query, parts } = mapping
  if (parts !== undefined) return presenceOfAny(parts.map((part) => columnIn(scope, part.column)))
  // Tables that are united have worked out their expressions already.
  if (query === undefined || scope.table.columns !== undefined) return qualified(scope, column)
  const extension = scope.table.extensions.get(column)
  scope.asked.add(column)
  if (extension === undefined) return identifier(`(${query(scope.alias)})`)
  return readExtension(scope, extension, (alias) => `(${query(alias)})`)
}

/** All but one of the joined tables have null for it. */
function firstFound(united: readonly UnitedAlias[], column: string): Sql {
  const places = united.filter(({ columns }) => columns?.has(column) !== false)
  const each = places.map(({ alias }) => identifier(`${alias}.${column}`))
  return each.length === 1 ? join(each, ', ') : toSql`coalesce(${join(each, ', ')})`
}

/** Whether it is no column of its own: it can't be written, nor can an index be on it. */
export function isExpression({ query, parts }: Pick<ColumnMapping, 'query' | 'parts'>): boolean {
  return query !== undefined || parts !== undefined
}

/** An embedded object is there where any of its columns has a value. */
function presenceOfAny(columns: readonly Sql[]): Sql {
  const areNull = columns.map((column) => toSql`${column} is null`)
  return toSql`(case when ${join(areNull, ' and ')} then null else 1 end)`
}

/** A column of a table that belongs to these rows: the table is joined, once. Where it can't be, or is one of very many, the column is looked up. */
function readExtension(scope: Scope, extension: Extension, expression: (alias: string) => string): Sql {
  const { alias, extensions } = scope
  const { table, key, suffix } = extension
  const own = keyColumns(scope)
  const isOfRow = (of: string) =>
    areSame(
      key.map((column) => identifier(`${of}.${column}`)),
      own,
    )
  const joined = `${alias}${suffix}`
  if (extensions === undefined || (!extensions.aliases.has(joined) && isCrowded(extensions, 1))) {
    const inner = scope.nextAlias()
    return toSql`(select ${identifier(expression(inner))} from ${identifier(`${table} ${inner}`)} where ${isOfRow(inner)})`
  }
  if (!extensions.aliases.has(joined)) {
    extensions.aliases.add(joined)
    const text = toSql`left join ${identifier(`${table} ${joined}`)} on ${isOfRow(joined)}`
    extensions.texts.push(() => text)
  }
  return identifier(expression(joined))
}

/** Rows that are there at all for this type: of its branch, and not deleted. */
export function presence(scope: Scope): readonly Sql[] {
  const type = storedAs(scope, scope.type.concreteTypes)
  const areThere = scope.table.goneBy.map((column) => toSql`${qualified(scope, column)} is null`)
  return type === undefined ? areThere : [type, ...areThere]
}

/** The row is stored as one of these types; `undefined` where there is no other. */
export function storedAs(scope: Scope, types: readonly StoredType[]): Sql | undefined {
  const { discriminator, types: possible } = scope.table
  const wanted = types.filter((type) => possible.includes(type))
  if (discriminator === undefined) return wanted.length === 0 ? FALSE : undefined
  const values = wanted.map((type) => value(discriminator.valueOf(type)))
  if (values.length === 0) return FALSE
  return toSql`${qualified(scope, discriminator.column)} in (${join(values, ', ')})`
}

/** Nothing, unless the relationship or attribute was found in a branch below the scope: then only rows of the branch have it. */
export function branchCondition(scope: Scope, branch: ResourceType): readonly Sql[] {
  if (isA(scope.type, branch)) return []
  const condition = storedAs(scope, branch.concreteTypes)
  return condition === undefined ? [] : [condition]
}

/** Nothing, unless a field is to be seen in rows of some stored types only. */
export function onlyCondition(scope: Scope, only: readonly StoredType[] | undefined): readonly Sql[] {
  if (only === undefined) return []
  if (only.length === 0) return [FALSE]
  const condition = storedAs(scope, only)
  return condition === undefined ? [] : [condition]
}

export const TRUE = identifier('(1 = 1)')
export const FALSE = identifier('(1 = 0)')

export function whereClause(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? NOTHING : toSql` where ${join(conditions, ' and ')}`
}

type WithinStatement = Pick<Scope, 'depth' | 'nextAlias' | 'nextHas'>

function makeScope(mapping: Mapping, type: ResourceType, within: WithinStatement): Scope {
  const joins = noJoins()
  const table = mapping.tableOf(type)
  const extensions = extensionsIn(joins)
  const asked = new Set(table.key.map(({ column }) => column))
  const own = { table, united: undefined, asked, alias: within.nextAlias() }
  return { mapping, type, ...own, joins, extensions, shared: undefined, ...within }
}

export function extensionsIn({ texts }: Joins): Extensions {
  return { texts, aliases: new Set() }
}

export function noJoins(): Joins {
  return { texts: [], scopes: new Map() }
}

/** Whether so many more joins would take the room of others, in whose place nothing else can stand. */
export function isCrowded({ texts }: Pick<Joins, 'texts'>, more: number): boolean {
  return texts.length + more > MOST_JOINED
}

/** SQLite joins 64 tables in a statement, MySQL 61. */
const MOST_JOINED = 40
