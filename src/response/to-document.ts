import type { DataDocument, Links, MetaDocument } from '../document/document'
import type { JsonObject } from '../document/json'
import { type JsonText, toListText, toLongListText, toOneText } from '../document/json-text'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'
import { cursorLinks, cursorOf, pageMeta } from './cursor-pages'
import { collectCompound, NOTHING_RELATED, type Related, type RowWithIncludes } from './included'
import { type LinkBase, type RequestUrl, relatedLinks, selfLinks } from './links'
import { pageLinks } from './page-links'
import { toParameters } from './query-string'
import { type CursorAt, serializeLinkage } from './serialize-linkage'
import { createResourceSerializer, type SerializeResource } from './serialize-resource'
import { exactTotal, totalMeta } from './totals'

/** What the client asked to be included: nothing, or so that `included` must be there even when it is empty. */
export type Inclusion = 'included' | 'notIncluded'

export interface CompletedRead {
  readonly plan: ReadPlan
  readonly result: ReadResult
  readonly inclusion: Inclusion
}

/** https://jsonapi.org/format/1.1/#fetching-resources */
export function toCollectionDocument(read: CompletedRead, requestUrl: RequestUrl): DataDocument {
  const { write, relatedAt, included } = openCompound(read, requestUrl)
  const cursorAt = cursorsOf(read)
  return {
    links: collectionLinks(read, requestUrl),
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
export function toResourceDocument(read: CompletedRead, requestUrl: RequestUrl): DataDocument {
  const { write, relatedAt, included } = openCompound(read, requestUrl)
  const [row] = read.result.rows
  return {
    links: selfLinks(read.plan.layer.type, requestUrl),
    data: toOneText(() => (row === undefined ? 'null' : write(row, relatedAt(0)))),
    included: toIncluded(read, included, write),
  }
}

/** The linkage of one relationship. https://jsonapi.org/format/1.1/#fetching-relationships */
export function toRelationshipDocument(read: CompletedRead, left: LinkageSource, requestUrl: RequestUrl): DataDocument {
  const { relationship } = left
  const { rows } = read.result
  const { write, relatedAt, included } = openCompound(read, requestUrl)
  const primary = rows.map((row, index): RowWithIncludes => ({ row, related: relatedAt(index) }))
  const links =
    relationship.kind === 'toMany' ? collectionLinks(read, requestUrl) : selfLinks(read.plan.layer.type, requestUrl)
  return {
    links: { ...links, ...topRelatedLinks(read, left, requestUrl) },
    data: serializeLinkage(relationship, rows, cursorsOf(read)),
    // The primary data are but identifiers: the related resources are included themselves.
    included: toIncluded(read, left.includesPrimary ? [...primary, ...included] : [], write),
    meta: metaOf(read),
  }
}

/** A document that has nothing to show but that it all went well. */
export const EMPTY_DOCUMENT: MetaDocument = { meta: {} }

export interface LinkageSource {
  readonly type: StoredType
  readonly id: string
  readonly relationship: Relationship
  readonly includesPrimary: boolean
}

interface CompoundContext {
  readonly write: SerializeResource
  /** What is linked to a row of the primary data. */
  readonly relatedAt: (index: number) => Related
  readonly included: readonly RowWithIncludes[]
}

function openCompound({ plan, result }: CompletedRead, { base }: LinkBase): CompoundContext {
  const { primary, included } = collectCompound(plan, result)
  // The profile demands links next to everything that has pages.
  const pageLinks = plan.layer.range?.kind === 'cursors' ? 'always' : 'asDeclared'
  const write = createResourceSerializer(plan.projection, { base, pageLinks })
  return { included, write, relatedAt: (index) => primary[index]?.related ?? NOTHING_RELATED }
}

function toIncluded(
  { inclusion }: CompletedRead,
  linked: readonly RowWithIncludes[],
  write: SerializeResource,
): JsonText | undefined {
  if (inclusion !== 'included' && linked.length === 0) return undefined
  return toListText(linked, ({ row, related }) => write(row, related))
}

/** Where a list is cut by cursors each of its items has its own. */
function cursorsOf({ plan: { layer }, result }: CompletedRead): CursorAt | undefined {
  return layer.range?.kind === 'cursors' ? cursorOf({ range: layer.range, result }) : undefined
}

/** The type of the primary data decides about the links of the document. */
function topRelatedLinks(
  { plan }: CompletedRead,
  { type, id, relationship }: LinkageSource,
  requestUrl: RequestUrl,
): Links {
  return plan.layer.type.links.topLevel === true ? relatedLinks(requestUrl, type, id, relationship) : {}
}

function collectionLinks(read: CompletedRead, requestUrl: RequestUrl): Links {
  const { self } = selfLinks(read.plan.layer.type, requestUrl)
  const others = otherPages(read, requestUrl)
  return self === undefined ? others : { self, ...others }
}

/** Nothing where there are none to link to. */
function otherPages({ plan, result }: CompletedRead, requestUrl: RequestUrl): Links {
  const { range, type } = plan.layer
  if (requestUrl.self === false) return {}
  const path = requestUrl.base + requestUrl.path
  const parameters = toParameters(requestUrl.queryString)
  // The profile demands its links, whatever is switched off.
  if (range?.kind === 'cursors') return cursorLinks(path, parameters, { range, result })
  if (range === undefined || type.links.pages === false) return {}
  return pageLinks(path, parameters, { range, total: exactTotal(result.total), hasMore: result.hasMore })
}

function metaOf({ plan: { layer }, result }: CompletedRead): JsonObject | undefined {
  const page = layer.range?.kind === 'cursors' ? pageMeta({ range: layer.range, result }) : {}
  const meta = { ...totalMeta(result.total), ...page }
  return Object.keys(meta).length === 0 ? undefined : meta
}
