import type { OffsetRange, PlanLayer } from '../../../plan/read-plan'
import { keyColumnsEqual } from '../joins/key-conditions'
import { compileFromItem, innerScope, keyColumns, type SqlScope, whereClause } from '../joins/scope'
import type { CreateFromItem } from '../mapping/mapping'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileSortKeys, orderByList } from './compile-sort'
import { termsInReadOrder } from './page-position'
import type { SelectedColumns } from './select-columns'

/** A page of the rows of one table. */
interface TablePage {
  readonly layer: PlanLayer
  readonly range: OffsetRange
  readonly columns: SelectedColumns
  readonly scope: SqlScope
  readonly fromItem: CreateFromItem
  readonly conditionsIn: (scope: SqlScope) => readonly Sql[]
  readonly limit: Sql
}

/**
 * Finds the keys of a page first and reads only its rows: skipped rows are not read if an index has all sort columns, and are short if they must be
 * sorted. `undefined`: the order needs joins.
 */
export function selectDeferredJoin({ layer, range, scope, fromItem, ...page }: TablePage): Sql | undefined {
  const inner: SqlScope = { ...innerScope(scope, layer.type), depth: scope.depth, runsOnce: scope.runsOnce }
  const terms = termsInReadOrder(range, compileSortKeys(layer.sort, inner))
  if (terms.some(({ kind }) => kind !== 'ownColumn')) return undefined
  const where = whereClause(page.conditionsIn(inner))
  const keys = keyColumns(inner)
  const names = keys.map((_, place) => rawSql(`key${place}`))
  const selected = keys.map((key, place) => sqlTag`${key} as ${names[place] ?? key}`)
  const found = sqlTag`select ${join(selected, ', ')} from ${compileFromItem(inner, fromItem)}${where}`
  const sorted = sqlTag`${found} order by ${orderByList(terms, inner)}${page.limit}`
  const order = orderByList(termsInReadOrder(range, compileSortKeys(layer.sort, scope)), scope)
  const isFound = keyColumnsEqual(
    keyColumns(scope),
    names.map((name) => sqlTag`page.${name}`),
  )
  // SQLite takes the tables of a `cross join` in the order in which they stand.
  const from = sqlTag`(${sorted}) page cross join ${compileFromItem(scope, fromItem)}`
  return sqlTag`select ${page.columns.sql} from ${from} where ${isFound} order by ${order}`
}
