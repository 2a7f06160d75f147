import type { SqlScope } from '../joins/scope'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { orderByList, type SortTerm } from './compile-sort'

/** Rows of one table or stretch of the list, in order and no more of them than are wanted. */
export interface PagePart {
  /** Rows of a later stretch come behind those of an earlier one, whatever their values. */
  readonly segment: number
  /** `further`: columns that are to be selected as well. */
  readonly select: (conditions: readonly Sql[]) => Sql
}

/** `extraColumns`: columns after all others. */
interface PageParts {
  readonly subPages: readonly PagePart[]
  readonly extraColumns: readonly Sql[]
}

/** The rows of all pieces in one order: each piece is cut before, so that few rows have to be put in order here. */
export function mergePages({ subPages, extraColumns }: PageParts, terms: readonly SortTerm[], scope: SqlScope): Sql {
  const { dialect } = scope.mapping
  const sorted = terms.map(({ expression, range, sortExpression = dialect.asSortColumn(expression, range) }, index) => {
    return sqlTag`${sortExpression} as ${rawSql(`s${index}`)}`
  })
  const each = subPages.map(({ select, segment }, index) => {
    const rows = select([...sorted, sqlTag`${rawSql(String(segment))} as stretch`])
    return sqlTag`select * from (${rows}) ${rawSql(`piece${index}`)}`
  })
  const isCut = subPages.some(({ segment }) => segment > 0)
  const order = terms.map(({ sortExpression: _, ...term }, index): SortTerm => {
    return { ...term, expression: rawSql(`s${index}`), ...(isCut && index === 0 && { nulls: 'notNullable' }) }
  })
  const by = isCut ? sqlTag`stretch, ${orderByList(order, scope)}` : orderByList(order, scope)
  const selected = join([rawSql('page.*'), ...extraColumns], ', ')
  return sqlTag`select ${selected} from (${join(each, ' union all ')}) page order by ${by}`
}
