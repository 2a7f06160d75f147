import type { Relationship } from '../graph/resource-graph'
import type { ResultRow } from '../store/read-result'
import type { LinkageOf } from './resource-objects'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
export interface Compound {
  /** Depth first, relationships in the order of their declaration; without those of the primary data. */
  readonly included: readonly ResultRow[]
  /** Of all the places where a resource occurs together. */
  readonly linkageOf: LinkageOf
}

export function collectCompound(primary: readonly ResultRow[]): Compound {
  const seen = new Map<string, Occurrences>()
  const included: ResultRow[] = []
  for (const row of primary) seen.set(keyOf(row), { related: new Map() })
  const visited = new Set<ResultRow>()
  for (const row of primary) visit(row, { seen, included, visited })
  return { included, linkageOf: (row, relationship) => seen.get(keyOf(row))?.related.get(relationship) }
}

interface Occurrences {
  readonly related: Map<Relationship, readonly ResultRow[]>
}

interface Visit {
  readonly seen: Map<string, Occurrences>
  readonly included: ResultRow[]
  /** Many rows above may share one. */
  readonly visited: Set<ResultRow>
}

function visit(row: ResultRow, walk: Visit): void {
  const { seen, included, visited } = walk
  if (visited.has(row)) return
  visited.add(row)
  const known = seen.get(keyOf(row))
  const occurrences = known ?? { related: new Map() }
  if (known === undefined) {
    seen.set(keyOf(row), occurrences)
    included.push(row)
  }
  for (const relationship of row.type.relationships) {
    const rows = row.related.get(relationship)
    if (rows === undefined) continue
    occurrences.related.set(relationship, union(occurrences.related.get(relationship), rows))
    for (const each of rows) visit(each, walk)
  }
}

function union(known: readonly ResultRow[] | undefined, more: readonly ResultRow[]): readonly ResultRow[] {
  if (known === undefined || known.length === 0) return more
  const keys = new Set(known.map(keyOf))
  const added = more.filter((row) => !keys.has(keyOf(row)))
  return added.length === 0 ? known : [...known, ...added]
}

function keyOf({ type, id }: ResultRow): string {
  return `${type.name} ${id}`
}
