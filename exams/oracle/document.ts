import type { Include, Listing, Query, SortKey } from '../query/ast'
import { printParameters, printPath } from '../query/print'
import { isToMany } from '../shared/model'
import type { Row } from '../shared/rows'
import type { World } from './evaluate'
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

/** Whether a page has all members, all members that the client's filter matches, or only some. */
type Mark = 'whole' | 'filtered' | 'cut' | 'beyond'

/** How the linkage of a relationship was reached: several times if the resource occurs at several places. */
interface Shown {
  readonly members: readonly Row[]
  readonly mark: Mark
}

export function expectedDocument(query: Query, world: World): Expected {
  const { place, includes = [] } = query
  if (place.kind === 'collection') {
    const rows = world.list(world.all(place.type), query.listing)
    return listDocument(query, rows, world)
  }
  const row = world.find(place.type, place.id)
  if (row === undefined) return { status: 404 }
  const shown = new Shelf(world)
  if (place.kind === 'resource') {
    shown.include([row], includes)
    return { status: 200, data: shown.print(row, query), ...shown.rest([row], query), links: selfOf(query) }
  }
  const relationship = TYPES.relationships(row.type).get(place.field)
  if (relationship === undefined) return { status: 404 }
  const rights = world.related(row, place.field)
  const related = place.kind === 'linkage' ? { related: meaningOf(`${pathOf(row)}/${place.field}`, []) } : {}
  if (isToMany(relationship)) return listDocument(query, world.list(rights, query.listing), world, related)
  shown.include(rights, includes)
  const [right] = rights
  const links = { ...selfOf(query), ...related }
  if (place.kind === 'linkage')
    return { status: 200, data: right === undefined ? null : identify(right), ...shown.rest([], query, rights), links }
  return {
    status: 200,
    data: right === undefined ? null : shown.print(right, query),
    ...shown.rest(rights, query),
    links,
  }
}

/** The whole list in cursor order, where the id is sorted in the direction of the last key. `undefined`: the location shows no list. */
export function expectedOrder({ place, listing }: Query, world: World): readonly string[] | undefined {
  const isDescending = listing.sort.at(-1)?.isDescending === true
  const keys = (rows: readonly Row[]) => {
    const [{ type } = { type: '' }] = rows
    if (type === '') return []
    const id: SortKey = {
      isDescending,
      by: { kind: 'attribute', steps: [], end: { field: 'id', of: TYPES.rootOf(type) }, model: TYPES.idModel(type) },
    }
    return world.list(rows, { ...listing, sort: [...listing.sort, id] }).map((row) => `${row.type} ${row.id}`)
  }
  if (place.kind === 'collection') return keys(world.all(place.type))
  const row = world.find(place.type, place.id)
  if (row === undefined || place.kind === 'resource') return undefined
  const relationship = TYPES.relationships(row.type).get(place.field)
  return relationship !== undefined && isToMany(relationship) ? keys(world.related(row, place.field)) : undefined
}

function listDocument(query: Query, all: readonly Row[], world: World, more: Record<string, string> = {}): Expected {
  const { listing, includes = [], place } = query
  const rows = pageOf(all, listing)
  const shown = new Shelf(world)
  shown.include(rows, includes)
  const isLinkage = place.kind === 'linkage'
  return {
    status: 200,
    data: rows.map((row) => (isLinkage ? identify(row) : shown.print(row, query))),
    ...(isLinkage ? shown.rest([], query, rows) : shown.rest(rows, query)),
    links: { ...selfOf(query), ...more, ...pageLinks(query, all.length) },
    meta: { total: all.length },
  }
}

function pageOf(rows: readonly Row[], { size = DEFAULT_SIZE, number = 1 }: Listing): readonly Row[] {
  return rows.slice((number - 1) * size, number * size)
}

/** Collects the included resources and the visible linkage. */
class Shelf {
  private readonly world: World
  private readonly included = new Set<Row>()
  private readonly linkage = new Map<Row, Map<string, Shown[]>>()

  constructor(world: World) {
    this.world = world
  }

  include(rows: readonly Row[], includes: readonly Include[]): void {
    for (const { step, listing, below } of includes) {
      const found = rows
        .filter(({ type }) => TYPES.isA(type, step.of))
        .flatMap((row) => this.open(row, step.field, listing))
      for (const each of found) this.included.add(each)
      this.include(found, below)
    }
  }

  private open(row: Row, field: string, listing: Listing): readonly Row[] {
    const relationship = TYPES.relationships(row.type).get(field)
    const related = this.world.related(row, field)
    const listed = relationship !== undefined && isToMany(relationship) ? this.world.list(related, listing) : related
    const members = relationship !== undefined && isToMany(relationship) ? pageOf(listed, listing) : listed
    const known = this.linkage.get(row) ?? new Map<string, Shown[]>()
    known.set(field, [...(known.get(field) ?? []), { members, mark: markOf(members, listed, listing) }])
    this.linkage.set(row, known)
    return members
  }

  /** `roots`: the resources of a relationship endpoint, which are included too if `include` was sent. */
  rest(
    primary: readonly Row[],
    query: Query,
    roots: readonly Row[] = [],
  ): { included?: ReadonlyMap<string, unknown> | undefined } {
    if (query.includes === undefined) return {}
    for (const root of roots) this.included.add(root)
    const rows = [...this.included].filter((row) => !primary.includes(row))
    return { included: new Map(rows.map((row) => [`${row.type} ${row.id}`, this.print(row, query)])) }
  }

  print(row: Row, { fields }: Query): unknown {
    const isShown = shownFields(row.type, fields)
    const attributes = [...TYPES.attributes(row.type).keys()]
      .filter(isShown)
      .map((name) => [name, row.values[name] ?? null])
    const relationships = [...TYPES.relationships(row.type).keys()]
      .filter(isShown)
      .map((name) => [name, this.printRelationship(row, name)])
    return {
      type: row.type,
      id: row.id,
      ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
      ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
      links: { self: pathOf(row) },
    }
  }

  private printRelationship(row: Row, name: string): unknown {
    const path = pathOf(row)
    const links = { self: `${path}/relationships/${name}`, related: `${path}/${name}` }
    const shown = this.linkage.get(row)?.get(name)
    const relationship = TYPES.relationships(row.type).get(name)
    if (shown === undefined || relationship === undefined) return { links }
    if (!isToMany(relationship)) {
      const [right] = shown.flatMap(({ members }) => members)
      return { links, data: right === undefined ? null : identify(right) }
    }
    return {
      links,
      data: new Linkage(
        shown.map(({ members }) => members.map(identify)),
        togetherOf(shown.map(({ mark }) => mark)),
      ),
    }
  }
}

function markOf(members: readonly Row[], listed: readonly Row[], { filters, number = 1 }: Listing): Mark {
  if (members.length < listed.length) return 'cut'
  if (number > 1) return 'beyond'
  return filters.length > 0 ? 'filtered' : 'whole'
}

/** Decision 009. An empty page after a cursor cannot know that nothing precedes it. */
function togetherOf(marks: readonly Mark[]): 'cut' | 'whole' | 'either' {
  if (marks.includes('whole')) return 'whole'
  if (marks.includes('cut')) return 'cut'
  return marks.includes('beyond') ? 'either' : 'whole'
}

/** Linkage that was reached once is in order. Linkage that was reached several times is merged, in any order. */
export class Linkage {
  readonly lists: readonly (readonly { type: string; id: string }[])[]
  readonly mark: 'cut' | 'whole' | 'either'

  constructor(lists: readonly (readonly { type: string; id: string }[])[], mark: 'cut' | 'whole' | 'either') {
    this.lists = lists
    this.mark = mark
  }
}

/** Only the fieldset of the nearest base applies. Fields declared below that base stay. */
function shownFields(type: string, fields: Query['fields']): (name: string) => boolean {
  const limited = TYPES.chain(type).find((each) => fields.has(each))
  if (limited === undefined) return () => true
  const names = fields.get(limited) ?? []
  return (name) => !TYPES.isA(limited, TYPES.declaring(type, name)) || names.includes(name)
}

function identify({ type, id }: Row): { type: string; id: string } {
  return { type, id }
}

function pathOf({ type, id }: Row): string {
  return `/${type}/${encodeURIComponent(id)}`
}

// Compares links by their path and their parameters in order.

function selfOf(query: Query): Record<string, string> {
  return { self: linkTo(query, printParameters(query)) }
}

function pageLinks(query: Query, total: number): Record<string, string | null> {
  const { size = DEFAULT_SIZE, number = 1 } = query.listing
  const last = Math.ceil(total / size)
  const to = (page: number) =>
    linkTo(query, printParameters({ ...query, listing: { ...query.listing, number: page === 1 ? undefined : page } }))
  return {
    first: to(1),
    last: last === 0 ? null : to(last),
    prev: number === 1 || last === 0 ? null : to(Math.min(number - 1, last)),
    next: number < last ? to(number + 1) : null,
  }
}

function linkTo({ place }: Query, pairs: readonly (readonly [string, string])[]): string {
  return meaningOf(printPath(place), pairs)
}

/** The position of `page[number]` among other parameters does not matter. */
export function meaningOf(path: string, pairs: readonly (readonly [string, string])[]): string {
  const rest = pairs.flatMap(([name, value]) => {
    if (name !== 'page[number]') return [`${name}=${value}`]
    const parts = value.split(',').filter((part) => part !== '1')
    return parts.length === 0 ? [] : [`${name}=${parts.toSorted().join()}`]
  })
  return [decodeURIComponent(path), ...rest.toSorted()].join('\n')
}
