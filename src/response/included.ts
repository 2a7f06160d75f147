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
  for (const row of rows) seenOf(row, walk).set(row.id, NOTHING_RELATED)
  for (const row of rows) visit(row, walk)
  return { included: walk.included, relatedOf: (row) => walk.seen.get(row.type)?.get(row.id) }
}

const NOTHING_INCLUDED: Compound = { included: [], relatedOf: () => undefined }
const NOTHING_RELATED: Related = new Map()

interface Walk {
  /** All resources by their ids: what is linked at the places that were visited. */
  readonly seen: Map<StoredType, Map<string, Related>>
  readonly included: ResultRow[]
  /** Many rows above may share one. */
  readonly visited: Set<ResultRow>
}

function visit(row: ResultRow, walk: Walk): void {
  const seen = seenOf(row, walk)
  if (!seen.has(row.id)) {
    seen.set(row.id, NOTHING_RELATED)
    walk.included.push(row)
  }
  // Most rows are the last of their path.
  if (row.related.size === 0 || walk.visited.has(row)) return
  walk.visited.add(row)
  for (const relationship of row.type.relationships) {
    const rows = row.related.get(relationship)
    if (rows === undefined) continue
    seen.set(row.id, unite(seen.get(row.id) ?? NOTHING_RELATED, relationship, row.related))
    for (const each of rows) visit(each, walk)
  }
}

function seenOf({ type }: ResultRow, { seen }: Walk): Map<string, Related> {
  const known = seen.get(type)
  if (known !== undefined) return known
  const ofType = new Map<string, Related>()
  seen.set(type, ofType)
  return ofType
}

/** What is linked here by one relationship, behind what was linked before. Most resources stand at one place, and have one such relationship. */
function unite(known: Related, relationship: Relationship, here: Related): Related {
  if (known.size === 0 && here.size === 1) return here
  return new Map(known).set(relationship, union(known.get(relationship), here.get(relationship) ?? []))
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
