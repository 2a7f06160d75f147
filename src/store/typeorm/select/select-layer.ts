import type { Relationship, ResourceType } from '../../../graph/model/resource-graph'
import type { FieldSelection } from '../../../plan/read-plan'
import { compileConditionsOfUnpagedList, liveRowAndFilterConditions } from '../filters/compile-row-conditions'
import { compileJunctionJoin } from '../joins/junction-table'
import { compileKeyInList, type KeyColumnsSql } from '../joins/key-conditions'
import {
  compileTableAndJoins,
  qualifiedForeignKeyColumns,
  qualifiedKeyColumns,
  rootSqlScope,
  type SqlScope,
  whereClause,
} from '../joins/scope'
import type {
  ColumnMapping,
  DatabaseMapping,
  FromClauseItemBuilder,
  RelationMapping,
  TableRowSource,
} from '../mapping/database-mapping'
import { boundConstantSql, EMPTY_SQL, joinSql, paramSql, type Sql, sqlTag } from '../sql/sql'
import { compileKeysetPageSelect, type UnorderedSelect } from './compile-keyset-page-select'
import { compileMergedSubPages, type PageUnionBranch } from './compile-merged-sub-pages'
import { compilePerParentSelect } from './compile-per-parent-select'
import { compileOrderByTerms, compileSortKeys, isSortedOnlyById } from './compile-sort'
import { compileDeferredJoinSelect } from './deferred-join'
import { classifyPageDepth, compileOffsetLimitPlusOne, isDeepPage, sortTermsInReadOrder } from './page-position'
import {
  createPageEndOffsetParam,
  type IncludePlanWithPageSizeOrParam,
  type OffsetRangeWithSizeOrParam,
  type PlanLayerWithPageSizeOrParam,
} from './plan-layer-with-page-size-or-param'
import {
  compileKeyOrRelationshipConditions,
  type ParentKeys,
  type RowCriteriaByKeyOrRelationship,
} from './row-criteria'
import {
  type CompiledIncludedSelect,
  type CompiledLayerSelect,
  keySelectListWithReader,
  type SelectedColumns,
  selectPlanLayerColumns,
} from './select-columns'

/**
 * The rows that a read locks. `lockLinks` locks the pairs in a junction table, because other resources can share the related rows; without a junction
 * table it locks the rows.
 */
export type ReadLockTarget = 'lock' | 'lockLinks' | 'noLock'

interface SelectOptions {
  readonly projection: FieldSelection
  readonly mapping: DatabaseMapping
  /** The tables to read from. */
  readonly tableRowSources: readonly TableRowSource[]
  /** Columns after all others of a numbered page. */
  readonly extraColumns: readonly Sql[]
  readonly lock: ReadLockTarget
  /** The clause that locks the pairs of the junction table. */
  readonly junctionLock: Sql | undefined
}

/** Compiles the select of the rows of the topmost layer. */
export function compilePrimaryLayerSelect(
  layer: PlanLayerWithPageSizeOrParam,
  criteria: RowCriteriaByKeyOrRelationship,
  options: SelectOptions,
): CompiledLayerSelect {
  const scope = rootSqlScope(options.mapping, layer.type, readsOf(criteria))
  const select = selectRows(layer, criteria, scope, options)
  const { joinedColumns } = scope.table
  const readsJoinedTables = [...scope.usedColumns].some((column) => joinedColumns.has(column))
  return { ...select, alias: scope.alias, readsJoinedTables }
}

function selectRows(
  layer: PlanLayerWithPageSizeOrParam,
  criteria: RowCriteriaByKeyOrRelationship,
  scope: SqlScope,
  options: SelectOptions,
): Pick<CompiledLayerSelect, 'sql' | 'columns'> {
  const { projection, tableRowSources, extraColumns, junctionLock } = options
  const columns = selectPlanLayerColumns(layer, projection, scope)
  const keysFirst = selectKeysFirst({ layer, criteria, columns, scope }, options)
  if (keysFirst !== undefined) return { sql: keysFirst, columns }
  const conditions = [
    ...compileKeyOrRelationshipConditions(criteria, scope, junctionLock),
    ...compileLayerFilter(layer, scope),
  ]
  const selection = { tableRowSources, columns, conditions, scope }
  if (layer.range?.kind === 'cursors') {
    return compileKeysetPageSelect(layer.range, layer.sort, selection)
  }
  const sql = selectOffsetPage(layer, layer.range, { ...selection, extraColumns })
  return { sql, columns }
}

function compileLayerFilter({ filter, range }: PlanLayerWithPageSizeOrParam, scope: SqlScope): readonly Sql[] {
  return range === undefined ? compileConditionsOfUnpagedList(filter, scope) : liveRowAndFilterConditions(filter, scope)
}

/** The rows of a layer, whose columns are selected, but not yet its conditions. */
interface SelectedRows {
  readonly layer: PlanLayerWithPageSizeOrParam
  readonly criteria: RowCriteriaByKeyOrRelationship
  readonly columns: SelectedColumns
  readonly scope: SqlScope
}

/** Selects the keys of a page before its rows, where that is faster. */
function selectKeysFirst(
  { layer, criteria, columns, scope }: SelectedRows,
  { tableRowSources, extraColumns, lock }: SelectOptions,
): Sql | undefined {
  const { range } = layer
  const [only, ...others] = tableRowSources
  if (range?.kind !== 'numbers' || only === undefined || others.length > 0) return undefined
  // Rows of a derived table are not locked, and MariaDB and MySQL read them from the snapshot of the transaction.
  if (lock !== 'noLock' || !(isDeepPage(range) || savesJoins(layer, scope))) return undefined
  const conditionsIn = (inner: SqlScope) => [
    ...compileKeyOrRelationshipConditions(criteria, inner),
    ...liveRowAndFilterConditions(layer.filter, inner),
  ]
  return compileDeferredJoinSelect({
    ...{ layer, range, columns, extraColumns, scope, conditionsIn },
    fromItem: only.fromItem,
    limit: compileRange(range),
  })
}

/** Returns true if the database would join tables to rows that are not on the page: those before it, or all rows that it has to sort. */
function savesJoins(layer: PlanLayerWithPageSizeOrParam, { joins }: SqlScope): boolean {
  if (joins.texts.length === 0 || layer.sort.length === 0) return false
  return classifyPageDepth(layer.range) !== 'first' || !isSortedOnlyById(layer)
}

function selectOffsetPage(
  { sort, type }: PlanLayerWithPageSizeOrParam,
  range: OffsetRangeWithSizeOrParam | undefined,
  { tableRowSources, columns, conditions, scope, extraColumns }: UnorderedSelect & Pick<SelectOptions, 'extraColumns'>,
): Sql {
  const terms = sortTermsInReadOrder(range, compileSortKeys(sort, scope))
  const order = terms.length === 0 ? EMPTY_SQL : sqlTag` order by ${compileOrderByTerms(terms, scope)}`
  const select = (from: FromClauseItemBuilder, lastColumns: readonly Sql[]) => {
    const rows = sqlTag`${compileTableAndJoins(scope, from)}${whereClause(conditions)}`
    return sqlTag`select ${joinSql([columns.sql, ...lastColumns], ', ')} from ${rows}`
  }
  const [only, ...others] = tableRowSources
  if (range === undefined || terms.length === 0 || others.length === 0) {
    const from = only !== undefined && others.length === 0 ? only.fromItem : scope.mapping.tableOf(type).fromItem
    return sqlTag`${select(from, extraColumns)}${order}${compileRange(range)}`
  }
  // This page and those before it contain at most this number of rows of each table.
  const limit = sqlTag` limit ${paramSql(createPageEndOffsetParam(range, 1))}`
  const subPages = tableRowSources.map(
    ({ fromItem }): PageUnionBranch => ({
      segment: 0,
      select: (sortColumns) => select(fromItem, sortColumns),
      orderAndLimit: sqlTag`${order}${limit}`,
    }),
  )
  return compileMergedSubPages({ subPages, extraColumns, limit: compileRange(range) }, terms, scope)
}

/** Counts all rows of the layer. `maxCount`: stops one row above this count. */
export function compilePrimaryCount(
  layer: PlanLayerWithPageSizeOrParam,
  criteria: RowCriteriaByKeyOrRelationship,
  { mapping, maxCount }: { readonly mapping: DatabaseMapping; readonly maxCount: number | undefined },
): Sql {
  const scope = rootSqlScope(mapping, layer.type, readsOf(criteria))
  const where = whereClause([
    ...compileKeyOrRelationshipConditions(criteria, scope),
    ...liveRowAndFilterConditions(layer.filter, scope, 'counted'),
  ])
  const { fromItem: union, tableRowSources } = mapping.tableOf(layer.type)
  // Counts the whole union, so that the statement contains each subselect once and not once for each table.
  const countsUnion = mapping.dialect.pushesPredicatesIntoUnions !== 'nowhere' && where.text.includes('(select ')
  const sources = countsUnion ? [union] : tableRowSources.map(({ fromItem }) => fromItem)
  const counts = sources.map((source) => {
    const rows = sqlTag`${compileTableAndJoins(scope, source)}${where}`
    if (maxCount === undefined) return sqlTag`select count(*) as total from ${rows}`
    return sqlTag`select count(*) as total from (select 1 as there from ${rows} limit ${boundConstantSql(maxCount + 1)}) counted`
  })
  return counts.length === 1
    ? joinSql(counts, ' ')
    : sqlTag`select sum(total) as total from (${joinSql(counts, ' union all ')}) counts`
}

function readsOf({ kind }: RowCriteriaByKeyOrRelationship): SqlScope['reads'] {
  return kind === 'all' ? 'allRows' : 'someRows'
}

/**
 * Compiles the select of the rows at the other end of a relationship: those of all parents, with a range of its own for each parent.
 * `parentKeys`: the foreign keys of the parents if those hold them, else their primary keys.
 */
export function compileIncludedSelect(
  include: IncludePlanWithPageSizeOrParam,
  projection: FieldSelection,
  mapping: DatabaseMapping,
  parentKeys: ParentKeys,
): CompiledIncludedSelect {
  const { relationship, layer, paging } = include
  const { range } = layer
  const isCounted = paging?.total === 'counted'
  const isLimited = range?.kind === 'numbers' && !isCounted
  const limited = isLimited
    ? compilePerParentSelect({ include, range, parentKeys }, { mapping, projection })
    : undefined
  if (limited !== undefined) return limited
  const scope = rootSqlScope(mapping, layer.type)
  const parentJoin = joinToParents(mapping.relationOf(relationship), scope)
  const columns = selectPlanLayerColumns(layer, projection, scope)
  const parentKey = parentKeyOf(relationship, layer.type, mapping)
  const belongsToParents = compileKeyInList(parentJoin.parent, parentKeys.keys, parentKey, mapping.dialect)
  const where = whereClause([belongsToParents, ...compileLayerFilter(layer, scope)])
  const order = layer.sort.length === 0 ? undefined : compileOrderByTerms(compileSortKeys(layer.sort, scope), scope)
  const from = sqlTag`from ${compileTableAndJoins(scope)}${parentJoin.joined}${where}`
  const parent = keySelectListWithReader(parentJoin.parent, parentKey, { name: 'parent', firstIndex: columns.count })
  const select = sqlTag`select ${columns.sql}, ${parent.sql}`
  const result = { columns, readParentKey: parent.readKey }
  if (order === undefined) return { sql: sqlTag`${select} ${from}`, ...result }
  // Included resources have no cursor pages.
  if (range?.kind !== 'numbers') return { sql: sqlTag`${select} ${from} order by ${order}`, ...result }
  const parts = { select, parent: joinSql(parentJoin.parent, ', '), order, from }
  const sql = isCounted ? countedPagePerParent(parts, range) : pagePerParent(parts, range)
  return { sql, ...result }
}

/** Returns the primary key that the parent key contains. */
function parentKeyOf(
  relationship: Relationship,
  right: ResourceType,
  mapping: DatabaseMapping,
): readonly ColumnMapping[] {
  const isOwning = mapping.relationOf(relationship).kind === 'owning'
  return mapping.tableOf(isOwning ? right : relationship.declaringType).key
}

interface RankedSelect {
  readonly select: Sql
  readonly parent: Sql
  readonly order: Sql
  readonly from: Sql
}

function pagePerParent({ select, parent, order, from }: RankedSelect, range: OffsetRangeWithSizeOrParam): Sql {
  const ranked = sqlTag`${select}, row_number() over (partition by ${parent} order by ${order}) as position ${from}`
  return sqlTag`select * from (${ranked}) ranked where ${onPage(range, EXTRA_ROW)} order by position`
}

/**
 * Selects a page per parent. The last two columns are the number of a row within its parent and the total of the parent. Every page contains the first
 * row of each parent, which has the total.
 */
function countedPagePerParent({ select, parent, order, from }: RankedSelect, range: OffsetRangeWithSizeOrParam): Sql {
  const position = sqlTag`row_number() over (partition by ${parent} order by ${order}) as position`
  const total = sqlTag`count(*) over (partition by ${parent}) as total`
  const ranked = sqlTag`${select}, ${position}, ${total} ${from}`
  return sqlTag`select * from (${ranked}) ranked where (${onPage(range)}) or position = 1 order by position`
}

/** One row beyond the page shows whether there are more. */
const EXTRA_ROW = 1

function onPage(range: OffsetRangeWithSizeOrParam, beyond = 0): Sql {
  const last = createPageEndOffsetParam(range, beyond)
  return sqlTag`position > ${paramSql(range.offset)} and position <= ${paramSql(last)}`
}

/** How the rows of a layer are joined to their parents. */
interface ParentJoin {
  /** The key of the parent row. */
  readonly parent: KeyColumnsSql
  /** Joins the junction table that contains the key, if there is one. */
  readonly joined: Sql
}

function joinToParents(relation: RelationMapping, scope: SqlScope): ParentJoin {
  if (relation.kind === 'owning') return { parent: qualifiedKeyColumns(scope), joined: EMPTY_SQL }
  if (relation.kind === 'inverse')
    return { parent: qualifiedForeignKeyColumns(scope, relation.columns), joined: EMPTY_SQL }
  const { sourceKey, joined } = compileJunctionJoin(relation, scope)
  return { parent: sourceKey, joined }
}

function compileRange(range: OffsetRangeWithSizeOrParam | undefined): Sql {
  return range === undefined ? EMPTY_SQL : compileOffsetLimitPlusOne(range)
}
