import type { Relationship, StoredType } from '../graph/model/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, RelatedRows, ResourceRow } from '../store/read-result'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
interface CompoundDocument {
  /** In the order of the rows; empty without includes. */
  readonly primary: readonly RowWithIncludes[]
  /** Depth first, in the order in which relationships are declared, without the primary data. */
  readonly included: readonly RowWithIncludes[]
}

/** A resource, with its related resources. */
export interface RowWithIncludes {
  readonly row: ResourceRow
  readonly related: RelatedByRelationship
}

/** The related rows by included relationship, joined from all places where the resource occurs in the document. */
export type RelatedByRelationship = ReadonlyMap<Relationship, RelatedRows>

export const NO_RELATED_ROWS: RelatedByRelationship = new Map()
const NOTHING_INCLUDED: CompoundDocument = { primary: [], included: [] }

export function collectCompoundDocument({ layer }: ReadPlan, { rows }: ReadResult): CompoundDocument {
  if (layer.includes.length === 0) return NOTHING_INCLUDED
  const traversal: Traversal = { seen: new Map(), included: [], visited: new Set() }
  const primary = rows.map((row) => noteRow(row, traversal))
  for (const row of rows) visit(row, traversal)
  return { primary, included: traversal.included }
}

interface Traversal {
  /** All resources by id, with their related resources at the places visited so far. */
  readonly seen: Map<StoredType, Map<string, MutableRowWithIncludes>>
  readonly included: MutableRowWithIncludes[]
  /** Rows may be related to several rows above. */
  readonly visited: Set<ResourceRow>
}

interface MutableRowWithIncludes extends RowWithIncludes {
  related: RelatedByRelationship
}

function visit(row: ResourceRow, traversal: Traversal): void {
  const existing = seenOf(row, traversal).get(row.id)
  const linking = existing ?? noteRow(row, traversal)
  if (existing === undefined) traversal.included.push(linking)
  // Most rows have no includes below them.
  if (row.related.size === 0 || traversal.visited.has(row)) return
  traversal.visited.add(row)
  for (const relationship of row.type.relationships) {
    const here = row.related.get(relationship)
    if (here === undefined) continue
    linking.related = mergeRelated(linking.related, relationship, here, row.related)
    for (const each of here.rows) visit(each, traversal)
  }
}

function noteRow(row: ResourceRow, traversal: Traversal): MutableRowWithIncludes {
  const linking = { row, related: NO_RELATED_ROWS }
  seenOf(row, traversal).set(row.id, linking)
  return linking
}

function seenOf({ type }: ResourceRow, { seen }: Traversal): Map<string, MutableRowWithIncludes> {
  const existing = seen.get(type)
  if (existing !== undefined) return existing
  const ofType = new Map<string, MutableRowWithIncludes>()
  seen.set(type, ofType)
  return ofType
}

/** Adds the rows of one place. Most resources occur at one place, and have one included relationship. */
function mergeRelated(
  existing: RelatedByRelationship,
  relationship: Relationship,
  here: RelatedRows,
  all: RelatedByRelationship,
): RelatedByRelationship {
  if (existing.size === 0 && all.size === 1) return all
  const before = existing.get(relationship)
  return new Map(existing).set(relationship, before === undefined ? here : union(before, here))
}

/** Prefers the page information of a place that has all members. */
function union(existing: RelatedRows, more: RelatedRows): RelatedRows {
  const ids = new Set(existing.rows.map(keyOf))
  const added = more.rows.filter((row) => !ids.has(keyOf(row)))
  const better = hasAllMembers(existing) || (!hasAllMembers(more) && isPartialPage(existing)) ? existing : more
  return { ...better, rows: added.length === 0 ? existing.rows : [...existing.rows, ...added] }
}

/** Whether the page leaves out visible members, before or behind it. */
export function isPartialPage({ hasMore, total, pages }: RelatedRows): boolean {
  return hasMore || (pages?.range !== undefined && pages.range.offset.value > 0 && total !== 0)
}

function hasAllMembers(related: RelatedRows): boolean {
  return !isPartialPage(related) && related.pages?.filter === undefined
}

function keyOf({ type, id }: ResourceRow): string {
  return `${type.name} ${id}`
}
