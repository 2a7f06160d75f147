import type { Relationship, StoredType, ToMany } from '../graph/resource-graph'
import type { ShownResource } from '../plan/read-plan'
import type { PageTotal, ResultRow, RightEnd } from '../store/read-result'
import type { Related } from './included'
import { pageLinks } from './page-links'
import { toPair } from './query-string'
import { getText, type LinksText, type RelationshipText, textOf } from './type-text'
import { concat, NO_TEXT, putIn, type UrlText } from './url-text'
import { writeIdentifier } from './write-linkage'

/** The member `relationships` of a resource object. */
export interface RelationshipsText {
  /** Of a row of which nothing but links is told. */
  readonly plain: UrlText
  /** Of any row, whose own URL is given. */
  readonly write: (row: ResultRow, url: string, related: Related) => string
}

export function compileRelationships(type: StoredType, { fields }: ShownResource): RelationshipsText {
  const { relationships: texts } = textOf(type)
  const shown = type.relationships
    .filter((relationship) => fields.has(relationship))
    .map((relationship) => toShown(relationship, getText(texts, relationship)))
  return {
    plain: toPlain(shown.flatMap(({ plain }) => (plain === undefined ? [] : [plain]))),
    write(row, url, related) {
      let text = ''
      for (const each of shown) {
        const member = writeRelationship({ row, url }, each, related.get(each.relationship))
        // Without links and linkage there is nothing to say. https://jsonapi.org/format/1.1/#document-resource-object-relationships
        if (member !== '') text += (text === '' ? START : ',') + member
      }
      return text === '' ? '' : `${text}}`
    },
  }
}

/** Whether there is nothing but links to tell of a row. */
export function hasOnlyLinks({ linked, totals }: ResultRow, related: Related): boolean {
  return related.size === 0 && linked.size === 0 && totals.size === 0
}

const START = ',"relationships":{'

interface ShownRelationship {
  readonly relationship: Relationship
  /** `"wife":` */
  readonly name: string
  readonly links: LinksText
  /** With nothing but links; `undefined`: there are none. */
  readonly plain: UrlText | undefined
}

function toShown(relationship: Relationship, { name, links }: RelationshipText): ShownRelationship {
  const plain = links.text && concat([`${name}{`], links.text, ['}}'])
  return { relationship, name, links, plain }
}

function toPlain(members: readonly UrlText[]): UrlText {
  if (members.length === 0) return NO_TEXT
  const separated = members.map((member, place) => concat([place === 0 ? START : ','], member))
  return concat(...separated, ['}'])
}

/** A row, and its own URL. */
interface Place {
  readonly row: ResultRow
  readonly url: string
}

/** `rows`: what was included, wherever in the document. */
function writeRelationship(place: Place, shown: ShownRelationship, rows: readonly ResultRow[] | undefined): string {
  const { relationship, plain } = shown
  const linked = rows === undefined ? place.row.linked.get(relationship) : undefined
  if (rows === undefined && linked === undefined) return plain === undefined ? '' : putIn(place.url, plain)
  const data = rows === undefined ? writeLinked(linked) : writeData(relationship, rows)
  const paging = rows === undefined ? undefined : findPaging(place.row, relationship)
  const told = paging === undefined ? data : data + writeTotal(paging)
  const { name, links } = shown
  if (links.text === undefined) return `${name}{${told}}`
  const pages = paging === undefined ? '' : writePages(paging, place.url, links)
  return `${name}{${putIn(place.url, links.text)}${pages}},${told}}`
}

function writeLinked(linked: RightEnd | null | undefined): string {
  return linked === null || linked === undefined ? '"data":null' : `"data":${writeIdentifier(linked)}`
}

function writeData(relationship: Relationship, rows: readonly ResultRow[]): string {
  if (relationship.kind === 'toMany') return `"data":[${rows.map((row) => writeIdentifier(row)).join()}]`
  const [row] = rows
  return row === undefined ? '"data":null' : `"data":${writeIdentifier(row)}`
}

interface Paging extends PageTotal {
  readonly relationship: ToMany
}

function findPaging({ totals }: ResultRow, relationship: Relationship): Paging | undefined {
  const page = relationship.kind === 'toMany' ? totals.get(relationship) : undefined
  return page && relationship.kind === 'toMany' ? { ...page, relationship } : undefined
}

function writeTotal({ relationship, total }: Paging): string {
  return relationship.totals !== 'off' ? `,"meta":{"total":${total}}` : ''
}

/** At the endpoint of the relationship; nothing where it or such links are switched off. */
function writePages({ relationship, pages, total }: Paging, url: string, { self }: LinksText): string {
  if (self === undefined || relationship.target.links.pages === 'off') return ''
  const { filter, sort, range } = pages
  const asked = [
    ...(filter === undefined ? [] : [toPair('filter', filter)]),
    ...(sort === undefined ? [] : [toPair('sort', sort)]),
    toPair('page[size]', String(range.size)),
  ]
  const hasMore = range.offset + range.size < total
  const known = relationship.totals !== 'off' ? total : undefined
  const links = pageLinks(url + self, { pairs: asked }, { range, total: known, hasMore })
  return `,${JSON.stringify(links).slice(1, -1)}`
}
