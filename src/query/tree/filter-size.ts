import type { Argument, Filter, Operand } from './ast'

/** Counts the functions and values of a filter: `and(has(children),equals(name,'Ada'))` -> 4 */
export function sizeOfFilter(filter: Filter): number {
  switch (filter.kind) {
    case 'comparison':
      return 1 + sizeOf(filter.left) + (filter.right.kind === 'literal' ? 1 : sizeOf(filter.right))
    case 'isNull':
      return 1 + sizeOf(filter.left)
    case 'textMatch':
      return 2 + sizeOf(filter.left)
    case 'anyOf':
      return 1 + sizeOf(filter.left) + filter.values.length
    case 'logical':
      return filter.terms.reduce((sum, term) => sum + sizeOfFilter(term), 1)
    case 'not':
      return 1 + sizeOfFilter(filter.term)
    case 'has':
    case 'isType':
      return 1 + (filter.filter === undefined ? 0 : sizeOfFilter(filter.filter))
    case 'functionCall':
      return sizeOf(filter)
    case 'constant':
    case 'hasNone':
    case 'isExactly':
      return 1
  }
}

function sizeOf(value: Argument | Operand): number {
  switch (value.kind) {
    case 'attributePath':
      return 0
    case 'literal':
    case 'count':
      return 1
    case 'truth':
      return sizeOfFilter(value.filter)
    case 'functionCall':
      return value.arguments.reduce((sum, each) => sum + sizeOf(each), 1)
  }
}
