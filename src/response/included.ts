import type { Relationship, StoredType } from '../graph/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, RelatedRows, ResultRow } from '../store/read-result'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
export interface CompoundDocument {
  /** In the order of the rows; of none where nothing is included. */
  readonly primary: readonly RowWithIncludes[]
  /** Depth first, relationships in the order of their declaration; without those of the primary data. */
  readonly included: readonly RowWithIncludes[]
}

/** A resource, with all that is linked to it. */
export interface RowWithIncludes {
  readonly row: ResultRow
  readonly related: Related
}

/** The rows that are linked, of all places where a resource occurs in the document, by the relationships that were included. */
export type Related = ReadonlyMap<Relationship, RelatedRows>

export const NOTHING_RELATED: Related = new Map()
const NOTHING_INCLUDED: CompoundDocument = { primary: [], included: [] }

export function collectCompound({ layer }: ReadPlan, { rows }: ReadResult): CompoundDocument {
  if (layer.includes.length === 0) return NOTHING_INCLUDED
  const traversal: Traversal = { seen: new Map(), included: [], visited: new Set() }
  const primary = rows.map((row) => noteRow(row, traversal))
  for (const row of rows) visit(row, traversal)
  return { primary, included: traversal.included }
}

interface Traversal {
  /** All resources by their ids, with what is linked at the places that were visited. */
  readonly seen: Map<StoredType, Map<string, MutableRowWithIncludes>>
  readonly included: MutableRowWithIncludes[]
  /** Many rows above may share one. */
  readonly visited: Set<ResultRow>
}

interface MutableRowWithIncludes extends RowWithIncludes {
  related: Related
}

function visit(row: ResultRow, traversal: Traversal): void {
  const known = seenOf(row, traversal).get(row.id)
  const linking = known ?? noteRow(row, traversal)
  if (known === undefined) traversal.included.push(linking)
  // Most rows are the last of their path.
  if (row.related.size === 0 || traversal.visited.has(row)) return
  traversal.visited.add(row)
  for (const relationship of row.type.relationships) {
    const here = row.related.get(relationship)
    if (here === undefined) continue
    linking.related = mergeRelated(linking.related, relationship, here, row.related)
    for (const each of here.rows) visit(each, traversal)
  }
}

function noteRow(row: ResultRow, traversal: Traversal): MutableRowWithIncludes {
  const linking = { row, related: NOTHING_RELATED }
  seenOf(row, traversal).set(row.id, linking)
  return linking
}

function seenOf({ type }: ResultRow, { seen }: Traversal): Map<string, MutableRowWithIncludes> {
  const known = seen.get(type)
  if (known !== undefined) return known
  const ofType = new Map<string, MutableRowWithIncludes>()
  seen.set(type, ofType)
  return ofType
}

/** What is linked here by one relationship, behind what was linked before. Most resources stand at one place, and have one such relationship. */
function mergeRelated(known: Related, relationship: Relationship, here: RelatedRows, all: Related): Related {
  if (known.size === 0 && all.size === 1) return all
  const before = known.get(relationship)
  return new Map(known).set(relationship, before === undefined ? here : union(before, here))
}

/** What is said of pages is that of the place that has all members, if there is one. */
function union(known: RelatedRows, more: RelatedRows): RelatedRows {
  const ids = new Set(known.rows.map(keyOf))
  const added = more.rows.filter((row) => !ids.has(keyOf(row)))
  const said = hasAllMembers(known) || (!hasAllMembers(more) && lacksMembers(known)) ? known : more
  return { ...said, rows: added.length === 0 ? known.rows : [...known.rows, ...added] }
}

/** Whether the page leaves out members that the client may see: those before it count as well. */
export function lacksMembers({ hasMore, total, pages }: RelatedRows): boolean {
  return hasMore || (pages?.range !== undefined && pages.range.offset.value > 0 && total !== 0)
}

function hasAllMembers(related: RelatedRows): boolean {
  return !lacksMembers(related) && related.pages?.filter === undefined
}

function keyOf({ type, id }: ResultRow): string {
  return `${type.name} ${id}`
}
