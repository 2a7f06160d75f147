import type { CursorRange } from '../../../plan/read-plan'
import type { SortKey } from '../../../query/tree/ast'
import { fromClause, type SqlScope, whereClause } from '../joins/scope'
import type { ConcreteTable } from '../mapping/mapping'
import { join, type Sql, toSql, value } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import { orderBy, sortTerms } from './compile-sort'
import { readCursorValues, selectCursorValues, toSortTermRange } from './cursor-values'
import { mergePages, type SubPage } from './merge-pages'
import { inReadOrder } from './page-position'
import type { SelectedColumns } from './select-columns'
import { splitAtNulls } from './split-at-nulls'

/** The parts of a select without its order. */
export interface RowSelect {
  /** One source for each table. */
  readonly concreteTables: readonly ConcreteTable[]
  readonly columns: SelectedColumns
  readonly conditions: readonly Sql[]
  readonly scope: SqlScope
}

/** A page that starts at a cursor: however deep it is, no row before it is counted. Each row is read with its position. */
export function selectKeysetPage(
  asked: CursorRange,
  sort: readonly SortKey[],
  { concreteTables, columns, conditions, scope }: RowSelect,
): { readonly sql: Sql; readonly columns: SelectedColumns } {
  const { dialect } = scope.mapping
  const terms = sortTerms(sort, scope)
  const range = toSortTermRange(asked, terms)
  const selected = toSql`${columns.sql}, ${selectCursorValues(terms, dialect)}`
  // One row beyond the page tells whether there is another page.
  const limit = toSql` limit ${value(mapParam(asked.size, (size) => size + 1))}`
  const subPages = splitAtNulls(range, terms, dialect).flatMap(({ conditions: own, terms: order }, segment) =>
    concreteTables.map(
      ({ fromItem }): SubPage => ({
        segment,
        select: (further) => {
          const from = toSql`${fromClause(scope, fromItem)}${whereClause([...conditions, ...own])}`
          return toSql`select ${join([selected, ...further], ', ')} from ${from} order by ${orderBy(order, scope)}${limit}`
        },
      }),
    ),
  )
  const [only, ...others] = subPages
  const sql =
    only !== undefined && others.length === 0
      ? only.select([])
      : toSql`${mergePages({ subPages, extraColumns: [] }, inReadOrder(range, terms), scope)}${limit}`
  const readRow: SelectedColumns['readRow'] = (rawRow) => {
    const row = columns.readRow(rawRow)
    if (row !== undefined) row.position = readCursorValues(rawRow.slice(columns.count), terms)
    return row
  }
  return { sql, columns: { ...columns, readRow } }
}
