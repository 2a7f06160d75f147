import type { Filter, Literal, Operand } from './ast'

/** Counts the functions and values of a filter: `and(has(children),equals(name,'Ada'))` -> 4 */
export function sizeOfFilter(node: Filter | Operand | Literal): number {
  switch (node.kind) {
    case 'attributePath':
      return 0
    case 'comparison':
      return 1 + sizeOfFilter(node.left) + sizeOfFilter(node.right)
    case 'isNull':
      return 1 + sizeOfFilter(node.left)
    case 'textMatch':
      return 2 + sizeOfFilter(node.left)
    case 'anyOf':
      return 1 + sizeOfFilter(node.left) + node.values.length
    case 'logical':
      return node.terms.reduce((sum, term) => sum + sizeOfFilter(term), 1)
    case 'functionCall':
      return node.arguments.reduce((sum, each) => sum + sizeOfFilter(each), 1)
    case 'not':
      return 1 + sizeOfFilter(node.term)
    case 'truth':
      return sizeOfFilter(node.filter)
    case 'has':
    case 'isType':
      return 1 + (node.filter === undefined ? 0 : sizeOfFilter(node.filter))
    case 'constant':
    case 'count':
    case 'hasNone':
    case 'isExactly':
    case 'literal':
      return 1
  }
}
