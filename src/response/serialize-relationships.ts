import type { PaginationKind } from '../declarations/field-options'
import type { Relationship, StoredType, ToManyRelationship } from '../graph/model/resource-graph'
import type { TypeProjection } from '../plan/read-plan'
import { findRelatedRowsPageByRelationship, type RelatedRowsPage, type ResourceRow } from '../store/read-result'
import { hasMembersOutsidePage } from './included'
import { toLinkQueryParameter } from './link-query-parameters'
import { numberedPageLinks } from './pages'
import {
  appendFilledJsonUrlTemplate,
  concatenateJsonUrlTemplates,
  EMPTY_JSON_URL_TEMPLATE,
  getSerializationTemplateOfField,
  type JsonUrlTemplate,
  prependToUrlsOfJsonTemplate,
  type RelationshipTemplate,
  serializationTemplateOf,
} from './resource-object-template'
import { appendIdentifiersToJson, appendIdentifierToJson } from './serialize-linkage'

export interface IncludedPageLinkPolicy {
  /** Which included relationships have links to their pages: those that declare it, or all, as the profile for cursors requires. */
  readonly mode: 'asDeclared' | 'always'
  readonly negotiated: PaginationKind | undefined
}

/** The member `relationships` of a resource object. */
interface RelationshipsSerializer {
  /** For rows without linkage: only links. */
  readonly plain: JsonUrlTemplate
  /** Appends the member for all other rows. */
  readonly append: (text: string, location: RowLocation, related: readonly RelatedRowsPage[]) => string
}

/** `urlStart`: the URL of each resource of the type, without its id. */
export function createRelationshipsSerializer(
  type: StoredType,
  { fields }: TypeProjection,
  urlStart: string,
): RelationshipsSerializer {
  const { relationships: texts } = serializationTemplateOf(type)
  const compiled = type.relationships
    .filter((relationship) => fields.has(relationship))
    .map((relationship) => {
      const template = getSerializationTemplateOfField(texts, relationship)
      const compile = (separator: string) => compileRelationship(relationship, template, { separator, urlStart })
      return { relationship, first: compile(START), next: compile(',') }
    })
  return {
    plain: toPlain(compiled),
    append(text, location, related) {
      let appended = text
      for (const { relationship, first, next } of compiled) {
        // A relationship object needs links or linkage. https://jsonapi.org/format/1.1/#document-resource-object-relationships
        const isFirst = appended.length === text.length
        appended = appendRelationship(
          appended,
          location,
          isFirst ? first : next,
          findRelatedRowsPageByRelationship(related, relationship),
        )
      }
      return appended.length === text.length ? text : `${appended}}`
    },
  }
}

/** Returns true if the relationships of a row have only links. */
export function relationshipsHaveOnlyLinks({ linked }: ResourceRow, related: readonly RelatedRowsPage[]): boolean {
  return related.length === 0 && linked.size === 0
}

const START = ',"relationships":{'

/** The templates of a relationship object, with a separator before it: `"relationships":{` or a comma. */
interface CompiledRelationship {
  readonly relationship: Relationship
  /** The relationship object with only links; `undefined` without links. */
  readonly plain: JsonUrlTemplate | undefined
  /** The relationship object up to its linkage, without links to pages: `"wife":{"links":{…},"data":` */
  readonly start: JsonUrlTemplate
  /** `"wife":{"links":{…`; `undefined` without links. */
  readonly openLinks: JsonUrlTemplate | undefined
  /** `"wife":{"links":{`, for links to pages alone. */
  readonly openPageLinks: JsonUrlTemplate
  /** The URL of the relationship endpoint, without the id; `undefined` if it is switched off. */
  readonly self: JsonUrlTemplate | undefined
}

interface RelationshipPlace {
  readonly separator: string
  readonly urlStart: string
}

function compileRelationship(
  relationship: Relationship,
  { name, links }: RelationshipTemplate,
  { separator, urlStart }: RelationshipPlace,
): CompiledRelationship {
  const open: JsonUrlTemplate = [`${separator}${name}{`]
  const openLinks = links.text && concatenateJsonUrlTemplates(open, prependToUrlsOfJsonTemplate(links.text, urlStart))
  const plain = openLinks && concatenateJsonUrlTemplates(openLinks, ['}}'])
  const start = openLinks === undefined ? open : concatenateJsonUrlTemplates(openLinks, ['},'])
  const self: JsonUrlTemplate | undefined = links.self === undefined ? undefined : [urlStart, links.self]
  const openPageLinks = concatenateJsonUrlTemplates(open, ['"links":{'])
  return { relationship, plain, start: concatenateJsonUrlTemplates(start, ['"data":']), openLinks, openPageLinks, self }
}

function toPlain(compiled: readonly Readonly<Record<'first' | 'next', CompiledRelationship>>[]): JsonUrlTemplate {
  const withLinks = compiled.filter(({ first }) => first.plain !== undefined)
  const members = withLinks.map(
    ({ first, next }, index) => (index === 0 ? first : next).plain ?? EMPTY_JSON_URL_TEMPLATE,
  )
  return members.length === 0 ? EMPTY_JSON_URL_TEMPLATE : concatenateJsonUrlTemplates(...members, ['}'])
}

/** A row, and its id as URLs contain it. */
interface RowLocation {
  readonly row: ResourceRow
  readonly id: string
  readonly pageLinks: IncludedPageLinkPolicy
}

/** `related` has the included rows of all places in the document. */
function appendRelationship(
  text: string,
  location: RowLocation,
  compiled: CompiledRelationship,
  related: RelatedRowsPage | undefined,
): string {
  const { relationship, plain, start } = compiled
  const { row, id } = location
  if (related === undefined) {
    const linked = row.linked.size === 0 ? undefined : row.linked.get(relationship)
    if (linked === undefined) return plain === undefined ? text : appendFilledJsonUrlTemplate(text, plain, id)
    return `${appendIdentifierToJson(appendFilledJsonUrlTemplate(text, start, id), linked)}}`
  }
  if (relationship.kind === 'toOne')
    return `${appendIdentifierToJson(appendFilledJsonUrlTemplate(text, start, id), related.rows[0])}}`
  const opened = `${appendStart(text, relationship, related, location, compiled)}[`
  return `${appendIdentifiersToJson(opened, related.rows)}]${serializeMeta(relationship, related)}}`
}

/** Appends the start of a relationship object, with links to the pages of its linkage if it has them. */
function appendStart(
  text: string,
  relationship: ToManyRelationship,
  related: RelatedRowsPage,
  location: RowLocation,
  { openLinks, openPageLinks, start, self }: CompiledRelationship,
): string {
  const { mode } = location.pageLinks
  // The profile requires links to pages, even if other links are switched off.
  const hasLinks = mode === 'always' || openLinks !== undefined
  const pages = hasLinks ? serializePageLinks(relationship, related, location, self) : ''
  if (pages === '') return appendFilledJsonUrlTemplate(text, start, location.id)
  const opened =
    openLinks === undefined
      ? appendFilledJsonUrlTemplate(text, openPageLinks, location.id)
      : `${appendFilledJsonUrlTemplate(text, openLinks, location.id)},`
  return `${opened}${pages}},"data":`
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
  self: JsonUrlTemplate | undefined,
): string {
  const { paging, hasMore } = related
  if (paging?.range === undefined || self === undefined) return ''
  const hasPageLinks = paging.total === 'counted' && relationship.target.links.pages !== false
  if (!hasPageLinks && location.pageLinks.mode === 'asDeclared') return ''
  const { filter, sort, range } = paging
  const requested = [
    ...(filter === undefined ? [] : [toLinkQueryParameter('filter', filter)]),
    ...(sort === undefined ? [] : [toLinkQueryParameter('sort', sort)]),
    toLinkQueryParameter('page[size]', String(range.size)),
  ]
  const total = knownTotal(relationship, related)
  const fallback = location.pageLinks.negotiated ?? relationship.pagination
  const page = { range, total, hasMore, fallback }
  const links = numberedPageLinks(appendFilledJsonUrlTemplate('', self, location.id), { pairs: requested }, page)
  return JSON.stringify(links).slice(1, -1)
}

function knownTotal({ totals }: ToManyRelationship, { total }: RelatedRowsPage): number | undefined {
  return totals === false ? undefined : total
}
