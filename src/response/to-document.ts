import type { DataDocument, Links, MetaDocument, PrimaryData, ResourceObject } from '../document/document'
import type { JsonObject } from '../document/json'
import type { Relationship, StoredType } from '../graph/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'
import { cursorLinks, pageMeta, withCursors } from './cursor-pages'
import { collectCompound } from './included'
import { asMember, type LinkBase, type Requested, relatedLinks, selfLinks } from './links'
import { pageLinks } from './page-links'
import { toParameters } from './query-string'
import { toLinkage, toResourceObject } from './resource-objects'

/** What the client asked to be included: nothing, or so that `included` must be there even when it is empty. */
export type Inclusion = 'included' | 'notIncluded'

export interface Read {
  readonly plan: ReadPlan
  readonly result: ReadResult
  readonly inclusion: Inclusion
}

export const JSON_API = { version: '1.1' }

/** https://jsonapi.org/format/1.1/#fetching-resources */
export function toCollectionDocument(read: Read, requested: Requested): DataDocument {
  const { data, included } = toResources(read, requested)
  return toDocument({
    data: inPlace(data, read),
    included,
    links: collectionLinks(read, requested),
    meta: metaOf(read),
  })
}

/** One resource, or `null` where a to-one relationship is empty. */
export function toResourceDocument(read: Read, requested: Requested): DataDocument {
  const { data, included } = toResources(read, requested)
  return toDocument({ data: data[0] ?? null, included, links: selfLinks(read.plan.layer.type, requested) })
}

/** The linkage of one relationship. https://jsonapi.org/format/1.1/#fetching-relationships */
export function toRelationshipDocument(read: Read, left: ReadLeft, requested: Requested): DataDocument {
  const { relationship } = left
  const links =
    relationship.kind === 'toMany' ? collectionLinks(read, requested) : selfLinks(read.plan.layer.type, requested)
  const linkage = toLinkage(relationship, read.result.rows)
  return toDocument({
    data: isList(linkage) ? inPlace(linkage, read) : linkage,
    included: left.includesPrimary ? toIncludedWithPrimary(read, requested) : includedOf(read, []),
    links: { ...links, ...topRelatedLinks(read, left, requested) },
    meta: metaOf(read),
  })
}

/** A document that has nothing to show but that it all went well. */
export const EMPTY_DOCUMENT: MetaDocument = { jsonapi: JSON_API, meta: {} }

export interface ReadLeft {
  readonly type: StoredType
  readonly id: string
  readonly relationship: Relationship
  readonly includesPrimary: boolean
}

interface Parts {
  readonly data: PrimaryData
  readonly included: readonly ResourceObject[] | undefined
  readonly links: Links
  readonly meta?: JsonObject | undefined
}

function toDocument({ data, included, links, meta }: Parts): DataDocument {
  return {
    jsonapi: JSON_API,
    ...asMember(links),
    data,
    ...(included !== undefined && { included }),
    ...(meta !== undefined && { meta }),
  }
}

function toResources(read: Read, base: LinkBase) {
  const { plan, result } = read
  const { included, linkageOf } = collectCompound(result.rows)
  const toObject = (row: ResultRow) => toResourceObject(row, plan.shown, base, linkageOf)
  return { data: result.rows.map(toObject), included: includedOf(read, included.map(toObject)) }
}

/** On a relationship endpoint the related resources are included themselves: the primary data are but identifiers. */
function toIncludedWithPrimary(read: Read, base: LinkBase): readonly ResourceObject[] | undefined {
  const { data, included } = toResources(read, base)
  return includedOf(read, [...data, ...(included ?? [])])
}

function includedOf({ inclusion }: Read, included: readonly ResourceObject[]): readonly ResourceObject[] | undefined {
  return inclusion === 'included' || included.length > 0 ? included : undefined
}

/** The type of the primary data decides about the links of the document. */
function topRelatedLinks({ plan }: Read, { type, id, relationship }: ReadLeft, requested: Requested): Links {
  return plan.layer.type.links.topLevel === 'on' ? relatedLinks(requested, type, id, relationship) : {}
}

function collectionLinks(read: Read, requested: Requested): Links {
  const self = selfLinks(read.plan.layer.type, requested)
  const { range, type } = read.plan.layer
  if (requested.self === 'off') return self
  const path = requested.base + requested.path
  const parameters = toParameters(requested.queryString)
  // The profile demands its links, whatever is switched off.
  if (range?.kind === 'cursors') return { ...self, ...cursorLinks(path, parameters, { range, result: read.result }) }
  if (range === undefined || type.links.pages === 'off') return self
  const pages = { range, total: read.result.total, hasMore: read.result.hasMore }
  return { ...self, ...pageLinks(path, parameters, pages) }
}

/** The items of a list, with their cursors where it is cut by them. */
function inPlace<Item extends { readonly meta?: JsonObject }>(
  items: readonly Item[],
  { plan: { layer }, result }: Read,
): readonly Item[] {
  return layer.range?.kind === 'cursors' ? withCursors(items, { range: layer.range, result }) : items
}

function isList<Item>(linkage: Item | null | readonly Item[]): linkage is readonly Item[] {
  return Array.isArray(linkage)
}

function metaOf({ plan: { layer }, result }: Read): JsonObject | undefined {
  const page = layer.range?.kind === 'cursors' ? pageMeta({ range: layer.range, result }) : {}
  const meta = { ...(result.total !== undefined && { total: result.total }), ...page }
  return Object.keys(meta).length === 0 ? undefined : meta
}
