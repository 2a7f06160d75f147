import type { ResourceType } from '../../graph/model/resource-graph'
import type { Filter, Has, Logical, RelationshipStep, SortKey } from './ast'
import { printFilter, printSort } from './print'
import { rewriteFilter } from './rewrite'

/**
 * The same filter without terms that stand in it twice. Equal `has` become the same node: a statement looks up once what is the
 * same node.
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

/** The keys without those that come after another one by the same value. The last one stays: ties are resolved in its direction. */
export function deduplicateSort(keys: readonly SortKey[], type: ResourceType): readonly SortKey[] {
  const first = firstOfEach(keys, ({ by }) => printSort([{ direction: 'ascending', by }], type))
  return keys.filter((key, place) => first.includes(key) || place === keys.length - 1)
}

function withoutEqualTerms(node: Logical): Filter {
  const terms = firstOfEach(node.terms, printFilter)
  const [only, ...others] = terms
  if (only !== undefined && others.length === 0) return only
  return terms === node.terms ? node : { ...node, terms }
}

function sameNode(node: Has, known: Map<string, Has>): Has {
  const { steps: hops, type, relationship } = node.path
  const steps = [...hops, { type, relationship }].map(nameOfStep)
  const key = `${steps.join('.')} ${node.filter === undefined ? '' : printFilter(node.filter)}`
  const same = known.get(key) ?? node
  known.set(key, same)
  return same
}

/** Unmistakable whatever the scope, where the printed name is not. */
function nameOfStep({ type, relationship }: Pick<RelationshipStep | Has['path'], 'type' | 'relationship'>): string {
  return `${type.name}:${relationship.declaringType.name}:${relationship.name}`
}

/** The very same list where no two have the same key. */
function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!byKey.has(key)) byKey.set(key, item)
  }
  return byKey.size === items.length ? items : [...byKey.values()]
}
