import { orderBy, type SortTerm } from './compile-sort'
import type { Scope } from './scope'
import { identifier, join, type Sql, toSql } from './sql'

/** Rows of one table or stretch of the list, in order and no more of them than are wanted. */
export interface Piece {
  /** Rows of a later stretch come behind those of an earlier one, whatever their values. */
  readonly stretch: number
  /** `further`: columns that are to be selected as well. */
  readonly select: (further: readonly Sql[]) => Sql
}

/** `further`: columns that stand behind all others. */
export interface Pieces {
  readonly pieces: readonly Piece[]
  readonly further: readonly Sql[]
}

/** The rows of all pieces in one order: each piece is cut before, so that few rows have to be put in order here. */
export function unitePages({ pieces, further }: Pieces, terms: readonly SortTerm[], scope: Scope): Sql {
  const { dialect } = scope.mapping
  const sorted = terms.map(({ expression, range, sortedBy = dialect.sortedAs(expression, range) }, index) => {
    return toSql`${sortedBy} as ${identifier(`s${index}`)}`
  })
  const each = pieces.map(({ select, stretch }, index) => {
    const rows = select([...sorted, toSql`${identifier(String(stretch))} as stretch`])
    return toSql`select * from (${rows}) ${identifier(`piece${index}`)}`
  })
  const isCut = pieces.some(({ stretch }) => stretch > 0)
  const order = terms.map(({ sortedBy: _, ...term }, index): SortTerm => {
    return { ...term, expression: identifier(`s${index}`), ...(isCut && index === 0 && { nulls: 'notNullable' }) }
  })
  const by = isCut ? toSql`stretch, ${orderBy(order, scope)}` : orderBy(order, scope)
  const selected = join([identifier('page.*'), ...further], ', ')
  return toSql`select ${selected} from (${join(each, ' union all ')}) page order by ${by}`
}
