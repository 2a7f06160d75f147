import type { DataDocument, Links, MetaDocument } from '../document/document'
import type { JsonObject } from '../document/json'
import { type JsonText, toListText, toLongListText, toOneText } from '../document/json-text'
import type { Relationship, StoredType } from '../graph/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'
import { cursorLinks, cursorOf, pageMeta } from './cursor-pages'
import { collectCompound, type Linked, NOTHING_RELATED, type Related } from './included'
import { type LinkBase, type Requested, relatedLinks, selfLinks } from './links'
import { pageLinks } from './page-links'
import { toParameters } from './query-string'
import { exactTotal, totalMeta } from './totals'
import { type CursorAt, writeLinkage } from './write-linkage'
import { createResourceWriter, type WriteResource } from './write-resource'

/** What the client asked to be included: nothing, or so that `included` must be there even when it is empty. */
export type Inclusion = 'included' | 'notIncluded'

export interface Read {
  readonly plan: ReadPlan
  readonly result: ReadResult
  readonly inclusion: Inclusion
}

/** https://jsonapi.org/format/1.1/#fetching-resources */
export function toCollectionDocument(read: Read, requested: Requested): DataDocument {
  const { write, relatedAt, included } = openCompound(read, requested)
  const cursorAt = cursorsOf(read)
  return {
    links: collectionLinks(read, requested),
    data: toRowsText(read.result, (row, index) => write(row, relatedAt(index), cursorAt?.(index))),
    included: toIncluded(read, included, write),
    meta: metaOf(read),
  }
}

/** Pages that are cut by cursors are never that long. */
function toRowsText({ rows, windows }: ReadResult, write: (row: ResultRow, index: number) => string): JsonText {
  return windows === undefined ? toListText(rows, write) : toLongListText(windows, (row) => write(row, 0))
}

/** One resource, or `null` where a to-one relationship is empty. */
export function toResourceDocument(read: Read, requested: Requested): DataDocument {
  const { write, relatedAt, included } = openCompound(read, requested)
  const [row] = read.result.rows
  return {
    links: selfLinks(read.plan.layer.type, requested),
    data: toOneText(() => (row === undefined ? 'null' : write(row, relatedAt(0)))),
    included: toIncluded(read, included, write),
  }
}

/** The linkage of one relationship. https://jsonapi.org/format/1.1/#fetching-relationships */
export function toRelationshipDocument(read: Read, left: ReadLeft, requested: Requested): DataDocument {
  const { relationship } = left
  const { rows } = read.result
  const { write, relatedAt, included } = openCompound(read, requested)
  const primary = rows.map((row, index): Linked => ({ row, related: relatedAt(index) }))
  const links =
    relationship.kind === 'toMany' ? collectionLinks(read, requested) : selfLinks(read.plan.layer.type, requested)
  return {
    links: { ...links, ...topRelatedLinks(read, left, requested) },
    data: writeLinkage(relationship, rows, cursorsOf(read)),
    // The primary data are but identifiers: the related resources are included themselves.
    included: toIncluded(read, left.includesPrimary ? [...primary, ...included] : [], write),
    meta: metaOf(read),
  }
}

/** A document that has nothing to show but that it all went well. */
export const EMPTY_DOCUMENT: MetaDocument = { meta: {} }

export interface ReadLeft {
  readonly type: StoredType
  readonly id: string
  readonly relationship: Relationship
  readonly includesPrimary: boolean
}

interface OpenCompound {
  readonly write: WriteResource
  /** What is linked to a row of the primary data. */
  readonly relatedAt: (index: number) => Related
  readonly included: readonly Linked[]
}

function openCompound({ plan, result }: Read, { base }: LinkBase): OpenCompound {
  const { primary, included } = collectCompound(plan, result)
  // The profile demands links next to everything that has pages.
  const pageLinks = plan.layer.range?.kind === 'cursors' ? 'always' : 'asDeclared'
  const write = createResourceWriter(plan.shown, { base, pageLinks })
  return { included, write, relatedAt: (index) => primary[index]?.related ?? NOTHING_RELATED }
}

function toIncluded({ inclusion }: Read, linked: readonly Linked[], write: WriteResource): JsonText | undefined {
  if (inclusion !== 'included' && linked.length === 0) return undefined
  return toListText(linked, ({ row, related }) => write(row, related))
}

/** Where a list is cut by cursors each of its items has its own. */
function cursorsOf({ plan: { layer }, result }: Read): CursorAt | undefined {
  return layer.range?.kind === 'cursors' ? cursorOf({ range: layer.range, result }) : undefined
}

/** The type of the primary data decides about the links of the document. */
function topRelatedLinks({ plan }: Read, { type, id, relationship }: ReadLeft, requested: Requested): Links {
  return plan.layer.type.links.topLevel === 'on' ? relatedLinks(requested, type, id, relationship) : {}
}

function collectionLinks(read: Read, requested: Requested): Links {
  const { self } = selfLinks(read.plan.layer.type, requested)
  const others = otherPages(read, requested)
  return self === undefined ? others : { self, ...others }
}

/** Nothing where there are none to link to. */
function otherPages({ plan, result }: Read, requested: Requested): Links {
  const { range, type } = plan.layer
  if (requested.self === 'off') return {}
  const path = requested.base + requested.path
  const parameters = toParameters(requested.queryString)
  // The profile demands its links, whatever is switched off.
  if (range?.kind === 'cursors') return cursorLinks(path, parameters, { range, result })
  if (range === undefined || type.links.pages === 'off') return {}
  return pageLinks(path, parameters, { range, total: exactTotal(result.total), hasMore: result.hasMore })
}

function metaOf({ plan: { layer }, result }: Read): JsonObject | undefined {
  const page = layer.range?.kind === 'cursors' ? pageMeta({ range: layer.range, result }) : {}
  const meta = { ...totalMeta(result.total), ...page }
  return Object.keys(meta).length === 0 ? undefined : meta
}
