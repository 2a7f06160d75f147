import type { CursorRange } from '../../plan/read-plan'
import type { SortKey } from '../../query/ast'
import { orderBy, sortTerms } from './compile-sort'
import type { Branch } from './mapping'
import { inDirection } from './page-position'
import { given } from './parameter'
import { rangeByTerms, readPosition, selectPositions } from './position-texts'
import { fromClause, type Scope, whereClause } from './scope'
import type { SelectedColumns } from './select-columns'
import { splitNulls } from './split-nulls'
import { join, type Sql, toSql, value } from './sql'
import { type Piece, unitePages } from './unite-pages'

/** What is to be selected, whatever the order. */
export interface Selection {
  /** Of the source: one for each table. */
  readonly branches: readonly Branch[]
  readonly columns: SelectedColumns
  readonly conditions: readonly Sql[]
  readonly scope: Scope
}

/** A page that starts at a cursor: however deep it is, no row before it is counted. Each row is read with its position. */
export function selectBetween(
  asked: CursorRange,
  sort: readonly SortKey[],
  { branches, columns, conditions, scope }: Selection,
): { readonly sql: Sql; readonly columns: SelectedColumns } {
  const { dialect } = scope.mapping
  const terms = sortTerms(sort, scope)
  const range = rangeByTerms(asked, terms)
  const selected = toSql`${columns.sql}, ${selectPositions(terms, dialect)}`
  // One row more than the page has tells whether there is another page.
  const limit = toSql` limit ${value(given(asked, ({ size }) => size + 1))}`
  const pieces = splitNulls(range, terms, dialect).flatMap(({ conditions: own, terms: order }, stretch) =>
    branches.map(
      ({ source }): Piece => ({
        stretch,
        select: (further) => {
          const from = toSql`${fromClause(scope, source)}${whereClause([...conditions, ...own])}`
          return toSql`select ${join([selected, ...further], ', ')} from ${from} order by ${orderBy(order, scope)}${limit}`
        },
      }),
    ),
  )
  const [only, ...others] = pieces
  const sql =
    only !== undefined && others.length === 0
      ? only.select([])
      : toSql`${unitePages({ pieces, further: [] }, inDirection(range, terms), scope)}${limit}`
  const readRow: SelectedColumns['readRow'] = (cells) => {
    const row = columns.readRow(cells)
    if (row !== undefined) row.position = readPosition(cells.slice(columns.count), terms)
    return row
  }
  return { sql, columns: { ...columns, readRow } }
}
