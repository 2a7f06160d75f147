import fc from 'fast-check'
import type { Response } from 'supertest'
import { selfAndAncestors } from '../../src/graph/inheritance'
import type { Field } from '../../src/graph/resource-graph'
import { ACCOUNTS } from '../support/accounts'
import { BLOGS } from '../support/blogs'

import { VEHICLES } from '../support/vehicles'
import { ACCEPT } from '../support/walk'
import { filters } from './support/filters'
import { type Hiding, makeHiding, withoutHidden } from './support/hiding'
import { type Capable, type QueryStrings, queryStrings } from './support/query-strings'
import { atLeast, holdsFor, randomOf, SEED, TIME_LIMIT } from './support/random'
import { type Row, valuesIn } from './support/rows'
import { makeRows } from './support/stored-rows'
import { openWorld, type World } from './support/world'

// One database holds what rules hide; the other holds no hidden row, and other values and links in hidden fields. Clients can't tell them
// apart: not a byte of any answer depends on what is hidden.

jest.setTimeout(TIME_LIMIT)

describe.each([
  ['a hierarchy', VEHICLES, 1],
  ['a hierarchy under other rules', VEHICLES, 2],
  ['values of every type', BLOGS, 3],
  ['fields without capabilities', ACCOUNTS, 4],
  ['fields without capabilities under other rules', ACCOUNTS, 5],
])('%s', (_name, resources, nth) => {
  const random = randomOf(SEED * 100 + nth)
  let hiding: Hiding
  let whole: World
  let bare: World
  let answered = 0

  beforeAll(async () => {
    whole = await openWorld({
      resources,
      makeRows: (dataSource, graph) => makeRows({ dataSource, graph, random, each: () => 8 }),
      definitions(known) {
        hiding = makeHiding(known, random)
        return hiding.definitions
      },
    })
    const rows = withoutHidden(whole.rows, hiding, random)
    bare = await openWorld({ resources, makeRows: () => rows, definitions: () => hiding.definitionsOfFields })
  })
  afterAll(() => Promise.all([whole.close(), bare.close()]))

  it('sends the same responses with and without hidden rows and fields', async () => {
    expect(bare.rows.length).toBeLessThan(whole.rows.length)
    const runs = 35
    const asked = fc.record({ url: urls(), headers: fc.constantFrom({}, ACCEPT) })
    await holdsFor(asked, runs, async ({ url, headers }) => {
      const { body, status } = await getFromBoth(url, headers)
      if (status === 200) answered += 1
      const next = body.links?.next
      if (typeof next === 'string') await getFromBoth(next, headers)
    })
    expect(answered).toBeGreaterThan(atLeast(runs / 4))
  })

  async function getFromBoth(url: string, headers: typeof ACCEPT | object): Promise<Response> {
    const [one, other] = [await whole.get(url).set({ ...headers }), await bare.get(url).set({ ...headers })]
    expect(facts(one)).toEqual(facts(other))
    expect(one.status).toBeLessThan(500)
    return one
  }

  function facts({ status, headers, body, text }: Response) {
    // Behind the point it tells of the bytes; before it of the state, which is a secret's hash of keys of hidden rows as well.
    const etag = headers.etag?.split('.').at(-1)
    return { status, etag, document: body, text }
  }

  /** All endpoints, rows that are hidden too; most queries keep to what capabilities and rules allow. */
  function urls(): fc.Arbitrary<string> {
    const { graph, rows } = whole
    const known = valuesIn(rows)
    // What a rule hides anywhere is left out too: to name it is a mistake there.
    const isNamed = (field: Field) => field.declaringType.concreteTypes.every((type) => hiding.shows(type, field))
    const capable: Capable = (field, use) =>
      (field.capabilities as readonly string[]).includes(use) && (field.name === 'id' || isNamed(field))
    const allowed = queryStrings(
      graph,
      filters(known, (field) => capable(field, 'filter')),
      capable,
    )
    const strings = fc.constantFrom(allowed, allowed, allowed, queryStrings(graph, filters(known)))
    const types = fc.constantFrom(...graph.types.values())
    const collections = fc
      .tuple(types, strings)
      .chain(([type, { ofList }]) => ofList(type).map((text) => `/${type.name}?${text}`))
    return fc.oneof(
      collections,
      fc.tuple(fc.constantFrom(...rows), strings).chain(([row, each]) => urlsAt(row, each)),
    )
  }

  function urlsAt(row: Row, { ofOne, ofList, ofLinkage }: QueryStrings): fc.Arbitrary<string> {
    const { type } = row
    const base = fc.constantFrom(...selfAndAncestors(type)).map(({ name }) => `/${name}/${encodeURIComponent(row.id)}`)
    const end = (text: fc.Arbitrary<string>, path: string) =>
      fc.tuple(base, text).map(([start, query]) => `${start}${path}?${query}`)
    const ends = type.relationships.map((relationship) =>
      fc.oneof(
        end(
          relationship.kind === 'toMany' ? ofList(relationship.target, relationship.page) : ofOne(relationship.target),
          `/${relationship.name}`,
        ),
        end(ofLinkage(relationship), `/relationships/${relationship.name}`),
      ),
    )
    return fc.oneof(end(ofOne(type), ''), ...ends)
  }
})
