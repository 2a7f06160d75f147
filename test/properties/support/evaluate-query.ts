import type { PageOptions } from '../../../src/declarations/field-options'
import { hasField, isA } from '../../../src/graph/inheritance'
import type { Relationship, ResourceType } from '../../../src/graph/resource-graph'
import type { Filter, IncludeNode, PageRequest, Query, ScopedQuery, SortKey } from '../../../src/query/ast'
import { compareRows, holds } from './evaluate-filter'
import { type Row, relatedRows } from './rows'
import type { Order } from './world'

/** A row at one place of a document, with what is included from there. */
export interface Placed {
  readonly row: Row
  readonly related: ReadonlyMap<Relationship, readonly Placed[]>
}

export interface Answered {
  readonly primary: readonly Placed[]
  /** Of all that match, on all pages. */
  readonly total: number
  readonly hasNext: boolean
}

/** Where a list of rows comes from, and how it is cut. */
export interface Listed {
  readonly rows: readonly Row[]
  readonly type: ResourceType
  readonly page: PageOptions | 'off'
}

export function evaluateList({ rows, type, page }: Listed, query: Query, order: Order): Answered {
  const sorted = select(rows, type, query, order)
  const { cut, hasNext } = cutPage(sorted, query.page, page)
  return { primary: place(cut, query.include ?? [], [], query.scoped, order), total: sorted.length, hasNext }
}

/** One row, or none; only what is included can be filtered, sorted and paged. */
export function evaluateOne(row: Row | undefined, query: Query, order: Order): readonly Placed[] {
  return place(row === undefined ? [] : [row], query.include ?? [], [], query.scoped, order)
}

interface Selection {
  readonly filter: Filter | undefined
  readonly sort: readonly SortKey[]
}

function select(rows: readonly Row[], type: ResourceType, { filter, sort }: Selection, order: Order): readonly Row[] {
  const matching = rows.filter((row) => filter === undefined || holds(filter, row, order))
  const byId: SortKey = { direction: 'ascending', by: { kind: 'attributePath', hops: [], type, attribute: type.id } }
  return matching.toSorted((one, other) => compareRows(one, other, [...sort, byId], order))
}

function cutPage(
  rows: readonly Row[],
  asked: PageRequest,
  page: PageOptions | 'off',
): { readonly cut: readonly Row[]; readonly hasNext: boolean } {
  const size = page === 'off' ? null : (asked.size ?? page.size)
  if (size === null) return { cut: rows, hasNext: false }
  const start = ((asked.number ?? 1) - 1) * size
  return { cut: rows.slice(start, start + size), hasNext: rows.length > start + size }
}

function place(
  rows: readonly Row[],
  nodes: readonly IncludeNode[],
  path: readonly Relationship[],
  scoped: readonly ScopedQuery[],
  order: Order,
): readonly Placed[] {
  return rows.map((row) => {
    const followed = nodes.filter(({ relationship, from }) => isA(row.type, from) && hasField(row.type, relationship))
    const related = [...new Set(followed.map((node) => node.relationship))].map((relationship) => {
      const children = followed.flatMap((node) => (node.relationship === relationship ? node.children : []))
      const here = [...path, relationship]
      const rights = included(
        row,
        relationship,
        scoped.find((each) => isSame(each.path, here)),
        order,
      )
      return [relationship, place(rights, children, here, scoped, order)] as const
    })
    return { row, related: new Map(related) }
  })
}

function included(row: Row, relationship: Relationship, own: ScopedQuery | undefined, order: Order): readonly Row[] {
  const rights = relatedRows(row, relationship)
  if (relationship.kind === 'toOne') return rights
  const { target, page } = relationship
  const sorted = select(rights, target, { filter: own?.filter, sort: own?.sort ?? [] }, order)
  return cutPage(sorted, own?.page ?? { size: undefined, number: undefined }, page).cut
}

function isSame(one: readonly Relationship[], other: readonly Relationship[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}
