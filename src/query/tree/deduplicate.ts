import type { ResourceType } from '../../graph/model/resource-graph'
import type { FilterNode, HasNode, LogicalNode, SortKeyNode, ToOneStep } from './ast'
import { printFilter, printSort } from './print'
import { rewriteFilter } from './rewrite'

/**
 * Removes repeated terms from a filter. Equal `has` terms become one node, so that a statement evaluates it once.
 *
 * `or(has(tags),has(tags),equals(title,'Ada'))` -> `or(has(tags),equals(title,'Ada'))`
 */
export function deduplicateFilter(filter: FilterNode): FilterNode {
  const known = new Map<string, HasNode>()
  return rewriteFilter(filter, (node) => {
    switch (node.kind) {
      case 'logical':
        return withoutEqualTerms(node)
      case 'has':
        return reuseEqualNode(node, known)
      default:
        return node
    }
  })
}

/**
 * Removes sort keys whose value an earlier key already sorts by. The last key stays, because with cursors the id that the plan adds takes
 * its direction.
 */
export function deduplicateSort(keys: readonly SortKeyNode[], type: ResourceType): readonly SortKeyNode[] {
  const first = firstByKey(keys, ({ by }) => printSort([{ direction: 'ascending', by }], type))
  return keys.filter((key, index) => first.includes(key) || index === keys.length - 1)
}

function withoutEqualTerms(node: LogicalNode): FilterNode {
  const terms = firstByKey(node.terms, printFilter)
  const [only, ...others] = terms
  if (only !== undefined && others.length === 0) return only
  return terms === node.terms ? node : { ...node, terms }
}

function reuseEqualNode(node: HasNode, known: Map<string, HasNode>): HasNode {
  const names = [...node.path.steps, node.path].map(nameOfStep)
  const key = `${names.join('.')} ${node.filter === undefined ? '' : printFilter(node.filter)}`
  const equalNode = known.get(key) ?? node
  known.set(key, equalNode)
  return equalNode
}

/** Identifies a step in any scope; a printed name alone may be ambiguous. */
function nameOfStep({ type, relationship }: Pick<ToOneStep | HasNode['path'], 'type' | 'relationship'>): string {
  return `${type.name}:${relationship.declaringType.name}:${relationship.name}`
}

/** Returns the first item of each key. Returns the same array if all keys differ. */
function firstByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!byKey.has(key)) byKey.set(key, item)
  }
  return byKey.size === items.length ? items : [...byKey.values()]
}
