import type { CursorRange } from '../../plan/read-plan'
import type { SortKey } from '../../query/ast'
import { orderBy, type SortTerm, sortTerms } from './compile-sort'
import { inDirection } from './page-position'
import { rangeByTerms, readPosition, selectPositions } from './position-texts'
import { fromClause, type Scope, whereClause } from './scope'
import type { SelectedColumns } from './select-columns'
import { type Stretch, splitNulls } from './split-nulls'
import { identifier, join, type Sql, toSql, value } from './sql'

/** What is to be selected, whatever the order. */
export interface Selection {
  readonly columns: SelectedColumns
  readonly conditions: readonly Sql[]
  readonly scope: Scope
}

/** A page that starts at a cursor: however deep it is, no row before it is counted. Each row is read with its position. */
export function selectBetween(
  asked: CursorRange,
  sort: readonly SortKey[],
  { columns, conditions, scope }: Selection,
): { readonly sql: Sql; readonly columns: SelectedColumns } {
  const { dialect } = scope.mapping
  const terms = sortTerms(sort, scope)
  const range = rangeByTerms(asked, terms)
  const selected = toSql`${columns.sql}, ${selectPositions(terms, dialect)}`
  // One row more than the page has tells whether there is another page.
  const limit = toSql` limit ${value(range.size + 1)}`
  const select: SelectStretch = ({ conditions: own, terms: order }, further) => {
    const from = toSql`${fromClause(scope)}${whereClause([...conditions, ...own])}`
    return toSql`select ${join([selected, ...further], ', ')} from ${from} order by ${orderBy(order, scope)}${limit}`
  }
  const stretches = splitNulls(range, terms, dialect)
  const sql =
    stretches.length === 1
      ? join(
          stretches.map((only) => select(only, [])),
          ' ',
        )
      : toSql`${selectAll(stretches, inDirection(range, terms), select, scope)}${limit}`
  const readRow: SelectedColumns['readRow'] = (record) => {
    const row = columns.readRow(record)
    return row && { ...row, position: readPosition(record, terms) }
  }
  return { sql, columns: { ...columns, readRow } }
}

type SelectStretch = (stretch: Stretch, further: readonly Sql[]) => Sql

/** The rows of all stretches, one behind the other; of each at most as many as the page has. */
function selectAll(
  stretches: readonly Stretch[],
  terms: readonly SortTerm[],
  select: SelectStretch,
  scope: Scope,
): Sql {
  const { dialect } = scope.mapping
  const sorted = terms.map(({ expression, range, place = dialect.sortedAs(expression, range) }, index) => {
    return toSql`${place} as ${identifier(`s${index}`)}`
  })
  const each = stretches.map((stretch, index) => {
    const rows = select(stretch, [...sorted, toSql`${identifier(String(index))} as stretch`])
    return toSql`select * from (${rows}) ${identifier(`stretch${index}`)}`
  })
  const order = terms.map(({ place: _, ...term }, index): SortTerm => {
    return { ...term, expression: identifier(`s${index}`), ...(index === 0 && { nulls: 'notNullable' }) }
  })
  return toSql`select * from (${join(each, ' union all ')}) page order by stretch, ${orderBy(order, scope)}`
}
