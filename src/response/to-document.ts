import type { PaginationKind } from '../declarations/field-options'
import { CURSOR_PAGINATION_URI } from '../document/cursor-profile'
import type { JsonObject } from '../document/json'
import {
  type JsonTextStream,
  toAsyncJsonArrayStream,
  toJsonArrayStream,
  toSinglePieceJsonTextStream,
} from '../document/json-text-stream'
import type { DataDocument, Links } from '../document/response-document'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ParsedQuery } from '../query/tree/ast'
import type { ReadResult, RelatedRowsPage } from '../store/read-result'
import { createItemCursorPrinter, cursorLinks, cursorPageDocumentMeta } from './cursor-pages'
import { NO_RELATED_ROWS, type RowWithRelatedRows, toCompoundDocumentRows } from './included'
import { type LinkUrlPrefix, type RequestUrl, resourceUrl, topLevelSelfLinks } from './links'
import { numberedPageLinks, totalMeta } from './pages'
import { linkageToJsonStream, type PrintItemCursor } from './serialize-linkage'
import { createResourceJsonSerializer, type SerializeResourceToJson } from './serialize-resource'

interface CompletedRead {
  readonly plan: ReadPlan
  readonly result: ReadResult
  /** If the client has sent `include`, the document has the member `included` even if it is empty. */
  readonly query: Pick<ParsedQuery, 'include' | 'page'>
}

/** Returns the URIs of the profiles that a document applies. */
export function profilesAppliedByPlan({ layer }: ReadPlan): readonly string[] {
  return layer.range?.kind === 'cursors' ? [CURSOR_PAGINATION_URI] : []
}

/** Builds a document with a list of resources. https://jsonapi.org/format/1.1/#fetching-resources */
export function buildCollectionResponseDocument(read: CompletedRead, requestUrl: RequestUrl): DataDocument {
  const { rows, batches } = read.result
  const { write, relatedAt, included } = prepareCompoundDocument(read, requestUrl)
  const cursorAt = cursorsOf(read)
  return {
    links: collectionLinks(read, requestUrl),
    // Streams long lists. Pages between cursors are never that long.
    data:
      batches === undefined
        ? toJsonArrayStream(rows, (row, index) => write(row, relatedAt(index), cursorAt?.(index)))
        : toAsyncJsonArrayStream(batches, (row) => write(row, NO_RELATED_ROWS)),
    included: toIncluded(read, included, write),
    meta: metaOf(read),
  }
}

/** Builds a document with one resource, or with `null` for an empty to-one relationship. */
export function buildResourceResponseDocument(read: CompletedRead, requestUrl: RequestUrl): DataDocument {
  const { write, relatedAt, included } = prepareCompoundDocument(read, requestUrl)
  const [row] = read.result.rows
  return {
    links: topLevelSelfLinks(read.plan.layer.type, requestUrl),
    data: toSinglePieceJsonTextStream(() => (row === undefined ? 'null' : write(row, relatedAt(0)))),
    included: toIncluded(read, included, write),
  }
}

/** Builds a document with the linkage of one relationship. https://jsonapi.org/format/1.1/#fetching-relationships */
export function buildRelationshipResponseDocument(
  read: CompletedRead,
  source: LinkageSource,
  requestUrl: RequestUrl,
): DataDocument {
  const { relationship } = source
  const { rows } = read.result
  const { write, relatedAt, included } = prepareCompoundDocument(read, requestUrl)
  const primary = rows.map((row, index): RowWithRelatedRows => ({ row, related: relatedAt(index) }))
  const links =
    relationship.kind === 'toMany'
      ? collectionLinks(read, requestUrl)
      : topLevelSelfLinks(read.plan.layer.type, requestUrl)
  return {
    links: { ...links, ...topRelatedLinks(read, source, requestUrl) },
    data: linkageToJsonStream(relationship, rows, cursorsOf(read)),
    // The primary data are only identifiers, so the resources themselves are included.
    included: toIncluded(read, source.includesPrimary ? [...primary, ...included] : [], write),
    meta: metaOf(read),
  }
}

interface LinkageSource {
  readonly type: StoredType
  readonly id: string
  readonly relationship: Relationship
  readonly includesPrimary: boolean
}

interface CompoundContext {
  readonly write: SerializeResourceToJson
  /** Returns the related rows of a row of the primary data. */
  readonly relatedAt: (index: number) => readonly RelatedRowsPage[]
  readonly included: readonly RowWithRelatedRows[]
}

function prepareCompoundDocument({ plan, result, query }: CompletedRead, { base }: LinkUrlPrefix): CompoundContext {
  const { primary, included } = toCompoundDocumentRows(plan, result)
  // The profile requires links beside everything that has pages.
  const mode = plan.layer.range?.kind === 'cursors' ? 'always' : 'asDeclared'
  const write = createResourceJsonSerializer(plan.projection, {
    base,
    pageLinks: { mode, negotiated: query.page.negotiatedPagination },
  })
  return { included, write, relatedAt: (index) => primary[index]?.related ?? NO_RELATED_ROWS }
}

function toIncluded(
  { query }: CompletedRead,
  linked: readonly RowWithRelatedRows[],
  write: SerializeResourceToJson,
): JsonTextStream | undefined {
  if (query.include === undefined && linked.length === 0) return undefined
  return toJsonArrayStream(linked, ({ row, related }) => write(row, related))
}

/** Returns `undefined` unless the list is paged by cursors. */
function cursorsOf({ plan: { layer }, result }: CompletedRead): PrintItemCursor | undefined {
  return layer.range?.kind === 'cursors' ? createItemCursorPrinter({ range: layer.range, result }) : undefined
}

/** Returns the link `related` if the type of the primary data has top-level links and the endpoint is enabled. */
function topRelatedLinks(
  { plan }: CompletedRead,
  { type, id, relationship }: LinkageSource,
  requestUrl: RequestUrl,
): Links {
  if (plan.layer.type.links.topLevel !== true || !type.endpoints.includes('getRelated')) return {}
  return { related: `${resourceUrl(requestUrl, type, id)}/${encodeURIComponent(relationship.name)}` }
}

/** Returns `self`, and links to other pages unless the collection has none or the endpoint is switched off. */
function collectionLinks(read: CompletedRead, requestUrl: RequestUrl): Links {
  const { plan, result } = read
  const { range, type } = plan.layer
  const self = topLevelSelfLinks(type, requestUrl)
  if (requestUrl.self === false || range === undefined) return self
  const path = requestUrl.base + requestUrl.path
  const parameters = requestUrl.parameters()
  const fallback = fallbackPagination(read)
  // The profile requires its links, even if links to pages are switched off.
  if (range.kind === 'cursors') return { ...self, ...cursorLinks(path, parameters, { range, result, fallback }) }
  if (type.links.pages === false) return self
  const total = result.total?.kind === 'exact' ? result.total.count : undefined
  // Faster than spreading both: by 3 µs on Node.js 20.
  return Object.assign(self, numberedPageLinks(path, parameters, { range, total, hasMore: result.hasMore, fallback }))
}

/** Returns the kind of pages at the URL of the request without page parameters, for a client that negotiates the same profile. */
function fallbackPagination({ plan: { layer }, query }: CompletedRead): PaginationKind {
  const { criteria, type } = layer
  const isToMany = criteria.kind === 'relatedTo' && criteria.relationship.kind === 'toMany'
  return query.page.negotiatedPagination ?? (isToMany ? criteria.relationship : type).pagination
}

function metaOf({ plan: { layer }, result }: CompletedRead): JsonObject | undefined {
  const page = layer.range?.kind === 'cursors' ? cursorPageDocumentMeta({ range: layer.range, result }) : {}
  const meta = { ...totalMeta(result.total), ...page }
  return Object.keys(meta).length === 0 ? undefined : meta
}
