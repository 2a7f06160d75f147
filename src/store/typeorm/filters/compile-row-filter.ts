import type { FilterNode } from '../../../query/tree/ast'
import { possibleTypesOf } from '../../../query/tree/possible-types'
import { liveRowOfTypeConditions, type SqlScope } from '../joins/scope'
import type { Sql } from '../sql/sql'
import { compileFilterWithSharing } from './compile-filter'

/** Compiles the conditions on the rows of a scope: its type, not deleted, and the filter. */
export function compileRowFilter(filter: FilterNode | undefined, scope: SqlScope): readonly Sql[] {
  const types = possibleTypesOf(filter, scope.type.concreteTypes)
  return [
    ...liveRowOfTypeConditions(scope, types),
    ...(filter === undefined ? [] : [compileFilterWithSharing(filter, scope)]),
  ]
}
