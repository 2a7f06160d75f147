import fc from 'fast-check'
import type { Response } from 'supertest'
import type { TotalOption } from '../../src/declarations/field-options'
import { findFields, selfAndAncestors } from '../../src/graph/inheritance'
import type { Relationship, ResourceType, StoredType } from '../../src/graph/resource-graph'
import type { Query } from '../../src/query/ast'
import { parseQuery, parseRelatedQuery, parseRelationshipQuery } from '../../src/query/parse-query'
import { BLOGS } from '../support/blogs'
import { GRID } from '../support/grid'

import { VEHICLES } from '../support/vehicles'
import { evaluateList, evaluateOne, type Listed, type Placed } from './support/evaluate-query'
import { expectedLinkage, expectedResources, said } from './support/expected-document'
import { filters } from './support/filters'
import { type QueryStrings, queryStrings } from './support/query-strings'
import { holdsFor, randomOf, SEED, TIME_LIMIT } from './support/random'
import { type Row, relatedRows, rowsOfType, valuesIn } from './support/rows'
import { makeRows } from './support/stored-rows'
import { openWorld, UNLIMITED, type World, type WorldOptions } from './support/world'

// Whatever is asked, the answer is that of a plain walk over the rows in memory.

jest.setTimeout(TIME_LIMIT)

describe.each([
  ['values of every type', BLOGS, 35],
  ['a hierarchy', VEHICLES, 35],
  ['keys of several columns', GRID, 25],
])('%s', (_name, resources, runs) => {
  let world: World
  let strings: QueryStrings

  beforeAll(async () => {
    const each = ({ name }: StoredType) => (name === 'articles' || name === 'comments' ? 20 : 7)
    const makeAll: WorldOptions['makeRows'] = (dataSource, graph) =>
      makeRows({ dataSource, graph, random: randomOf(SEED), each })
    world = await openWorld({ resources, makeRows: makeAll })
    strings = queryStrings(world.graph, filters(valuesIn(world.rows)))
  })
  afterAll(() => world.close())

  it('returns the expected collection', async () => {
    const asked = types().chain((type) =>
      strings.ofList(type).map((text) => ({ url: `/${type.name}?${text}`, type, text })),
    )
    await holdsFor(asked, runs * 2, async ({ url, type, text }) => {
      const query = parseQuery(text, 'collection', type, world.graph, UNLIMITED)
      const rows = rowsOfType(world.rows, type)
      const answer = await get(url)
      const primary = evaluatePage({ ...type, type, rows }, query, answer)
      expect(said(answer)).toEqual(expectedResources(primary, query))
    })
  })

  it('returns the expected resource', async () => {
    const asked = addresses().chain((address) =>
      strings.ofOne(address.row.type).map((text) => ({ ...address, text, url: `${address.url}?${text}` })),
    )
    await holdsFor(asked, Math.ceil(runs / 2), async ({ url, row, text }) => {
      const query = parseQuery(text, 'single', row.type, world.graph, UNLIMITED)
      expect(said(await get(url))).toEqual(expectedResources(evaluateOne(row, query, world.order), query))
    })
  })

  it('returns the expected related resources', async () => {
    const asked = ends().chain(({ url, row, relationship }) => {
      const { kind, target } = relationship
      const texts = kind === 'toMany' ? strings.ofList(target, relationship.page) : strings.ofOne(target)
      return texts.map((text) => ({ url: `${url}/${relationship.name}?${text}`, row, relationship, text }))
    })
    await holdsFor(asked, runs, async ({ url, row, relationship, text }) => {
      const query = parseRelatedQuery(text, relationship, world.graph, UNLIMITED)
      const answer = await get(url)
      const primary = evaluateEnd(row, relationship, query, answer)
      expect(said(answer)).toEqual(expectedResources(primary, query))
    })
  })

  it('returns the expected linkage', async () => {
    const asked = ends().chain(({ url, row, relationship }) =>
      strings
        .ofLinkage(relationship)
        .map((text) => ({ url: `${url}/relationships/${relationship.name}?${text}`, row, relationship, text })),
    )
    await holdsFor(asked, runs, async ({ url, row, relationship, text }) => {
      const query = parseRelationshipQuery(text, relationship, world.graph, UNLIMITED)
      const answer = await get(url)
      const primary = evaluateEnd(row, relationship, query, answer)
      expect(said(answer)).toEqual(expectedLinkage(primary, query))
    })
  })

  async function get(url: string): Promise<Response> {
    const answer = await world.get(url)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    return answer
  }

  function evaluateEnd(row: Row, relationship: Relationship, query: Query, answer: Response): readonly Placed[] {
    const rows = relatedRows(row, relationship)
    if (relationship.kind === 'toOne') return evaluateOne(rows[0], query, world.order)
    return evaluatePage({ ...relationship, type: relationship.target, rows }, query, answer)
  }

  /** The pages that there are must be told as well. */
  function evaluatePage(list: Listed & { readonly totals: TotalOption }, query: Query, answer: Response) {
    const { primary, total, hasNext } = evaluateList(list, query, world.order)
    const { meta, links } = answer.body
    expect([meta?.total, typeof links.next === 'string']).toEqual([
      list.totals === 'exact' ? total : undefined,
      hasNext,
    ])
    return primary
  }

  function types(): fc.Arbitrary<ResourceType> {
    return fc.constantFrom(...world.graph.types.values())
  }

  /** A row, under its own type or one above it. */
  function addresses() {
    return fc
      .constantFrom(...world.rows)
      .chain((row) =>
        fc.constantFrom(...selfAndAncestors(row.type)).map((type) => ({ url: urlOf(type, row), row, type })),
      )
  }

  /** With a relationship that its stored type has, and the other type or a type below it. */
  function ends() {
    return addresses()
      .filter(({ row }) => row.type.relationships.length > 0)
      .chain((address) =>
        fc.constantFrom(...address.row.type.relationships).map((relationship) => ({ ...address, relationship })),
      )
      .filter(({ type, relationship }) => findFields(type, relationship.name).length > 0)
  }
})

function urlOf({ name }: ResourceType, { id }: Row): string {
  return `/${name}/${encodeURIComponent(id)}`
}
