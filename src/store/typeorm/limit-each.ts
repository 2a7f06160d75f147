import { InvariantError } from '../../errors/invariant'
import type { IncludeLayer, Layer, NumberRange, ShownFields } from '../../plan/read-plan'
import { isOwn } from '../../query/always-there'
import { compileCondition } from './compile-filter'
import { orderBy, type SortTerm, sortTerms } from './compile-sort'
import { castOf } from './dialect-postgres'
import { areSame, asRow } from './key-sql'
import type { ReadKey } from './keys'
import { keysOf, type LeftKeys } from './left-keys'
import type { ColumnMapping, ForeignColumn, Mapping } from './mapping'
import { openPairs, type PairsOfTable } from './pairs'
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
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'

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

/** What an index that leads from a row above to its first rows is on. */
type Indexed = { readonly kind: 'foreignKey'; readonly column: ForeignColumn } | PairsOfTable

/**
 * Looks up the rows of each row above by themselves; `undefined`: that can't be done, or there is no index for it. To number the rows of all
 * takes the longer the more there are: of 20 rows with 10,000 each, 10 of each took 130 ms so.
 */
export function limitEach(rows: LimitedRows, limiting: Limiting): EachSelect | undefined {
  const { mapping } = limiting
  const indexed = findIndexed(rows.include, mapping)
  // Neither of the ways to give all keys as one value knows bytes and moments.
  if (rows.lefts.kind === 'objectKeys') return undefined
  if (indexed === undefined || mapping.tableOf(rows.include.layer.type).branches.length > 1) return undefined
  switch (mapping.dialect.name) {
    case 'postgres':
      return isText(rows, mapping) ? limitLaterally(rows, indexed, limiting) : undefined
    case 'sqlite':
      return limitByKeys(rows, indexed, limiting)
    // It has neither of the two, and a statement for each row above would be another one for each number of them.
    case 'mysql':
      return undefined
  }
}

/**
 * A table of pairs has one index on both of its keys, the primary one. From the side that has declared the table (`@JoinTable`) it leads to the
 * pairs of a row in the order of the ids at the other end. From that end there is none, so that one side is looked up here and the other
 * side of the same relationship numbered.
 */
function findIndexed({ relationship, layer }: IncludeLayer, mapping: Mapping): Indexed | undefined {
  const relation = mapping.relationOf(relationship)
  switch (relation.kind) {
    case 'keyOnLeft':
      return undefined
    case 'keyOnRight': {
      const [column, ...others] = relation.columns
      if (column === undefined || others.length > 0 || !relation.isIndexed || layer.sort.length === 0) return undefined
      return mapping.tableOf(layer.type).extensions.has(column.column) ? undefined : { kind: 'foreignKey', column }
    }
    case 'junction': {
      const { leftColumns, rightColumns, isOrdered } = relation
      const areSingle = leftColumns.length === 1 && rightColumns.length === 1
      return isOrdered && areSingle && isSortedById(layer) ? relation : undefined
    }
  }
}

/** Then a table of pairs has them in that order. Enums are sorted by their declaration. */
function isSortedById({ sort: [first, ...others], type }: Layer): boolean {
  if (first?.by.kind !== 'attributePath' || others.length > 0) return false
  return isOwn(first.by, type) && first.by.attribute === type.id && type.id.range.valueType !== 'enum'
}

/** Whether the keys can be given as text of a type that is what its name says: not words of an enum. */
function isText({ include }: LimitedRows, mapping: Mapping): boolean {
  return keyColumnAbove(include, mapping).databaseType !== 'enum'
}

/** PostgreSQL: a select for each of the keys, one after the other. */
function limitLaterally(rows: LimitedRows, indexed: Indexed, limiting: Limiting): EachSelect {
  const type = castOf(keyColumnAbove(rows.include, limiting.mapping).databaseType)
  const from: Way = { indexed, parentKey: toSql`parents.parent::${type}` }
  const { scope, columns, parent, order } = selectRows(rows, from, limiting)
  const sorted = order.map(({ expression, sortedBy = expression }, index) => {
    return toSql`${sortedBy} as ${identifier(`s${index}`)}`
  })
  const selected = join([columns.sql, parent.sql, ...sorted], ', ')
  const each = toSql`select ${selected} from ${firstRows(rows, from, scope)}`
  const texts = convert(keysOf(rows.lefts), (all) => all.map(([key]) => String(key)))
  const keys = toSql`unnest(${value(texts)}::text[]) parents(parent)`
  const outer = order.map(({ sortedBy: _, ...term }, index): SortTerm => {
    return { ...term, expression: identifier(`s${index}`) }
  })
  const sql = toSql`select limited.* from ${keys} cross join lateral (${each}) limited order by ${orderBy(outer, scope)}`
  return { sql, alias: scope.alias, columns, parentOf: parent.readKey }
}

/** SQLite: the keys of the rows are looked up for each of the keys above, and the rows by them. */
function limitByKeys(rows: LimitedRows, indexed: Indexed, limiting: Limiting): EachSelect {
  // `json_each` calls it so.
  const from: Way = { indexed, parentKey: identifier('parents.value') }
  const { scope, columns, parent, order } = selectRows(rows, from, limiting)
  const inner = innerScope(scope, scope.type)
  const found = toSql`select ${join(keyColumns(inner), ', ')} from ${firstRows(rows, from, inner)}`
  const list = convert(keysOf(rows.lefts), (all) => JSON.stringify(all.map(([key]) => key)))
  const keys = toSql`json_each(${value(list)}) parents`
  const isFound = toSql`${asRow(keyColumns(scope))} in (${found})`
  const tables = toSql`${keys} cross join ${fromClause(scope)}`
  const selected = join([columns.sql, parent.sql], ', ')
  const sql = toSql`select ${selected} from ${tables} where ${isFound} order by ${orderBy(order, scope)}`
  return { sql, alias: scope.alias, columns, parentOf: parent.readKey }
}

function keyColumnAbove({ relationship: { declaringType } }: IncludeLayer, mapping: Mapping): ColumnMapping {
  const [column] = mapping.tableOf(declaringType).key
  if (column === undefined) throw new InvariantError(`${declaringType.name} has no key.`)
  return column
}

/** From a row above to its rows. */
interface Way {
  readonly indexed: Indexed
  /** The key of the row above. */
  readonly parentKey: Sql
}

function selectRows({ include }: LimitedRows, { indexed, parentKey }: Way, { mapping, shown }: Limiting) {
  const { layer } = include
  const scope = rootScope(mapping, layer.type)
  const columns = selectColumns(layer, shown, scope)
  const key = indexed.kind === 'foreignKey' ? foreignColumns(scope, [indexed.column]) : [parentKey]
  const parent = selectKey(key, [keyColumnAbove(include, mapping)], { name: 'parent', place: columns.count })
  return { scope, columns, parent, order: sortTerms(layer.sort, scope) }
}

/** Of one row above, from the names of the tables on. */
function firstRows({ include: { layer }, range }: LimitedRows, way: Way, scope: Scope): Sql {
  const { pairs, conditions, order } = follow(way, scope)
  const where = whereClause([...conditions, ...presence(scope), ...filterOf(layer, scope)])
  // Here it decides which rows are the first ones. What was found is sorted by the columns of the rows, outside.
  const terms = sortTerms(layer.sort, scope).map((term) => ({ ...term, ...order }))
  // One row more than the page has tells whether there is another page.
  const [size, offset] = [given(range, (node) => node.size + 1), given(range, (node) => node.offset)]
  const limit = toSql`limit ${value(size)} offset ${value(offset)}`
  return toSql`${pairs}${fromClause(scope)}${where} order by ${orderBy(terms, scope)} ${limit}`
}

interface Followed {
  /** The table of pairs, in front of that of the rows. */
  readonly pairs: Sql
  readonly conditions: readonly Sql[]
  /** Where the index is not on the rows themselves: by which of its columns they are sorted, so that it has them in order. */
  readonly order?: Pick<SortTerm, 'sortedBy'>
}

/** Of pairs the first ones come out of their index; rows that are not to be seen are passed over. */
function follow({ indexed, parentKey }: Way, scope: Scope): Followed {
  if (indexed.kind === 'foreignKey') {
    return { pairs: NOTHING, conditions: [areSame(foreignColumns(scope, [indexed.column]), [parentKey])] }
  }
  const { table, lefts, rights } = openPairs(indexed, scope)
  return {
    pairs: toSql`${table} cross join `,
    conditions: [areSame(lefts, [parentKey]), areSame(rights, keyColumns(scope))],
    order: { sortedBy: join(rights, ', ') },
  }
}

function filterOf({ filter }: Layer, scope: Scope): readonly Sql[] {
  return filter === undefined ? [] : [compileCondition(filter, scope)]
}
