import type { StoredType } from '../graph/model/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import {
  findRelatedRowsPageByRelationship,
  type ReadResult,
  type RelatedRowsPage,
  type ResourceRow,
} from '../store/read-result'

/** All resources of a compound document, each once. https://jsonapi.org/format/1.1/#document-compound-documents */
interface CompoundDocument {
  /** In the order of the rows; empty without includes. */
  readonly primary: readonly RowWithRelatedRows[]
  /** Depth first, in the order in which relationships are declared, without the primary data. */
  readonly included: readonly RowWithRelatedRows[]
}

/** A resource, with its related resources. */
export interface RowWithRelatedRows {
  readonly row: ResourceRow
  /** The related rows of each included relationship, merged from all occurrences of the resource in the document. */
  readonly related: readonly RelatedRowsPage[]
}

export const NO_RELATED_ROWS: readonly RelatedRowsPage[] = []
const NOTHING_INCLUDED: CompoundDocument = { primary: [], included: [] }

export function toCompoundDocumentRows({ layer }: ReadPlan, { rows }: ReadResult): CompoundDocument {
  if (layer.includes.length === 0) return NOTHING_INCLUDED
  const traversal: Traversal = { seen: new Map(), included: [], visited: new Set() }
  const primary = rows.map((row) => noteRow(row, traversal))
  for (const row of rows) visit(row, traversal)
  return { primary, included: traversal.included }
}

interface Traversal {
  /** All resources by id, with the related resources of their occurrences so far. */
  readonly seen: Map<StoredType, Map<string, MutableRowWithIncludes>>
  readonly included: MutableRowWithIncludes[]
  /** The rows whose includes are collected. A row can be related to several parent rows. */
  readonly visited: Set<ResourceRow>
}

interface MutableRowWithIncludes extends RowWithRelatedRows {
  related: readonly RelatedRowsPage[]
}

function visit(row: ResourceRow, traversal: Traversal): void {
  const existing = seenOf(row, traversal).get(row.id)
  const rowWithIncludes = existing ?? noteRow(row, traversal)
  if (existing === undefined) traversal.included.push(rowWithIncludes)
  // Most rows have no includes below them.
  if (row.related.length === 0 || traversal.visited.has(row)) return
  traversal.visited.add(row)
  rowWithIncludes.related = mergeRelated(rowWithIncludes.related, row.related)
  for (const relationship of row.type.relationships) {
    const related = findRelatedRowsPageByRelationship(row.related, relationship)
    if (related !== undefined) for (const each of related.rows) visit(each, traversal)
  }
}

function noteRow(row: ResourceRow, traversal: Traversal): MutableRowWithIncludes {
  const rowWithIncludes = { row, related: NO_RELATED_ROWS }
  seenOf(row, traversal).set(row.id, rowWithIncludes)
  return rowWithIncludes
}

function seenOf({ type }: ResourceRow, { seen }: Traversal): Map<string, MutableRowWithIncludes> {
  const existing = seen.get(type)
  if (existing !== undefined) return existing
  const ofType = new Map<string, MutableRowWithIncludes>()
  seen.set(type, ofType)
  return ofType
}

/** Adds the related rows of one occurrence. Most resources occur once. */
function mergeRelated(
  existing: readonly RelatedRowsPage[],
  more: readonly RelatedRowsPage[],
): readonly RelatedRowsPage[] {
  if (existing.length === 0) return more
  const merged = existing.map((each) => {
    const added = findRelatedRowsPageByRelationship(more, each.relationship)
    return added === undefined ? each : mergeRelatedRows(each, added)
  })
  return [
    ...merged,
    ...more.filter(({ relationship }) => findRelatedRowsPageByRelationship(existing, relationship) === undefined),
  ]
}

/** Merges two lists of related rows. Keeps the page information of a list with all members, if there is one. */
function mergeRelatedRows(existing: RelatedRowsPage, more: RelatedRowsPage): RelatedRowsPage {
  const ids = new Set(existing.rows.map(keyOf))
  const added = more.rows.filter((row) => !ids.has(keyOf(row)))
  const preferred =
    hasAllMembers(existing) || (!hasAllMembers(more) && hasMembersOutsidePage(existing)) ? existing : more
  return { ...preferred, rows: added.length === 0 ? existing.rows : [...existing.rows, ...added] }
}

/** Whether the page leaves out visible members, before or behind it. */
export function hasMembersOutsidePage({ hasMore, total, paging }: RelatedRowsPage): boolean {
  return hasMore || (paging?.range !== undefined && paging.range.offset.value > 0 && total !== 0)
}

function hasAllMembers(related: RelatedRowsPage): boolean {
  return !hasMembersOutsidePage(related) && related.paging?.filter === undefined
}

function keyOf({ type, id }: ResourceRow): string {
  return `${type.name} ${id}`
}
