import type { Filter, Literal, Operand } from './ast'

/**
 * Maps a filter from its leaves up: `change` sees each filter with the filters within it already changed. Where nothing changes, the
 * very same nodes come back. Rules of hops and paths are not entered: they are filters of their own.
 */
export function rewriteFilter(filter: Filter, change: (filter: Filter) => Filter): Filter {
  return change(rewriteWithin(filter, change))
}

function rewriteWithin(filter: Filter, change: (filter: Filter) => Filter): Filter {
  switch (filter.kind) {
    case 'comparison': {
      const left = rewriteOperand(filter.left, change)
      const right = rewriteOperand(filter.right, change)
      return left === filter.left && right === filter.right ? filter : { ...filter, left, right }
    }
    case 'anyOf': {
      const left = rewriteOperand(filter.left, change)
      return left === filter.left ? filter : { ...filter, left }
    }
    case 'logical': {
      const terms = filter.terms.map((term) => rewriteFilter(term, change))
      return terms.every((term, index) => term === filter.terms[index]) ? filter : { ...filter, terms }
    }
    case 'not': {
      const term = rewriteFilter(filter.term, change)
      return term === filter.term ? filter : { ...filter, term }
    }
    case 'has':
    case 'isType': {
      const inner = filter.filter && rewriteFilter(filter.filter, change)
      return inner === filter.filter ? filter : { ...filter, filter: inner }
    }
    case 'constant':
    case 'isNull':
    case 'hasNone':
    case 'textMatch':
    case 'isExactly':
    // No filter stands within a call.
    case 'functionCall':
      return filter
  }
}

function rewriteOperand<Node extends Operand | Literal>(operand: Node, change: (filter: Filter) => Filter): Node {
  if (operand.kind !== 'truth') return operand
  const filter = rewriteFilter(operand.filter, change)
  return filter === operand.filter ? operand : { ...operand, filter }
}
