import type { Relationship, StoredType, ToManyRelationship } from '../graph/model/resource-graph'
import type { TypeProjection } from '../plan/read-plan'
import {
  findLoadedRelatedRows,
  type RelatedRowsPage,
  type ResourceRow,
  type StoredTypeAndId,
} from '../store/read-result'
import { hasMembersOutsidePage } from './included'
import { toLinkQueryParameter } from './link-query-parameters'
import { pageLinks } from './pages'
import {
  concatJsonTemplates,
  EMPTY_JSON_TEMPLATE,
  fillTemplateWithUrl,
  getFieldJsonTemplate,
  type JsonTemplate,
  type LinksTemplate,
  type RelationshipTemplate,
  resourceObjectTemplateOf,
} from './resource-object-template'
import { serializeIdentifier, serializeIdentifiers } from './serialize-linkage'

/** Which included relationships have links to their pages: those that declare it, or all, as the profile for cursors requires. */
export type IncludedPageLinksMode = 'asDeclared' | 'always'

/** The member `relationships` of a resource object. */
interface RelationshipsSerializer {
  /** For rows without linkage: only links. */
  readonly plain: JsonTemplate
  /** For all other rows. */
  readonly serialize: (location: RowLocation, related: readonly RelatedRowsPage[]) => string
}

export function createRelationshipsSerializer(type: StoredType, { fields }: TypeProjection): RelationshipsSerializer {
  const { relationships: texts } = resourceObjectTemplateOf(type)
  const compiled = type.relationships
    .filter((relationship) => fields.has(relationship))
    .map((relationship) => compileRelationship(relationship, getFieldJsonTemplate(texts, relationship)))
  return {
    plain: toPlain(compiled.flatMap(({ plain }) => (plain === undefined ? [] : [plain]))),
    serialize(location, related) {
      let text = ''
      for (const each of compiled) {
        const member = serializeRelationship(location, each, findLoadedRelatedRows(related, each.relationship))
        // A relationship object needs links or linkage. https://jsonapi.org/format/1.1/#document-resource-object-relationships
        if (member !== '') text += (text === '' ? START : ',') + member
      }
      return text === '' ? '' : `${text}}`
    },
  }
}

/** Returns true if the relationships of a row have only links. */
export function relationshipsHaveOnlyLinks({ linked }: ResourceRow, related: readonly RelatedRowsPage[]): boolean {
  return related.length === 0 && linked.size === 0
}

const START = ',"relationships":{'

interface CompiledRelationship {
  readonly relationship: Relationship
  /** `"wife":` */
  readonly name: string
  readonly links: LinksTemplate
  /** The relationship object with only links; `undefined` without links. */
  readonly plain: JsonTemplate | undefined
  /** The relationship object up to its linkage, without links to pages: `"wife":{"links":{…},"data":` */
  readonly start: JsonTemplate
}

function compileRelationship(relationship: Relationship, { name, links }: RelationshipTemplate): CompiledRelationship {
  const plain = links.text && concatJsonTemplates([`${name}{`], links.text, ['}}'])
  const linksAndComma: JsonTemplate =
    links.text === undefined ? EMPTY_JSON_TEMPLATE : concatJsonTemplates(links.text, ['},'])
  return { relationship, name, links, plain, start: concatJsonTemplates([`${name}{`], linksAndComma, ['"data":']) }
}

function toPlain(members: readonly JsonTemplate[]): JsonTemplate {
  if (members.length === 0) return EMPTY_JSON_TEMPLATE
  const separated = members.map((member, location) => concatJsonTemplates([location === 0 ? START : ','], member))
  return concatJsonTemplates(...separated, ['}'])
}

/** A row, and its URL. */
interface RowLocation {
  readonly row: ResourceRow
  readonly url: string
  readonly pageLinks: IncludedPageLinksMode
}

/** `related` has the included rows of all places in the document. */
function serializeRelationship(
  location: RowLocation,
  compiled: CompiledRelationship,
  related: RelatedRowsPage | undefined,
): string {
  const { relationship, plain, start } = compiled
  const { row, url } = location
  if (related === undefined) {
    const linked = row.linked.size === 0 ? undefined : row.linked.get(relationship)
    if (linked === undefined) return plain === undefined ? '' : fillTemplateWithUrl(url, plain)
    return `${fillTemplateWithUrl(url, start)}${serializeToOne(linked)}}`
  }
  if (relationship.kind === 'toOne') return `${fillTemplateWithUrl(url, start)}${serializeToOne(related.rows[0])}}`
  return `${serializeStart(relationship, related, location, compiled)}[${serializeIdentifiers(related.rows)}]${serializeMeta(relationship, related)}}`
}

function serializeToOne(linked: StoredTypeAndId | null | undefined): string {
  return linked === null || linked === undefined ? 'null' : serializeIdentifier(linked)
}

/** Writes the start of a relationship object, with links to the pages of its linkage if it has them. */
function serializeStart(
  relationship: ToManyRelationship,
  related: RelatedRowsPage,
  location: RowLocation,
  { name, links, start }: CompiledRelationship,
): string {
  const pages = serializePageLinks(relationship, related, location, links)
  if (pages === '' || links.text === undefined) return fillTemplateWithUrl(location.url, start)
  return `${name}{${fillTemplateWithUrl(location.url, links.text)}${pages}},"data":`
}

/** Tells clients whether members are missing: a client that sends this linkage back would replace all members. */
function serializeMeta(relationship: ToManyRelationship, related: RelatedRowsPage): string {
  const total = knownTotal(relationship, related)
  if (total === undefined && !hasMembersOutsidePage(related)) return ''
  const members = [
    ...(total === undefined ? [] : [`"total":${total}`]),
    ...(hasMembersOutsidePage(related) ? ['"hasMore":true'] : []),
  ]
  return `,"meta":{${members.join()}}`
}

/** Writes links to pages of the relationship endpoint, unless it is switched off. */
function serializePageLinks(
  relationship: ToManyRelationship,
  related: RelatedRowsPage,
  location: RowLocation,
  { self }: LinksTemplate,
): string {
  const { pages, hasMore } = related
  if (pages?.range === undefined || self === undefined) return ''
  const hasPageLinks = pages.total === 'counted' && relationship.target.links.pages !== false
  if (!hasPageLinks && location.pageLinks === 'asDeclared') return ''
  const { filter, sort, range } = pages
  const requested = [
    ...(filter === undefined ? [] : [toLinkQueryParameter('filter', filter)]),
    ...(sort === undefined ? [] : [toLinkQueryParameter('sort', sort)]),
    toLinkQueryParameter('page[size]', String(range.size)),
  ]
  const total = knownTotal(relationship, related)
  const links = pageLinks(location.url + self, { pairs: requested }, { range, total, hasMore })
  return `,${JSON.stringify(links).slice(1, -1)}`
}

function knownTotal({ totals }: ToManyRelationship, { total }: RelatedRowsPage): number | undefined {
  return totals === false ? undefined : total
}
