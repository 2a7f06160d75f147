import { InvariantError } from '../../../errors/invariant'
import type { IncludeLayer, OffsetRange, PlanLayer, Projection } from '../../../plan/read-plan'
import { isFieldOfEveryRow } from '../../../query/tree/sort-key'
import { castTypeOf } from '../dialects/dialect-postgres'
import { compileRowFilter } from '../filters/compile-filter'
import { aliasJunction, type JunctionRelation } from '../joins/junction-table'
import { asRowValue, keyColumnsEqual } from '../joins/key-conditions'
import {
  compileFromItem,
  foreignKeyColumns,
  innerScope,
  keyColumns,
  rootScope,
  type SqlScope,
  whereClause,
} from '../joins/scope'
import type { ColumnMapping, ForeignKeyColumn, Mapping } from '../mapping/mapping'
import { EMPTY_SQL, join, rawSql, type Sql, sqlTag, value } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import { compileSortKeys, orderByList, type SortTerm } from './compile-sort'
import type { ParentKeys } from './key-criteria'
import { compileLimitPlusOne } from './page-position'
import { type IncludedSelect, keySelectListWithReader, selectLayerColumns } from './select-columns'

/** Rows of a relationship, of each row above its own first ones. */
interface PerParentRows {
  readonly include: IncludeLayer
  readonly range: OffsetRange
  /** The keys of the parent rows. */
  readonly parentKeys: ParentKeys
}

interface LimitContext {
  readonly mapping: Mapping
  readonly projection: Projection
}

/** The link that an index serves from a parent row to its first related rows. */
type IndexedLink = { readonly kind: 'foreignKey'; readonly column: ForeignKeyColumn } | JunctionRelation

/**
 * Looks up the rows of each row above by themselves; `undefined`: that can't be done, or there is no index for it. To number the rows of all
 * takes the longer the more there are: of 20 rows with 10,000 each, 10 of each took 130 ms so.
 */
export function selectPerParent(rows: PerParentRows, context: LimitContext): IncludedSelect | undefined {
  const { mapping } = context
  const indexed = findIndexed(rows.include, mapping)
  // Neither of the ways to give all keys as one value knows bytes and moments.
  if (rows.parentKeys.kind === 'objectKeys') return undefined
  if (indexed === undefined || mapping.tableOf(rows.include.layer.type).concreteTables.length > 1) return undefined
  switch (mapping.dialect.name) {
    case 'postgres':
      return areKeysText(rows, mapping) ? limitLaterally(rows, indexed, context) : undefined
    case 'sqlite':
      return limitByKeys(rows, indexed, context)
    // It has neither of the two, and a statement for each row above would be another one for each number of them.
    case 'mysql':
      return undefined
  }
}

/**
 * A junction table has one index on both keys, the primary key. From the side with `@JoinTable`, it lists the pairs of a row in the order of the
 * related ids. The other side has no such index, so its rows are numbered.
 */
function findIndexed({ relationship, layer }: IncludeLayer, mapping: Mapping): IndexedLink | undefined {
  const relation = mapping.relationOf(relationship)
  switch (relation.kind) {
    case 'owning':
      return undefined
    case 'inverse': {
      const [column, ...others] = relation.columns
      if (column === undefined || others.length > 0 || !relation.isIndexed || layer.sort.length === 0) return undefined
      return mapping.tableOf(layer.type).joinedColumns.has(column.column) ? undefined : { kind: 'foreignKey', column }
    }
    case 'junction': {
      const { sourceColumns, relatedColumns, hasOrderedIndex } = relation
      const areSingle = sourceColumns.length === 1 && relatedColumns.length === 1
      return hasOrderedIndex && areSingle && isSortedById(layer) ? relation : undefined
    }
  }
}

/** Then a table of pairs has them in that order. Enums are sorted by their declaration. */
function isSortedById({ sort: [first, ...others], type }: PlanLayer): boolean {
  if (first?.by.kind !== 'attributePath' || others.length > 0) return false
  return isFieldOfEveryRow(first.by, type) && first.by.attribute === type.id && type.id.range.valueType !== 'enum'
}

/** Returns true if the keys can be sent as text. An enum can't, because its type has no name here. */
function areKeysText({ include }: PerParentRows, mapping: Mapping): boolean {
  return parentKeyColumn(include, mapping).databaseType !== 'enum'
}

/** PostgreSQL: a select for each of the keys, one after the other. */
function limitLaterally(rows: PerParentRows, indexed: IndexedLink, context: LimitContext): IncludedSelect {
  const type = castTypeOf(parentKeyColumn(rows.include, context.mapping).databaseType)
  const from: IndexedPath = { indexed, parentKey: sqlTag`parents.parent::${type}` }
  const { scope, columns, parent, order } = selectRows(rows, from, context)
  const sorted = order.map(({ expression, sortExpression = expression }, index) => {
    return sqlTag`${sortExpression} as ${rawSql(`s${index}`)}`
  })
  const selected = join([columns.sql, parent.sql, ...sorted], ', ')
  const each = sqlTag`select ${selected} from ${firstRows(rows, from, scope)}`
  const texts = mapParam(rows.parentKeys.keys, (all) => all.map(([key]) => String(key)))
  const keys = sqlTag`unnest(${value(texts)}::text[]) parents(parent)`
  const outer = order.map(({ sortExpression: _, ...term }, index): SortTerm => {
    return { ...term, expression: rawSql(`s${index}`) }
  })
  const sql = sqlTag`select limited.* from ${keys} cross join lateral (${each}) limited order by ${orderByList(outer, scope)}`
  return { sql, alias: scope.alias, columns, readParentKey: parent.readKey }
}

/** SQLite: the keys of the rows are looked up for each of the keys above, and the rows by them. */
function limitByKeys(rows: PerParentRows, indexed: IndexedLink, context: LimitContext): IncludedSelect {
  // `json_each` calls it so.
  const from: IndexedPath = { indexed, parentKey: rawSql('parents.value') }
  const { scope, columns, parent, order } = selectRows(rows, from, context)
  const inner = innerScope(scope, scope.type)
  const found = sqlTag`select ${join(keyColumns(inner), ', ')} from ${firstRows(rows, from, inner)}`
  const list = mapParam(rows.parentKeys.keys, (all) => JSON.stringify(all.map(([key]) => key)))
  const keys = sqlTag`json_each(${value(list)}) parents`
  const isFound = sqlTag`${asRowValue(keyColumns(scope))} in (${found})`
  const tables = sqlTag`${keys} cross join ${compileFromItem(scope)}`
  const selected = join([columns.sql, parent.sql], ', ')
  const sql = sqlTag`select ${selected} from ${tables} where ${isFound} order by ${orderByList(order, scope)}`
  return { sql, alias: scope.alias, columns, readParentKey: parent.readKey }
}

function parentKeyColumn({ relationship: { declaringType } }: IncludeLayer, mapping: Mapping): ColumnMapping {
  const [column] = mapping.tableOf(declaringType).key
  if (column === undefined) throw new InvariantError(`${declaringType.name} has no key.`)
  return column
}

/** From a row above to its rows. */
interface IndexedPath {
  readonly indexed: IndexedLink
  /** The key of the row above. */
  readonly parentKey: Sql
}

function selectRows(
  { include }: PerParentRows,
  { indexed, parentKey }: IndexedPath,
  { mapping, projection }: LimitContext,
) {
  const { layer } = include
  const scope = rootScope(mapping, layer.type)
  const columns = selectLayerColumns(layer, projection, scope)
  const key = indexed.kind === 'foreignKey' ? foreignKeyColumns(scope, [indexed.column]) : [parentKey]
  const parent = keySelectListWithReader(key, [parentKeyColumn(include, mapping)], {
    name: 'parent',
    place: columns.count,
  })
  return { scope, columns, parent, order: compileSortKeys(layer.sort, scope) }
}

/** Compiles the first rows of one parent, from the table names on. */
function firstRows({ include: { layer }, range }: PerParentRows, way: IndexedPath, scope: SqlScope): Sql {
  const { pairs, conditions, order } = scanIndex(way, scope)
  const where = whereClause([...conditions, ...compileRowFilter(layer.filter, scope)])
  // Here it decides which rows are the first ones. What was found is sorted by the columns of the rows, outside.
  const terms = compileSortKeys(layer.sort, scope).map((term) => ({ ...term, ...order }))
  return sqlTag`${pairs}${compileFromItem(scope)}${where} order by ${orderByList(terms, scope)}${compileLimitPlusOne(range)}`
}

interface IndexScan {
  /** The table of pairs, in front of that of the rows. */
  readonly pairs: Sql
  readonly conditions: readonly Sql[]
  /** The order of the index, if it is an index of the junction table. */
  readonly order?: Pick<SortTerm, 'sortExpression'>
}

/** Reads the first pairs from their index and skips hidden rows. */
function scanIndex({ indexed, parentKey }: IndexedPath, scope: SqlScope): IndexScan {
  if (indexed.kind === 'foreignKey') {
    return { pairs: EMPTY_SQL, conditions: [keyColumnsEqual(foreignKeyColumns(scope, [indexed.column]), [parentKey])] }
  }
  const { table, sourceKey, relatedKey } = aliasJunction(indexed, scope)
  return {
    pairs: sqlTag`${table} cross join `,
    conditions: [keyColumnsEqual(sourceKey, [parentKey]), keyColumnsEqual(relatedKey, keyColumns(scope))],
    order: { sortExpression: join(relatedKey, ', ') },
  }
}
