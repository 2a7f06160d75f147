import type { SqlScope } from '../joins/scope'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileOrderByTerms, type SqlSortTerm } from './compile-sort'

/** A sorted and limited select of one table or of one segment of the list. */
export interface PageUnionBranch {
  /** Rows of a later segment come after all rows of an earlier one, whatever their values are. */
  readonly segment: number
  /** Compiles the select without its order. `extraColumns`: further columns to select. */
  readonly select: (extraColumns: readonly Sql[]) => Sql
  readonly orderAndLimit: Sql
}

interface PageParts {
  readonly subPages: readonly PageUnionBranch[]
  /** Columns after all others. */
  readonly extraColumns: readonly Sql[]
  /** The clause that limits the merged rows. */
  readonly limit: Sql
}

/** Merges sub-pages in one order. */
export function compileMergedSubPages(
  { subPages, extraColumns, limit }: PageParts,
  terms: readonly SqlSortTerm[],
  scope: SqlScope,
): Sql {
  const { dialect } = scope.mapping
  const sorted = terms.map(
    ({ expression, constraints, sortExpression = dialect.asSortColumn(expression, constraints) }, index) => {
      return sqlTag`${sortExpression} as ${rawSql(`s${index}`)}`
    },
  )
  const hasSegments = subPages.some(({ segment }) => segment > 0)
  const order = terms.map(({ sortExpression: _, ...term }, index): SqlSortTerm => {
    return { ...term, expression: rawSql(`s${index}`), ...(hasSegments && index === 0 && { nulls: 'notNullable' }) }
  })
  const orderBy = sqlTag` order by ${compileOrderByTerms(order, scope)}`
  if (dialect.mergesSortedSelects && !hasSegments) {
    const selects = subPages.map(({ select }) => select(sorted))
    const merged = sqlTag`${joinSql(selects, ' union all ')}${orderBy}${limit}`
    return extraColumns.length === 0 ? merged : sqlTag`${selectPage(merged, extraColumns)}${orderBy}`
  }
  // Each has a limit of its own, so that the database sorts few rows here.
  const selects = subPages.map(({ select, segment, orderAndLimit }, index) => {
    const rows = sqlTag`${select([...sorted, sqlTag`${rawSql(String(segment))} as stretch`])}${orderAndLimit}`
    return sqlTag`select * from (${rows}) ${rawSql(`piece${index}`)}`
  })
  const page = selectPage(joinSql(selects, ' union all '), extraColumns)
  const stretches = hasSegments ? sqlTag` order by stretch, ${compileOrderByTerms(order, scope)}` : orderBy
  return sqlTag`${page}${stretches}${limit}`
}

function selectPage(rows: Sql, extraColumns: readonly Sql[]): Sql {
  return sqlTag`select ${joinSql([rawSql('page.*'), ...extraColumns], ', ')} from (${rows}) page`
}
