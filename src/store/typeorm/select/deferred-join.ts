import { compileKeyColumnsEqual } from '../joins/key-conditions'
import { compileTableAndJoins, innerSqlScope, qualifiedKeyColumns, type SqlScope, whereClause } from '../joins/scope'
import type { FromClauseItemBuilder } from '../mapping/database-mapping'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileOrderByTerms, compileSortKeys } from './compile-sort'
import { sortTermsInReadOrder } from './page-position'
import type { OffsetRangeWithSizeOrParam, PlanLayerWithPageSizeOrParam } from './plan-layer-with-page-size-or-param'
import type { SelectedColumns } from './select-columns'

/** A page of the rows of one table. */
interface TablePage {
  readonly layer: PlanLayerWithPageSizeOrParam
  readonly range: OffsetRangeWithSizeOrParam
  readonly columns: SelectedColumns
  /** Columns after all others. */
  readonly extraColumns: readonly Sql[]
  readonly scope: SqlScope
  readonly fromItem: FromClauseItemBuilder
  readonly conditionsIn: (scope: SqlScope) => readonly Sql[]
  readonly limit: Sql
}

/**
 * Selects the keys of a page first, then joins its rows. Skipped rows are not read if an index has all sort columns; otherwise the database sorts only
 * their keys. Returns `undefined` if the order needs joins.
 */
export function compileDeferredJoinSelect({ layer, range, scope, fromItem, ...page }: TablePage): Sql | undefined {
  const inner: SqlScope = { ...innerSqlScope(scope, layer.type), depth: scope.depth, runsOnce: scope.runsOnce }
  const terms = sortTermsInReadOrder(range, compileSortKeys(layer.sort, inner))
  if (terms.some(({ kind }) => kind !== 'ownColumn')) return undefined
  const where = whereClause(page.conditionsIn(inner))
  const keys = qualifiedKeyColumns(inner)
  const names = keys.map((_, index) => rawSql(`key${index}`))
  const selected = keys.map((key, index) => sqlTag`${key} as ${names[index] ?? key}`)
  const selectKeys = sqlTag`select ${joinSql(selected, ', ')} from ${compileTableAndJoins(inner, fromItem)}${where}`
  const sorted = sqlTag`${selectKeys} order by ${compileOrderByTerms(terms, inner)}${page.limit}`
  const order = compileOrderByTerms(sortTermsInReadOrder(range, compileSortKeys(layer.sort, scope)), scope)
  const isOnPage = compileKeyColumnsEqual(
    qualifiedKeyColumns(scope),
    names.map((name) => sqlTag`page.${name}`),
  )
  // SQLite does not reorder the tables of a `cross join`.
  const from = sqlTag`(${sorted}) page cross join ${compileTableAndJoins(scope, fromItem)}`
  return sqlTag`select ${joinSql([page.columns.sql, ...page.extraColumns], ', ')} from ${from} where ${isOnPage} order by ${order}`
}
