import type { SortKeyNode } from '../../../query/tree/ast'
import { compileTableAndJoins, type SqlScope, whereClause } from '../joins/scope'
import type { TableRowSource } from '../mapping/database-mapping'
import { joinSql, type Sql, sqlTag } from '../sql/sql'
import { compileMergedSubPages, type PageUnionBranch } from './compile-merged-sub-pages'
import { compileOrderByTerms, compileSortKeys } from './compile-sort'
import { compileSortValueColumns, sortValuesOfRow, toKeysetRange } from './cursor-values'
import { sortTermsInReadOrder } from './page-position'
import { compileLimitPlusOne, type RowRangeWithSizeOrParam } from './plan-layer-with-page-size-or-param'
import type { SelectedColumns } from './select-columns'
import { splitKeysetRangeAtNulls } from './split-keyset-range-at-nulls'

/** The parts of a select without its order. */
export interface UnorderedSelect {
  /** One source for each table. */
  readonly tableRowSources: readonly TableRowSource[]
  readonly columns: SelectedColumns
  readonly conditions: readonly Sql[]
  readonly scope: SqlScope
}

/** Selects a page that starts at a cursor, without reading the rows before it. Each row is read with its cursor. */
export function compileKeysetPageSelect(
  cursorRange: Extract<RowRangeWithSizeOrParam, { kind: 'cursors' }>,
  sort: readonly SortKeyNode[],
  { tableRowSources, columns, conditions, scope }: UnorderedSelect,
): { readonly sql: Sql; readonly columns: SelectedColumns } {
  const { dialect } = scope.mapping
  const terms = compileSortKeys(sort, scope)
  const range = toKeysetRange(cursorRange, terms)
  const selected = sqlTag`${columns.sql}, ${compileSortValueColumns(terms, dialect)}`
  const limit = compileLimitPlusOne(cursorRange.size)
  const subPages = splitKeysetRangeAtNulls(range, terms, dialect).flatMap(
    ({ conditions: segmentConditions, terms: order }, segment) =>
      tableRowSources.map(
        ({ fromItem }): PageUnionBranch => ({
          segment,
          select: (extraColumns) => {
            const from = sqlTag`${compileTableAndJoins(scope, fromItem)}${whereClause([...conditions, ...segmentConditions])}`
            return sqlTag`select ${joinSql([selected, ...extraColumns], ', ')} from ${from}`
          },
          orderAndLimit: sqlTag` order by ${compileOrderByTerms(order, scope)}${limit}`,
        }),
      ),
  )
  const [only, ...others] = subPages
  const sql =
    only !== undefined && others.length === 0
      ? sqlTag`${only.select([])}${only.orderAndLimit}`
      : compileMergedSubPages({ subPages, extraColumns: [], limit }, sortTermsInReadOrder(range, terms), scope)
  const readRow: SelectedColumns['readRow'] = (rawRow) => {
    const row = columns.readRow(rawRow)
    if (row !== undefined) row.position = sortValuesOfRow(rawRow.slice(columns.count), terms)
    return row
  }
  return { sql, columns: { ...columns, readRow } }
}
