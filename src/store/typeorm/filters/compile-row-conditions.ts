import type { FilterNode } from '../../../query/tree/ast'
import { typesWhoseRowsCanMatch } from '../../../query/tree/possible-types'
import { type ListOrCountMode, liveRowConditions, liveRowOfTypeConditions, type SqlScope } from '../joins/scope'
import type { Sql } from '../sql/sql'
import { compileFilterSharingSubselects } from './compile-filter'

/** Compiles the conditions on the rows of a scope: its type, not deleted, and the filter. */
export function liveRowAndFilterConditions(
  filter: FilterNode | undefined,
  scope: SqlScope,
  use: ListOrCountMode = 'listed',
): readonly Sql[] {
  const types = typesWhoseRowsCanMatch(filter, scope.type.concreteTypes)
  return [...liveRowOfTypeConditions(scope, types, use), ...filterConditions(filter, scope)]
}

/** Compiles the conditions for a list without pages. Its reader leaves out rows of no type, and nothing counts them. */
export function compileConditionsOfUnpagedList(filter: FilterNode | undefined, scope: SqlScope): readonly Sql[] {
  const types = typesWhoseRowsCanMatch(filter, scope.type.concreteTypes)
  return [...liveRowConditions(scope, types), ...filterConditions(filter, scope)]
}

function filterConditions(filter: FilterNode | undefined, scope: SqlScope): readonly Sql[] {
  return filter === undefined ? [] : [compileFilterSharingSubselects(filter, scope)]
}
