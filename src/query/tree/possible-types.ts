import { isSameOrDerivedType } from '../../graph/model/inheritance'
import type { StoredType } from '../../graph/model/resource-graph'
import type { FilterNode } from './ast'

/** Returns the stored types, of the given ones, of which a row can pass a filter. Rows of the others never do. */
export function typesWhoseRowsCanMatch(
  filter: FilterNode | undefined,
  types: readonly StoredType[],
): readonly StoredType[] {
  switch (filter?.kind) {
    case 'isType': {
      if (filter.path.length > 0) return types
      const ofType = types.filter((type) => isSameOrDerivedType(type, filter.type))
      return typesWhoseRowsCanMatch(filter.filter, ofType)
    }
    case 'isExactly':
      return types.filter((type) => filter.types.includes(type))
    case 'logical': {
      if (filter.operator === 'and')
        return filter.terms.reduce((left, term) => typesWhoseRowsCanMatch(term, left), types)
      const possible = new Set(filter.terms.flatMap((term) => typesWhoseRowsCanMatch(term, types)))
      return types.filter((type) => possible.has(type))
    }
    case 'not': {
      if (!testsOnlyType(filter.term)) return types
      const excluded = typesWhoseRowsCanMatch(filter.term, types)
      return types.filter((type) => !excluded.includes(type))
    }
    default:
      return types
  }
}

/** Returns true if all rows of a type pass the filter, or none. */
function testsOnlyType(filter: FilterNode): boolean {
  return (
    filter.kind === 'isExactly' || (filter.kind === 'isType' && filter.path.length === 0 && filter.filter === undefined)
  )
}
