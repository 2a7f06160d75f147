import { join } from '../document/json-text'
import type { Relationship, StoredType, ToMany } from '../graph/resource-graph'
import type { ShownResource } from '../plan/read-plan'
import type { PageTotal, ResultRow, RightEnd } from '../store/read-result'
import type { Related } from './included'
import { pageLinks } from './page-links'
import { toPair } from './query-string'
import { getText, type LinksText, textOf } from './type-text'
import { writeIdentifier, writeLinkage } from './write-linkage'

/** The member `relationships` of a row, whose own URL is given. */
export type WriteRelationships = (row: ResultRow, url: string, related: Related | undefined) => string

export function compileRelationships(type: StoredType, { fields }: ShownResource): WriteRelationships {
  const { relationships: texts } = textOf(type)
  const shown = type.relationships
    .filter((relationship) => fields.has(relationship))
    .map((relationship) => ({ relationship, ...getText(texts, relationship) }))
  return (row, url, related) => {
    let text = ''
    for (const { relationship, name, links } of shown) {
      const members = writeMembers({ row, relationship, links, url }, related?.get(relationship))
      // Without links and linkage there is nothing to say. https://jsonapi.org/format/1.1/#document-resource-object-relationships
      if (members !== '') text += `${text === '' ? ',"relationships":{' : ','}${name}{${members}}`
    }
    return text === '' ? '' : `${text}}`
  }
}

interface Linking {
  readonly row: ResultRow
  readonly relationship: Relationship
  readonly links: LinksText
  /** That of the resource. */
  readonly url: string
}

/** What stands between the braces of a relationship object. `rows`: what was included, wherever in the document. */
function writeMembers(linking: Linking, rows: readonly ResultRow[] | undefined): string {
  const { row, relationship, links, url } = linking
  const data = rows === undefined ? writeLinked(row.linked.get(relationship)) : writeData(relationship, rows)
  const paging = rows === undefined ? undefined : findPaging(linking)
  const told = paging === undefined ? data : data + writeTotal(paging)
  const written = links.write(url)
  if (written === '') return told
  const pages = paging === undefined ? '' : writePages(paging, url, links)
  return `${written}${pages}}${told === '' ? '' : `,${told}`}`
}

function writeLinked(linked: RightEnd | null | undefined): string {
  if (linked === undefined) return ''
  return linked === null ? '"data":null' : `"data":${writeIdentifier(linked)}`
}

function writeData(relationship: Relationship, rows: readonly ResultRow[]): string {
  return `"data":${join(writeLinkage(relationship, rows).pieces)}`
}

interface Paging extends PageTotal {
  readonly relationship: ToMany
}

function findPaging({ row, relationship }: Linking): Paging | undefined {
  const page = relationship.kind === 'toMany' ? row.totals.get(relationship) : undefined
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
