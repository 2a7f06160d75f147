import type { Include, ListQuery, Query, SortKey } from '../query/ast'
import { printParameters, printPath } from '../query/print'
import { isToMany } from '../shared/model'
import type { Row } from '../shared/rows'
import type { Evaluator } from './evaluate'
import { TYPES } from './model'

// Computes the whole document that a query must return.

const DEFAULT_SIZE = 10

export interface Expected {
  readonly status: number
  /** `included` by type and id, since its order is unspecified. */
  readonly data?: unknown
  readonly included?: ReadonlyMap<string, unknown> | undefined
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: unknown
}

/** The part of a relationship that a page has: all, all that match the filter, the first ones, or a later page. */
type PageExtent = 'complete' | 'filtered' | 'truncated' | 'laterPage'

/** A page of linkage. A resource has several if several include paths reach it. */
interface LinkagePage {
  readonly members: readonly Row[]
  readonly extent: PageExtent
}

export function expectedDocument(query: Query, evaluator: Evaluator): Expected {
  const { endpoint, includes = [] } = query
  if (endpoint.kind === 'collection') {
    const rows = evaluator.list(evaluator.rowsOf(endpoint.type), query.listing)
    return listDocument(query, rows, evaluator)
  }
  const row = evaluator.find(endpoint.type, endpoint.id)
  if (row === undefined) return { status: 404 }
  const resources = new ResourceSet(evaluator)
  if (endpoint.kind === 'resource') {
    resources.include([row], includes)
    return {
      status: 200,
      data: resources.toResource(row, query),
      ...resources.includedMember([row], query),
      links: selfLink(query),
    }
  }
  const relationship = TYPES.relationships(row.type).get(endpoint.field)
  if (relationship === undefined) return { status: 404 }
  const relatedRows = evaluator.related(row, endpoint.field)
  const related = endpoint.kind === 'linkage' ? { related: normalizeLink(`${pathOf(row)}/${endpoint.field}`, []) } : {}
  if (isToMany(relationship)) return listDocument(query, evaluator.list(relatedRows, query.listing), evaluator, related)
  resources.include(relatedRows, includes)
  const [relatedRow] = relatedRows
  const links = { ...selfLink(query), ...related }
  if (endpoint.kind === 'linkage')
    return {
      status: 200,
      data: relatedRow === undefined ? null : identify(relatedRow),
      ...resources.includedMember([], query, relatedRows),
      links,
    }
  return {
    status: 200,
    data: relatedRow === undefined ? null : resources.toResource(relatedRow, query),
    ...resources.includedMember(relatedRows, query),
    links,
  }
}

/** Returns the whole list in cursor order, which sorts the id in the direction of the last key. `undefined`: the endpoint has no list. */
export function expectedOrder({ endpoint, listing }: Query, evaluator: Evaluator): readonly string[] | undefined {
  const isDescending = listing.sort.at(-1)?.isDescending === true
  const keys = (rows: readonly Row[]) => {
    const [{ type } = { type: '' }] = rows
    if (type === '') return []
    const id: SortKey = {
      isDescending,
      by: { kind: 'attribute', steps: [], end: { field: 'id', of: TYPES.rootOf(type) }, model: TYPES.idModel(type) },
    }
    return evaluator.list(rows, { ...listing, sort: [...listing.sort, id] }).map((row) => `${row.type} ${row.id}`)
  }
  if (endpoint.kind === 'collection') return keys(evaluator.rowsOf(endpoint.type))
  const row = evaluator.find(endpoint.type, endpoint.id)
  if (row === undefined || endpoint.kind === 'resource') return undefined
  const relationship = TYPES.relationships(row.type).get(endpoint.field)
  return relationship !== undefined && isToMany(relationship) ? keys(evaluator.related(row, endpoint.field)) : undefined
}

function listDocument(
  query: Query,
  all: readonly Row[],
  evaluator: Evaluator,
  extraLinks: Record<string, string> = {},
): Expected {
  const { listing, includes = [], endpoint } = query
  const rows = pageOf(all, listing)
  const shown = new ResourceSet(evaluator)
  shown.include(rows, includes)
  const isLinkage = endpoint.kind === 'linkage'
  return {
    status: 200,
    data: rows.map((row) => (isLinkage ? identify(row) : shown.toResource(row, query))),
    ...(isLinkage ? shown.includedMember([], query, rows) : shown.includedMember(rows, query)),
    links: { ...selfLink(query), ...extraLinks, ...pageLinks(query, all.length) },
    meta: { total: all.length },
  }
}

function pageOf(rows: readonly Row[], { size = DEFAULT_SIZE, number = 1 }: ListQuery): readonly Row[] {
  return rows.slice((number - 1) * size, number * size)
}

/** Collects the included resources and their linkage. */
class ResourceSet {
  private readonly evaluator: Evaluator
  private readonly included = new Set<Row>()
  private readonly linkage = new Map<Row, Map<string, LinkagePage[]>>()

  constructor(evaluator: Evaluator) {
    this.evaluator = evaluator
  }

  include(rows: readonly Row[], includes: readonly Include[]): void {
    for (const { step, listing, below } of includes) {
      const found = rows
        .filter(({ type }) => TYPES.isSameOrDerivedType(type, step.of))
        .flatMap((row) => this.listRelated(row, step.field, listing))
      for (const each of found) this.included.add(each)
      this.include(found, below)
    }
  }

  private listRelated(row: Row, field: string, listing: ListQuery): readonly Row[] {
    const relationship = TYPES.relationships(row.type).get(field)
    const related = this.evaluator.related(row, field)
    const listed =
      relationship !== undefined && isToMany(relationship) ? this.evaluator.list(related, listing) : related
    const members = relationship !== undefined && isToMany(relationship) ? pageOf(listed, listing) : listed
    const pagesByField = this.linkage.get(row) ?? new Map<string, LinkagePage[]>()
    pagesByField.set(field, [
      ...(pagesByField.get(field) ?? []),
      { members, extent: extentOf(members, listed, listing) },
    ])
    this.linkage.set(row, pagesByField)
    return members
  }

  /** `roots`: the resources of a relationship endpoint, which are included too if `include` was sent. */
  includedMember(
    primary: readonly Row[],
    query: Query,
    roots: readonly Row[] = [],
  ): { included?: ReadonlyMap<string, unknown> | undefined } {
    if (query.includes === undefined) return {}
    for (const root of roots) this.included.add(root)
    const rows = [...this.included].filter((row) => !primary.includes(row))
    return { included: new Map(rows.map((row) => [`${row.type} ${row.id}`, this.toResource(row, query)])) }
  }

  toResource(row: Row, { fields }: Query): unknown {
    const isShown = visibleFields(row.type, fields)
    const attributes = [...TYPES.attributes(row.type).keys()]
      .filter(isShown)
      .map((name) => [name, row.values[name] ?? null])
    const relationships = [...TYPES.relationships(row.type).keys()]
      .filter(isShown)
      .map((name) => [name, this.toRelationship(row, name)])
    return {
      type: row.type,
      id: row.id,
      ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
      ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
      links: { self: pathOf(row) },
    }
  }

  private toRelationship(row: Row, name: string): unknown {
    const path = pathOf(row)
    const links = { self: `${path}/relationships/${name}`, related: `${path}/${name}` }
    const shown = this.linkage.get(row)?.get(name)
    const relationship = TYPES.relationships(row.type).get(name)
    if (shown === undefined || relationship === undefined) return { links }
    if (!isToMany(relationship)) {
      const [relatedRow] = shown.flatMap(({ members }) => members)
      return { links, data: relatedRow === undefined ? null : identify(relatedRow) }
    }
    return {
      links,
      data: new Linkage(
        shown.map(({ members }) => members.map(identify)),
        combineExtents(shown.map(({ extent }) => extent)),
      ),
    }
  }
}

function extentOf(members: readonly Row[], listed: readonly Row[], { filters, number = 1 }: ListQuery): PageExtent {
  if (members.length < listed.length) return 'truncated'
  if (number > 1) return 'laterPage'
  return filters.length > 0 ? 'filtered' : 'complete'
}

/** See decision 009. An empty later page does not show whether members precede it, so both are correct. */
function combineExtents(extents: readonly PageExtent[]): 'truncated' | 'complete' | 'either' {
  if (extents.includes('complete')) return 'complete'
  if (extents.includes('truncated')) return 'truncated'
  return extents.includes('laterPage') ? 'either' : 'complete'
}

/** The linkage of one page is ordered. The linkage of several pages is merged, in any order. */
export class Linkage {
  readonly lists: readonly (readonly { type: string; id: string }[])[]
  readonly extent: 'truncated' | 'complete' | 'either'

  constructor(
    lists: readonly (readonly { type: string; id: string }[])[],
    extent: 'truncated' | 'complete' | 'either',
  ) {
    this.lists = lists
    this.extent = extent
  }
}

/** Only the fieldset of the nearest base applies. Fields declared below that base stay. */
function visibleFields(type: string, fields: Query['fields']): (name: string) => boolean {
  const fieldsetType = TYPES.lineage(type).find((each) => fields.has(each))
  if (fieldsetType === undefined) return () => true
  const names = fields.get(fieldsetType) ?? []
  return (name) => !TYPES.isSameOrDerivedType(fieldsetType, TYPES.declaringType(type, name)) || names.includes(name)
}

function identify({ type, id }: Row): { type: string; id: string } {
  return { type, id }
}

function pathOf({ type, id }: Row): string {
  return `/${type}/${encodeURIComponent(id)}`
}

// Compares links by their path and their parameters in order.

function selfLink(query: Query): Record<string, string> {
  return { self: createLink(query, printParameters(query)) }
}

function pageLinks(query: Query, total: number): Record<string, string | null> {
  const { size = DEFAULT_SIZE, number = 1 } = query.listing
  const last = Math.ceil(total / size)
  const to = (page: number) =>
    createLink(
      query,
      printParameters({ ...query, listing: { ...query.listing, number: page === 1 ? undefined : page } }),
    )
  return {
    first: to(1),
    last: last === 0 ? null : to(last),
    prev: number === 1 || last === 0 ? null : to(Math.min(number - 1, last)),
    next: number < last ? to(number + 1) : null,
  }
}

function createLink({ endpoint }: Query, parameters: readonly (readonly [string, string])[]): string {
  return normalizeLink(printPath(endpoint), parameters)
}

/** The position of `page[number]` among other parameters does not matter. */
export function normalizeLink(path: string, parameters: readonly (readonly [string, string])[]): string {
  const rest = parameters.flatMap(([name, value]) => {
    if (name !== 'page[number]') return [`${name}=${value}`]
    const parts = value.split(',').filter((part) => part !== '1')
    return parts.length === 0 ? [] : [`${name}=${parts.toSorted().join()}`]
  })
  return [decodeURIComponent(path), ...rest.toSorted()].join('\n')
}
