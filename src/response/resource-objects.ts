import type { Linkage, Links, RelationshipObject, ResourceObject } from '../document/document'
import type { JsonObject, JsonValue } from '../document/json'
import type { ResourceIdentifier } from '../document/resource-identifier'
import { InvariantError } from '../errors/invariant'
import type { Relationship, StoredType, ToMany } from '../graph/resource-graph'
import type { ShownFields, ShownResource } from '../plan/read-plan'
import { toJsonValue } from '../records/json-value'
import { toRecord } from '../records/stored-record'
import type { PageTotal, ResultRow, RightEnd } from '../store/read-result'
import { asMember, type LinkBase, relationshipLinks, resourceLinks } from './links'
import { pageLinks } from './page-links'
import type { Parameters } from './query-string'

/** One row under its stored type; linkage of what was included. */
export function toResourceObject(
  row: ResultRow,
  shown: ShownFields,
  base: LinkBase,
  linkage: LinkageOf,
): ResourceObject {
  const { type, id } = row
  const shownHere = shown.of(type)
  const { attributes, meta } = shownHere.hooks === undefined ? shownAsStored(row, shownHere) : askHooks(row, shownHere)
  const relationships = type.relationships.flatMap((relationship) => {
    if (!shownHere.fields.has(relationship)) return []
    const object = toRelationshipObject(row, relationship, base, linkage)
    return object === undefined ? [] : [[relationship.name, object] as const]
  })
  return {
    type: type.name,
    id,
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
    ...asMember(resourceLinks(base, type, id)),
    ...(meta !== undefined && { meta }),
  }
}

export function toIdentifier({ type, id }: RightEnd): ResourceIdentifier {
  return { type: type.name, id }
}

/** The rows that are linked, of all places where the resource occurs in the document; `undefined`: nothing was included. */
export type LinkageOf = (row: ResultRow, relationship: Relationship) => readonly ResultRow[] | undefined

export function toLinkage(relationship: Relationship, rows: readonly ResultRow[]): Linkage {
  if (relationship.kind === 'toMany') return rows.map(toIdentifier)
  return rows[0] === undefined ? null : toIdentifier(rows[0])
}

/** What the row itself gives for the document, or what hooks make of it. */
interface Facts {
  readonly attributes: readonly (readonly [name: string, value: JsonValue])[]
  readonly meta?: JsonObject | undefined
}

function shownAsStored({ values }: ResultRow, { attributes }: ShownResource): Facts {
  return { attributes: attributes.map((attribute, index) => [attribute.name, toJsonValue(attribute, values[index])]) }
}

function askHooks({ type, id, values }: ResultRow, { attributes, fetched, hooks }: ShownResource): Facts {
  const record = toRecord(type, id, fetched, values)
  const instead = new Map(Object.entries(hooks?.serialize(record) ?? {}).filter(([, value]) => value !== undefined))
  checkProperties(instead.keys(), type)
  const stored = record.instance as Readonly<Record<string, unknown>>
  return {
    attributes: attributes.map((attribute) => {
      const { name, property } = attribute
      return [name, toJsonValue(attribute, instead.has(property) ? instead.get(property) : stored[property])]
    }),
    meta: hooks?.meta(record),
  }
}

function checkProperties(properties: Iterable<string>, type: StoredType): void {
  for (const property of properties) {
    if (type.attributes.some((attribute) => attribute.property === property)) continue
    throw new InvariantError(`The serialize rule of ${type.name} returned '${property}': no attribute.`)
  }
}

/** At the endpoint of the relationship; nothing where it or such links are switched off. */
function pagesOf({ self }: Links, { target, totals }: ToMany, { pages, total }: PageTotal): Links {
  if (typeof self !== 'string' || target.links.pages === 'off') return {}
  const { filter, sort, range } = pages
  const asked: Parameters['pairs'] = [
    ...(filter === undefined ? [] : [['filter', filter] as const]),
    ...(sort === undefined ? [] : [['sort', sort] as const]),
    ['page[size]', String(range.size)],
  ]
  const hasMore = range.offset + range.size < total
  return pageLinks(self, { pairs: asked }, { range, total: totals === 'on' ? total : undefined, hasMore })
}

/** Without links and linkage there is nothing to say. https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function toRelationshipObject(
  row: ResultRow,
  relationship: Relationship,
  base: LinkBase,
  linkageOf: LinkageOf,
): RelationshipObject | undefined {
  const own = relationshipLinks(base, row.type, row.id, relationship)
  const links = asMember(own)
  const rows = linkageOf(row, relationship)
  const page = row.totals.get(relationship)
  if (rows !== undefined && page !== undefined && relationship.kind === 'toMany') {
    const meta = relationship.totals === 'on' ? { meta: { total: page.total } } : {}
    return {
      ...asMember({ ...own, ...pagesOf(own, relationship, page) }),
      data: toLinkage(relationship, rows),
      ...meta,
    }
  }
  if (rows !== undefined) return { ...links, data: toLinkage(relationship, rows) }
  const linked = row.linked.get(relationship)
  if (linked !== undefined) return { ...links, data: linked === null ? null : toIdentifier(linked) }
  return links.links === undefined ? undefined : links
}
