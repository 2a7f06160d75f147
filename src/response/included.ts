import type { Relationship, StoredType } from '../graph/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
export interface Compound {
  /** Depth first, relationships in the order of their declaration; without those of the primary data. */
  readonly included: readonly ResultRow[]
  readonly relatedOf: (row: ResultRow) => Related | undefined
}

/** The rows that are linked, of all places where a resource occurs in the document, by the relationships that were included. */
export type Related = ReadonlyMap<Relationship, readonly ResultRow[]>

export function collectCompound({ layer }: ReadPlan, { rows }: ReadResult): Compound {
  if (layer.includes.length === 0) return NOTHING_INCLUDED
  const walk: Walk = { seen: new Map(), included: [], visited: new Set() }
  for (const row of rows) note(row, walk)
  for (const row of rows) visit(row, walk)
  return { included: walk.included, relatedOf: (row) => walk.seen.get(row.type)?.get(row.id) }
}

const NOTHING_INCLUDED: Compound = { included: [], relatedOf: () => undefined }

interface Walk {
  readonly seen: Map<StoredType, Map<string, Occurrences>>
  readonly included: ResultRow[]
  /** Many rows above may share one. */
  readonly visited: Set<ResultRow>
}

type Occurrences = Map<Relationship, readonly ResultRow[]>

function visit(row: ResultRow, walk: Walk): void {
  if (walk.visited.has(row)) return
  walk.visited.add(row)
  const known = walk.seen.get(row.type)?.get(row.id)
  if (known === undefined) walk.included.push(row)
  const occurrences = known ?? note(row, walk)
  if (row.related.size === 0) return
  for (const relationship of row.type.relationships) {
    const rows = row.related.get(relationship)
    if (rows === undefined) continue
    occurrences.set(relationship, union(occurrences.get(relationship), rows))
    for (const each of rows) visit(each, walk)
  }
}

function note({ type, id }: ResultRow, { seen }: Walk): Occurrences {
  const occurrences: Occurrences = new Map()
  const ofType = seen.get(type)
  if (ofType === undefined) seen.set(type, new Map([[id, occurrences]]))
  else ofType.set(id, occurrences)
  return occurrences
}

function union(known: readonly ResultRow[] | undefined, more: readonly ResultRow[]): readonly ResultRow[] {
  if (known === undefined || known.length === 0) return more
  const ids = new Set(known.map(keyOf))
  const added = more.filter((row) => !ids.has(keyOf(row)))
  return added.length === 0 ? known : [...known, ...added]
}

function keyOf({ type, id }: ResultRow): string {
  return `${type.name} ${id}`
}
