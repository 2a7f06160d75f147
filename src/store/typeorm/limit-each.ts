import { InvariantError } from '../../errors/invariant'
import type { IncludeLayer, Layer, NumberRange, ShownFields } from '../../plan/read-plan'
import { compileFilter } from './compile-filter'
import { orderBy, type SortTerm, sortTerms } from './compile-sort'
import { castOf } from './dialect-postgres'
import { areSame, asRow } from './key-sql'
import type { ReadKey } from './keys'
import { keysOf, type LeftKeys } from './left-keys'
import type { ForeignColumn, Mapping } from './mapping'
import { convert, given } from './parameter'
import {
  foreignColumns,
  fromClause,
  innerScope,
  keyColumns,
  presence,
  rootScope,
  type Scope,
  whereClause,
} from './scope'
import { type SelectedColumns, selectColumns, selectKey } from './select-columns'
import { identifier, join, type Sql, toSql, value } from './sql'

/** Rows of a relationship, of each row above its own first ones. */
export interface LimitedRows {
  readonly include: IncludeLayer
  readonly range: NumberRange
  /** Of the rows above. */
  readonly lefts: LeftKeys
}

interface Limiting {
  readonly mapping: Mapping
  readonly shown: ShownFields
}

/** Each row is read with the key of the row above. */
interface EachSelect {
  readonly sql: Sql
  readonly alias: string
  readonly columns: SelectedColumns
  readonly parentOf: ReadKey
}

/**
 * Looks up the rows of each row above by themselves; `undefined`: that can't be done, or there is no index for it. To number the rows of all
 * takes the longer the more there are: of 20 rows with 10,000 each, 10 of each took 130 ms so.
 */
export function limitEach(rows: LimitedRows, limiting: Limiting): EachSelect | undefined {
  const { mapping } = limiting
  const { layer, relationship } = rows.include
  const relation = mapping.relationOf(relationship)
  if (relation.kind !== 'keyOnRight' || !relation.isIndexed || layer.sort.length === 0) return undefined
  const { branches, extensions } = mapping.tableOf(layer.type)
  const [column, ...others] = relation.columns
  if (column === undefined || others.length > 0 || branches.length > 1 || extensions.has(column.column))
    return undefined
  switch (mapping.dialect.name) {
    case 'postgres':
      return isText(rows, mapping) ? limitLaterally(rows, column, limiting) : undefined
    case 'sqlite':
      return limitByKeys(rows, column, limiting)
    // It has neither of the two, and a statement for each row above would be another one for each number of them.
    case 'mysql':
      return undefined
  }
}

/** Whether the keys can be given as text of a type that is what its name says: not bytes, nor words of an enum. */
function isText({ include: { relationship }, lefts }: LimitedRows, mapping: Mapping): boolean {
  const [of] = mapping.tableOf(relationship.declaringType).key
  return of?.databaseType !== 'enum' && lefts.kind === 'plainKeys'
}

/** PostgreSQL: a select for each of the keys, one after the other. */
function limitLaterally(rows: LimitedRows, foreign: ForeignColumn, limiting: Limiting): EachSelect {
  const { scope, columns, parent, of, order } = selectRows(rows, foreign, limiting)
  const sorted = order.map(({ expression, place = expression }, index) => {
    return toSql`${place} as ${identifier(`s${index}`)}`
  })
  const above = toSql`parents.parent::${castOf(of.databaseType)}`
  const from = toSql`from ${rowsUnder(above, rows, foreign, scope)}`
  const each = toSql`select ${join([columns.sql, parent.sql, ...sorted], ', ')} ${from}`
  const texts = convert(keysOf(rows.lefts), (all) => all.map(([key]) => String(key)))
  const keys = toSql`unnest(${value(texts)}::text[]) parents(parent)`
  const outer = order.map(({ place: _, ...term }, index): SortTerm => {
    return { ...term, expression: identifier(`s${index}`) }
  })
  const sql = toSql`select limited.* from ${keys} cross join lateral (${each}) limited order by ${orderBy(outer, scope)}`
  return { sql, alias: scope.alias, columns, parentOf: parent.readKey }
}

/** SQLite: the keys of the rows are looked up for each of the keys above, and the rows by them. */
function limitByKeys(rows: LimitedRows, foreign: ForeignColumn, limiting: Limiting): EachSelect {
  const { scope, columns, parent, order } = selectRows(rows, foreign, limiting)
  const inner = innerScope(scope, scope.type)
  const own = join(keyColumns(inner), ', ')
  const found = toSql`select ${own} from ${rowsUnder(identifier('parents.value'), rows, foreign, inner)}`
  const list = convert(keysOf(rows.lefts), (all) => JSON.stringify(all.map(([key]) => key)))
  const keys = toSql`json_each(${value(list)}) parents`
  const isFound = toSql`${asRow(keyColumns(scope))} in (${found})`
  const from = toSql`from ${keys} cross join ${fromClause(scope)} where ${isFound}`
  const sql = toSql`select ${join([columns.sql, parent.sql], ', ')} ${from} order by ${orderBy(order, scope)}`
  return { sql, alias: scope.alias, columns, parentOf: parent.readKey }
}

function selectRows(
  { include: { relationship, layer } }: LimitedRows,
  foreign: ForeignColumn,
  { mapping, shown }: Limiting,
) {
  const scope = rootScope(mapping, layer.type)
  const [of] = mapping.tableOf(relationship.declaringType).key
  if (of === undefined) throw new InvariantError(`${relationship.declaringType.name} has no key.`)
  const columns = selectColumns(layer, shown, scope)
  const parent = selectKey(foreignColumns(scope, [foreign]), [of], { name: 'parent', place: columns.count })
  return { scope, columns, parent, of, order: sortTerms(layer.sort, scope) }
}

/** From the name of the table on. */
function rowsUnder(above: Sql, { include: { layer }, range }: LimitedRows, foreign: ForeignColumn, scope: Scope): Sql {
  const isUnder = areSame(foreignColumns(scope, [foreign]), [above])
  const where = whereClause([isUnder, ...presence(scope), ...filterOf(layer, scope)])
  const order = orderBy(sortTerms(layer.sort, scope), scope)
  const [size, offset] = [given(range, (node) => node.size), given(range, (node) => node.offset)]
  const limit = toSql`limit ${value(size)} offset ${value(offset)}`
  return toSql`${fromClause(scope)}${where} order by ${order} ${limit}`
}

function filterOf({ filter }: Layer, scope: Scope): readonly Sql[] {
  return filter === undefined ? [] : [compileFilter(filter, scope)]
}
