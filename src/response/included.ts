import type { Relationship, StoredType } from '../graph/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
export interface Compound {
  /** In the order of the rows; of none where nothing is included. */
  readonly primary: readonly Linked[]
  /** Depth first, relationships in the order of their declaration; without those of the primary data. */
  readonly included: readonly Linked[]
}

/** A resource, with all that is linked to it. */
export interface Linked {
  readonly row: ResultRow
  readonly related: Related
}

/** The rows that are linked, of all places where a resource occurs in the document, by the relationships that were included. */
export type Related = ReadonlyMap<Relationship, readonly ResultRow[]>

export const NOTHING_RELATED: Related = new Map()
const NOTHING_INCLUDED: Compound = { primary: [], included: [] }

export function collectCompound({ layer }: ReadPlan, { rows }: ReadResult): Compound {
  if (layer.includes.length === 0) return NOTHING_INCLUDED
  const walk: Walk = { seen: new Map(), included: [], visited: new Set() }
  const primary = rows.map((row) => note(row, walk))
  for (const row of rows) visit(row, walk)
  return { primary, included: walk.included }
}

interface Walk {
  /** All resources by their ids, with what is linked at the places that were visited. */
  readonly seen: Map<StoredType, Map<string, Linking>>
  readonly included: Linking[]
  /** Many rows above may share one. */
  readonly visited: Set<ResultRow>
}

interface Linking extends Linked {
  related: Related
}

function visit(row: ResultRow, walk: Walk): void {
  const known = seenOf(row, walk).get(row.id)
  const linking = known ?? note(row, walk)
  if (known === undefined) walk.included.push(linking)
  // Most rows are the last of their path.
  if (row.related.size === 0 || walk.visited.has(row)) return
  walk.visited.add(row)
  for (const relationship of row.type.relationships) {
    const rows = row.related.get(relationship)
    if (rows === undefined) continue
    linking.related = unite(linking.related, relationship, row.related)
    for (const each of rows) visit(each, walk)
  }
}

function note(row: ResultRow, walk: Walk): Linking {
  const linking = { row, related: NOTHING_RELATED }
  seenOf(row, walk).set(row.id, linking)
  return linking
}

function seenOf({ type }: ResultRow, { seen }: Walk): Map<string, Linking> {
  const known = seen.get(type)
  if (known !== undefined) return known
  const ofType = new Map<string, Linking>()
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
