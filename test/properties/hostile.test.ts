import fc from 'fast-check'
import { BLOGS } from '../support/blogs'
import { getRaw } from '../support/raw-http'
import { setUp } from '../support/set-up'
import { VEHICLES } from '../support/vehicles'
import { filters } from './support/filters'
import { hostileTexts, mutated } from './support/hostile-texts'
import { pathsOf } from './support/paths'
import { queryStrings } from './support/query-strings'
import { holdsFor, randomOf, SEED, TIME_LIMIT } from './support/random'
import { valuesIn } from './support/rows'
import { makeRows } from './support/stored-rows'
import { openWorld } from './support/world'

// Any request gets a document, in time, and no 5xx.

jest.setTimeout(TIME_LIMIT)

const RUNS = 40

const world = setUp(() =>
  openWorld({
    resources: [...BLOGS, ...VEHICLES],
    makeRows: (dataSource, graph) => makeRows({ dataSource, graph, random: randomOf(SEED), each: () => 4 }),
  }),
)

afterEach(async () => {
  expect((await getRaw(world.url, '/articles')).body.data).toHaveLength(4)
})

it('answers random query strings', async () => {
  const asked = fc
    .record({ path: pathsOf(world), text: hostileTexts })
    .map(({ path, text }) => ({ url: `${path}?${text}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers random values of parameters', async () => {
  const names = [
    ...['filter', 'sort', 'include', 'page[size]', 'page[number]', 'page[after]', 'page[before]', 'fields[articles]'],
    ...['filter[comments]', 'sort[wheels]'],
  ]
  const asked = fc
    .record({ path: pathsOf(world), name: fc.constantFrom(...names), text: hostileTexts })
    .map(({ path, name, text }) => ({ url: `${path}?${name}=${text}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers mutated query strings', async () => {
  const strings = queryStrings(world.graph, filters(valuesIn(world.rows)))
  const asked = fc.constantFrom(...world.graph.types.values()).chain((type) =>
    mutated(fc.oneof(strings.ofList(type), strings.ofList(type).map(decoded))).map((text) => ({
      url: `/${type.name}?${text}`,
    })),
  )
  await holdsFor(asked, RUNS, check)
})

it('answers random ids', async () => {
  const asked = fc
    .record({
      type: fc.constantFrom(...world.graph.types.keys()),
      id: hostileTexts.map((text) => text.replaceAll(/[?#]/g, '%3f')),
      end: fc.constantFrom('', '/articles', '/relationships/tags', '/wheels', '/relationships/vehicle', '/parent'),
    })
    .map(({ type, id, end }) => ({ url: `/${type}/${id}${end}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers mutated paths', async () => {
  // In Express a path with a '#' behind two slashes is none: it answers by itself.
  const asked = mutated(pathsOf(world)).map((path) => ({ url: `/${path.replaceAll('#', '%23')}` }))
  await holdsFor(asked, RUNS, check)
})

async function check({ url }: { readonly url: string }): Promise<void> {
  const { status, body } = await getRaw(world.url, url)
  expect({ status: status < 500, document: body }).toEqual({ status: true, document: expect.anything() })
}

/** As far as it can be sent. */
function decoded(text: string): string {
  return decodeURIComponent(text).replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
}
