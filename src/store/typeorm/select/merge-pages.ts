import type { SqlScope } from '../joins/scope'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { orderByList, type SqlSortTerm } from './compile-sort'

/** A sorted and limited select of one table or of one segment of the list. */
export interface PartialPageSelect {
  /** Rows of a later segment come after all rows of an earlier one, whatever their values are. */
  readonly segment: number
  /** `extraColumns`: further columns to select. */
  readonly select: (extraColumns: readonly Sql[]) => Sql
}

interface PageParts {
  readonly subPages: readonly PartialPageSelect[]
  /** Columns after all others. */
  readonly extraColumns: readonly Sql[]
}

/** Merges sub-pages in one order. Each sub-page has a limit of its own, so that the database sorts few rows here. */
export function mergePages({ subPages, extraColumns }: PageParts, terms: readonly SqlSortTerm[], scope: SqlScope): Sql {
  const { dialect } = scope.mapping
  const sorted = terms.map(
    ({ expression, constraints, sortExpression = dialect.asSortColumn(expression, constraints) }, index) => {
      return sqlTag`${sortExpression} as ${rawSql(`s${index}`)}`
    },
  )
  const selects = subPages.map(({ select, segment }, index) => {
    const rows = select([...sorted, sqlTag`${rawSql(String(segment))} as stretch`])
    return sqlTag`select * from (${rows}) ${rawSql(`piece${index}`)}`
  })
  const hasSegments = subPages.some(({ segment }) => segment > 0)
  const order = terms.map(({ sortExpression: _, ...term }, index): SqlSortTerm => {
    return { ...term, expression: rawSql(`s${index}`), ...(hasSegments && index === 0 && { nulls: 'notNullable' }) }
  })
  const orderBy = hasSegments ? sqlTag`stretch, ${orderByList(order, scope)}` : orderByList(order, scope)
  const selected = joinSql([rawSql('page.*'), ...extraColumns], ', ')
  return sqlTag`select ${selected} from (${joinSql(selects, ' union all ')}) page order by ${orderBy}`
}
