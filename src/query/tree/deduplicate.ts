import type { ResourceType } from '../../graph/model/resource-graph'
import type { Filter, Has, Logical, RelationshipStep, SortKey } from './ast'
import { printFilter, printSort } from './print'
import { rewriteFilter } from './rewrite'

/**
 * Removes repeated terms from a filter. Equal `has` become the same node, which a statement evaluates
 * once.
 *
 * `or(has(tags),has(tags),equals(title,'Ada'))` -> `or(has(tags),equals(title,'Ada'))`
 */
export function deduplicateFilter(filter: Filter): Filter {
  const known = new Map<string, Has>()
  return rewriteFilter(filter, (node) => {
    switch (node.kind) {
      case 'logical':
        return withoutEqualTerms(node)
      case 'has':
        return sameNode(node, known)
      default:
        return node
    }
  })
}

/** Removes sort keys whose value an earlier key sorts by. The last key stays: its direction decides ties. */
export function deduplicateSort(keys: readonly SortKey[], type: ResourceType): readonly SortKey[] {
  const first = firstOfEach(keys, ({ by }) => printSort([{ direction: 'ascending', by }], type))
  return keys.filter((key, index) => first.includes(key) || index === keys.length - 1)
}

function withoutEqualTerms(node: Logical): Filter {
  const terms = firstOfEach(node.terms, printFilter)
  const [only, ...others] = terms
  if (only !== undefined && others.length === 0) return only
  return terms === node.terms ? node : { ...node, terms }
}

function sameNode(node: Has, known: Map<string, Has>): Has {
  const names = [...node.path.steps, node.path].map(nameOfStep)
  const key = `${names.join('.')} ${node.filter === undefined ? '' : printFilter(node.filter)}`
  const same = known.get(key) ?? node
  known.set(key, same)
  return same
}

/** Identifies a step in any scope; a printed name alone may be ambiguous. */
function nameOfStep({ type, relationship }: Pick<RelationshipStep | Has['path'], 'type' | 'relationship'>): string {
  return `${type.name}:${relationship.declaringType.name}:${relationship.name}`
}

/** Keeps the first item of each key. Returns the same list if all keys differ. */
function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!byKey.has(key)) byKey.set(key, item)
  }
  return byKey.size === items.length ? items : [...byKey.values()]
}
