import type { FilterNode, Literal, NonLiteralOperand } from './ast'

/**
 * Maps a filter from its leaves up: `change` receives each filter after its inner filters have changed. Nodes without changes are returned
 * as they are, and a node that occurs twice stays one node. Rules of steps and paths are not mapped: they are separate filters.
 */
export function rewriteFilter(filter: FilterNode, change: (filter: FilterNode) => FilterNode): FilterNode {
  const changed = new Map<FilterNode, FilterNode>()
  const rewrite = (node: FilterNode): FilterNode => {
    const known = changed.get(node)
    if (known !== undefined) return known
    const rewritten = change(rewriteChildren(node, rewrite))
    changed.set(node, rewritten)
    return rewritten
  }
  return rewrite(filter)
}

type Rewrite = (filter: FilterNode) => FilterNode

function rewriteChildren(filter: FilterNode, rewrite: Rewrite): FilterNode {
  switch (filter.kind) {
    case 'comparison': {
      const left = rewriteOperand(filter.left, rewrite)
      const right = rewriteOperand(filter.right, rewrite)
      return left === filter.left && right === filter.right ? filter : { ...filter, left, right }
    }
    case 'equalsAny': {
      const left = rewriteOperand(filter.left, rewrite)
      return left === filter.left ? filter : { ...filter, left }
    }
    case 'logical': {
      const terms = filter.terms.map((term) => rewrite(term))
      return terms.every((term, index) => term === filter.terms[index]) ? filter : { ...filter, terms }
    }
    case 'not': {
      const term = rewrite(filter.term)
      return term === filter.term ? filter : { ...filter, term }
    }
    case 'has':
    case 'isType': {
      const inner = filter.filter && rewrite(filter.filter)
      return inner === filter.filter ? filter : { ...filter, filter: inner }
    }
    case 'constant':
    case 'isNull':
    case 'hasNone':
    case 'textMatch':
    case 'isExactly':
    // A call contains no filter.
    case 'functionCall':
      return filter
  }
}

function rewriteOperand<Node extends NonLiteralOperand | Literal>(operand: Node, rewrite: Rewrite): Node {
  if (operand.kind !== 'truth') return operand
  const filter = rewrite(operand.filter)
  return filter === operand.filter ? operand : { ...operand, filter }
}
