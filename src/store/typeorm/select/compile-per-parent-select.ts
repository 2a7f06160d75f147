import { InvariantError } from '../../../errors/invariant'
import type { FieldSelection } from '../../../plan/read-plan'
import { castTypeOfDatabaseType } from '../dialects/dialect-postgres'
import { liveRowAndFilterConditions } from '../filters/compile-row-conditions'
import { aliasJunction, type JunctionRelationMapping } from '../joins/junction-table'
import { compileKeyColumnsEqual, toSqlTuple } from '../joins/key-conditions'
import {
  compileTableAndJoins,
  innerSqlScope,
  qualifiedFirstKeyColumn,
  qualifiedForeignKeyColumns,
  qualifiedKeyColumns,
  rootSqlScope,
  type SqlScope,
  whereClause,
} from '../joins/scope'
import type { ColumnMapping, DatabaseMapping, ForeignKeyColumn } from '../mapping/database-mapping'
import { EMPTY_SQL, joinSql, paramSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam, type ParamOrComputedParam } from '../sql/sql-param'
import { compileOrderByTerms, compileSortKeys, isSortedOnlyById, type SqlSortTerm } from './compile-sort'
import { compileOffsetLimitPlusOne } from './page-position'
import {
  createPageEndOffsetParam,
  type IncludePlanWithPageSizeOrParam,
  type OffsetRangeWithSizeOrParam,
} from './plan-layer-with-page-size-or-param'
import type { ParentKeys } from './row-criteria'
import { type CompiledIncludedSelect, keySelectListWithReader, selectPlanLayerColumns } from './select-columns'

/** The first related rows of each parent row. */
interface PerParentRows {
  readonly include: IncludePlanWithPageSizeOrParam
  readonly range: OffsetRangeWithSizeOrParam
  /** The keys of the parent rows. */
  readonly parentKeys: ParentKeys
}

interface LimitContext {
  readonly mapping: DatabaseMapping
  readonly projection: FieldSelection
}

/** The columns with an index that finds the first related rows of a parent row. */
type IndexedLink = { readonly kind: 'foreignKey'; readonly column: ForeignKeyColumn } | JunctionRelationMapping

/**
 * Selects the rows of each parent separately; `undefined` if the database or the indexes don't support it. Numbering all related rows is slow if there
 * are many: the first 10 rows of 20 parents with 10,000 rows each took 130 ms.
 */
export function compilePerParentSelect(rows: PerParentRows, context: LimitContext): CompiledIncludedSelect | undefined {
  const { mapping } = context
  const indexed = findIndexed(rows.include, mapping)
  // Lists of bytes or moments can't be bound as one value.
  if (rows.parentKeys.kind === 'objectKeys') return undefined
  if (indexed === undefined || mapping.tableOf(rows.include.layer.type).tableRowSources.length > 1) return undefined
  switch (mapping.dialect.name) {
    case 'postgres':
      return areKeysText(rows, mapping) ? limitLaterally(rows, indexed, context) : undefined
    case 'sqlite':
      return limitByKeys(rows, indexed, context)
    // MySQL supports neither way, and one select per parent would need a new statement text for each number of parents.
    case 'mysql':
      return undefined
  }
}

/**
 * Finds an index that sorts the related rows of a parent. The primary key of a junction table sorts the pairs of a row on the side with `@JoinTable` by
 * the related id. The other side has no such index.
 */
function findIndexed(
  { relationship, layer }: IncludePlanWithPageSizeOrParam,
  mapping: DatabaseMapping,
): IndexedLink | undefined {
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
      // The index sorts enums differently than by declaration.
      const isEnum = layer.type.id.constraints.valueType === 'enum'
      return hasOrderedIndex && areSingle && !isEnum && isSortedOnlyById(layer) ? relation : undefined
    }
  }
}

/** Returns true if the keys can be bound as text. A text can't be cast to an enum, because the name of its type is unknown here. */
function areKeysText({ include }: PerParentRows, mapping: DatabaseMapping): boolean {
  return parentKeyColumn(include, mapping).databaseType !== 'enum'
}

/** PostgreSQL: selects the rows of each key with a lateral join. */
function limitLaterally(rows: PerParentRows, indexed: IndexedLink, context: LimitContext): CompiledIncludedSelect {
  const type = castTypeOfDatabaseType(parentKeyColumn(rows.include, context.mapping).databaseType)
  const from: IndexedPath = { indexed, parentKey: sqlTag`parents.parent::${type}` }
  const { scope, columns, parent, order } = selectRows(rows, from, context)
  const sorted = order.map(({ expression, sortExpression = expression }, index) => {
    return sqlTag`${sortExpression} as ${rawSql(`s${index}`)}`
  })
  const selected = joinSql([columns.sql, parent.sql, ...sorted], ', ')
  const rowsOfParent = sqlTag`select ${selected} from ${firstRows(rows, from, scope)}`
  const texts = mapParam(rows.parentKeys.keys, (all) => all.map(([part]) => String(part)))
  const keys = sqlTag`unnest(${paramSql(texts)}::text[]) parents(parent)`
  const outer = order.map(({ sortExpression: _, ...term }, index): SqlSortTerm => {
    return { ...term, expression: rawSql(`s${index}`) }
  })
  const sql = sqlTag`select limited.* from ${keys} cross join lateral (${rowsOfParent}) limited order by ${compileOrderByTerms(outer, scope)}`
  return { sql, columns, readParentKey: parent.readKey }
}

/** SQLite: looks up the rows of each key, in a range of ids or by their keys. */
function limitByKeys(rows: PerParentRows, indexed: IndexedLink, context: LimitContext): CompiledIncludedSelect {
  // `value` is the column name of `json_each`.
  const from: IndexedPath = { indexed, parentKey: rawSql('parents.value') }
  const { scope, columns, parent, order } = selectRows(rows, from, context)
  const list = mapParam(rows.parentKeys.keys, (all) => JSON.stringify(all.map((key) => key[0])))
  const keys = sqlTag`json_each(${paramSql(list)}) parents`
  const isOfParent = compileIdRangeCondition(rows, from, scope) ?? compileKeyListCondition(rows, from, scope)
  const tables = sqlTag`${keys} cross join ${compileTableAndJoins(scope)}`
  const selected = joinSql([columns.sql, parent.sql], ', ')
  const sql = sqlTag`select ${selected} from ${tables} where ${isOfParent} order by ${compileOrderByTerms(order, scope)}`
  return { sql, columns, readParentKey: parent.readKey }
}

function compileKeyListCondition(rows: PerParentRows, from: IndexedPath, scope: SqlScope): Sql {
  const inner = innerSqlScope(scope, scope.type)
  return sqlTag`${toSqlTuple(qualifiedKeyColumns(scope))} in (select ${joinSql(qualifiedKeyColumns(inner), ', ')} from ${firstRows(rows, from, inner)})`
}

/**
 * Returns a condition on the ids between those of the first and the last row of the range, in an index of the foreign key, whose entries SQLite
 * sorts by the rowid. Takes half the time of a list of keys. `undefined` if rows have another order or a condition, which would be checked twice.
 */
function compileIdRangeCondition(
  { include, range }: PerParentRows,
  from: IndexedPath,
  scope: SqlScope,
): Sql | undefined {
  const { layer } = include
  const [key, ...others] = scope.table.key
  if (from.indexed.kind !== 'foreignKey' || !isSortedOnlyById(layer)) return undefined
  if (key?.databaseType !== 'integer' || others.length > 0) return undefined
  if (liveRowAndFilterConditions(layer.filter, scope).length > 0) return undefined
  const id = qualifiedFirstKeyColumn(scope)
  const inner = innerSqlScope(scope, scope.type)
  const { conditions } = scanIndex(from, inner)
  const order = compileOrderByTerms(compileSortKeys(layer.sort, inner), inner)
  const idAt = (index: ParamOrComputedParam<number>) =>
    sqlTag`(select ${qualifiedFirstKeyColumn(inner)} from ${compileTableAndJoins(inner)}${whereClause(conditions)} order by ${order} limit 1 offset ${paramSql(index)})`
  const first = idAt(range.offset)
  const last = idAt(createPageEndOffsetParam(range, 0))
  const isOfParent = joinSql(scanIndex(from, scope).conditions, ' and ')
  return layer.sort[0]?.direction === 'descending'
    ? sqlTag`${isOfParent} and ${id} <= ${first} and ${id} >= ifnull(${last}, ${rawSql(MIN_ROWID)})`
    : sqlTag`${isOfParent} and ${id} >= ${first} and ${id} <= ifnull(${last}, ${rawSql(MAX_ROWID)})`
}

/** The bounds of ids of parents with fewer rows than the range. */
const MIN_ROWID = '-9223372036854775808'
const MAX_ROWID = '9223372036854775807'

function parentKeyColumn(
  { relationship: { declaringType } }: IncludePlanWithPageSizeOrParam,
  mapping: DatabaseMapping,
): ColumnMapping {
  const [column] = mapping.tableOf(declaringType).key
  if (column === undefined) throw new InvariantError(`${declaringType.name} has no key.`)
  return column
}

/** The path from a parent row to its related rows. */
interface IndexedPath {
  readonly indexed: IndexedLink
  /** The key of the parent row. */
  readonly parentKey: Sql
}

function selectRows(
  { include }: PerParentRows,
  { indexed, parentKey }: IndexedPath,
  { mapping, projection }: LimitContext,
) {
  const { layer } = include
  const scope = rootSqlScope(mapping, layer.type)
  const columns = selectPlanLayerColumns(layer, projection, scope)
  const key = indexed.kind === 'foreignKey' ? qualifiedForeignKeyColumns(scope, [indexed.column]) : [parentKey]
  const parent = keySelectListWithReader(key, [parentKeyColumn(include, mapping)], {
    name: 'parent',
    firstIndex: columns.count,
  })
  return { scope, columns, parent, order: compileSortKeys(layer.sort, scope) }
}

/** Compiles the select of the first rows of one parent, without its column list. */
function firstRows({ include: { layer }, range }: PerParentRows, path: IndexedPath, scope: SqlScope): Sql {
  const { pairs, conditions, order } = scanIndex(path, scope)
  const where = whereClause([...conditions, ...liveRowAndFilterConditions(layer.filter, scope)])
  // Sorts by the columns of the index to find the first rows. The outer select sorts by the columns of the rows.
  const terms = compileSortKeys(layer.sort, scope).map((term) => ({ ...term, ...order }))
  return sqlTag`${pairs}${compileTableAndJoins(scope)}${where} order by ${compileOrderByTerms(terms, scope)}${compileOffsetLimitPlusOne(range)}`
}

interface IndexScan {
  /** The junction table, which is joined before the table of the rows. */
  readonly pairs: Sql
  readonly conditions: readonly Sql[]
  /** The order of the index, if it is an index of the junction table. */
  readonly order?: Pick<SqlSortTerm, 'sortExpression'>
}

/** Compiles a scan of the index. */
function scanIndex({ indexed, parentKey }: IndexedPath, scope: SqlScope): IndexScan {
  if (indexed.kind === 'foreignKey') {
    return {
      pairs: EMPTY_SQL,
      conditions: [compileKeyColumnsEqual(qualifiedForeignKeyColumns(scope, [indexed.column]), [parentKey])],
    }
  }
  const { table, sourceKey, relatedKey } = aliasJunction(indexed, scope)
  return {
    pairs: sqlTag`${table} cross join `,
    conditions: [
      compileKeyColumnsEqual(sourceKey, [parentKey]),
      compileKeyColumnsEqual(relatedKey, qualifiedKeyColumns(scope)),
    ],
    order: { sortExpression: joinSql(relatedKey, ', ') },
  }
}
