import type { CursorRange } from '../../../plan/read-plan'
import type { SortKeyNode } from '../../../query/tree/ast'
import { compileFromItem, type SqlScope, whereClause } from '../joins/scope'
import type { ConcreteTable } from '../mapping/mapping'
import { boundParamSql, joinSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import { compileSortKeys, orderByList } from './compile-sort'
import { cursorOfRow, selectSortValues, toKeysetRange } from './cursor-values'
import { mergePages, type PartialPageSelect } from './merge-pages'
import { termsInReadOrder } from './page-position'
import type { SelectedColumns } from './select-columns'
import { splitAtNulls } from './split-at-nulls'

/** The parts of a select without its order. */
export interface UnorderedSelect {
  /** One source for each table. */
  readonly concreteTables: readonly ConcreteTable[]
  readonly columns: SelectedColumns
  readonly conditions: readonly Sql[]
  readonly scope: SqlScope
}

/** Selects a page that starts at a cursor, without reading the rows before it. Each row is read with its cursor. */
export function compileKeysetPageSelect(
  cursorRange: CursorRange,
  sort: readonly SortKeyNode[],
  { concreteTables, columns, conditions, scope }: UnorderedSelect,
): { readonly sql: Sql; readonly columns: SelectedColumns } {
  const { dialect } = scope.mapping
  const terms = compileSortKeys(sort, scope)
  const range = toKeysetRange(cursorRange, terms)
  const selected = sqlTag`${columns.sql}, ${selectSortValues(terms, dialect)}`
  // One row beyond the page shows whether there is another page.
  const limit = sqlTag` limit ${boundParamSql(mapParam(cursorRange.size, (size) => size + 1))}`
  const subPages = splitAtNulls(range, terms, dialect).flatMap(
    ({ conditions: segmentConditions, terms: order }, segment) =>
      concreteTables.map(
        ({ fromItem }): PartialPageSelect => ({
          segment,
          select: (extraColumns) => {
            const from = sqlTag`${compileFromItem(scope, fromItem)}${whereClause([...conditions, ...segmentConditions])}`
            return sqlTag`select ${joinSql([selected, ...extraColumns], ', ')} from ${from}`
          },
          orderAndLimit: sqlTag` order by ${orderByList(order, scope)}${limit}`,
        }),
      ),
  )
  const [only, ...others] = subPages
  const sql =
    only !== undefined && others.length === 0
      ? sqlTag`${only.select([])}${only.orderAndLimit}`
      : mergePages({ subPages, extraColumns: [], limit }, termsInReadOrder(range, terms), scope)
  const readRow: SelectedColumns['readRow'] = (rawRow) => {
    const row = columns.readRow(rawRow)
    if (row !== undefined) row.position = cursorOfRow(rawRow.slice(columns.count), terms)
    return row
  }
  return { sql, columns: { ...columns, readRow } }
}
