import type { TotalOption } from '../../../src/declarations/field-options'
import { CURSOR_PAGINATION } from '../../../src/document/cursor-profile'
import { ref, type TestApi } from '../../support/api'
import { TABLES } from '../../support/lay-tables'
import { insertRows } from '../../support/rows'
import { startServer, type TestServer } from '../../support/server'
import { Book, Film, Maker, SHELVES, Shelf, startShelves } from '../../support/shelves'

// Deep pages are read in other ways than the first ones, and have the same rows: those that the whole list has there.

const ROWS = 4300
const SIZE = 700

let counted: TestApi
let uncounted: TestServer

beforeAll(async () => {
  const page = { maximumSize: null }
  counted = await startShelves({ page })
  uncounted = await startServer({ dataSource: counted.dataSource, resources: SHELVES, page, totals: 'off' })
  for (const name of ['M', null, 'N']) await counted.add(Maker, { name })
  await counted.add(Shelf)
  const rows = Array.from({ length: ROWS }, (_, each) => ({
    name: `n${each % 40}`,
    rank: (each * 7) % 90,
    grade: each % 3 === 0 ? null : each % 11,
    state: [null, 'poor', 'bad', 'good'][each % 4],
    maker: each % 5 === 4 ? null : ref(String(1 + (each % 3))),
    shelf: ref('1'),
  }))
  await insertRows(
    counted.dataSource,
    Book,
    rows.filter((_, each) => each % 9 > 0).map((row, each) => ({ ...row, pages: each % 4 ? each % 50 : null })),
  )
  await insertRows(
    counted.dataSource,
    Film,
    rows.filter((_, each) => each % 9 === 0),
  )
}, 120_000)
afterAll(async () => {
  await uncounted.close()
  await counted.close()
})

describe.each([
  ['/things?'],
  ['/things?sort=-id'],
  ['/things?sort=grade'],
  ['/things?sort=-grade,name'],
  ['/things?sort=state,-rank'],
  ['/things?sort=-books:pages'],
  ['/things?sort=maker.name'],
  ["/things?filter=not(equals(grade,'4'))&sort=-name"],
  ["/things?filter=or(equals(maker.name,null),equals(maker.name,'N'))&sort=rank"],
  ['/books?sort=pages&include=maker'],
  ['/shelves/1/things?sort=grade'],
  ['/shelves/1/relationships/things?sort=-grade'],
])('%s', (list) => {
  const pageOf = async (server: TestServer, number: number, size = SIZE) =>
    (await server.get(`${list}&page[size]=${size}&page[number]=${number}`)).body
  let all: readonly unknown[]

  beforeAll(async () => {
    all = (await counted.get(`${list}&page[size]=${ROWS}`)).body.data
    expect(all.length).toBeGreaterThan(4 * SIZE)
  })

  it.each([
    ...[3, 4, 5, 6, 7].map((number) => [number, SIZE]),
    ...[
      [21, 100],
      [22, 100],
      [70, 37],
      [2801, 1],
    ],
  ] as [number, number][])('has on page %i, of %i, what the whole list has there', async (number, size) => {
    const rows = all.slice((number - 1) * size, number * size)
    const known = await pageOf(counted, number, size)
    expect(known.data).toEqual(rows)
    expect(known.meta).toEqual({ total: all.length })
    expect(typeof known.links.next).toBe(number * size < all.length ? 'string' : 'object')
    const unknown = await pageOf(uncounted, number, size)
    expect({ data: unknown.data, next: unknown.links.next }).toEqual({ data: rows, next: known.links.next })
  })

  it('has nothing behind the end', async () => {
    const { data, meta, links } = await pageOf(counted, 9)
    expect({ data, meta, next: links.next }).toEqual({ data: [], meta: { total: all.length }, next: null })
    expect((await pageOf(uncounted, 9)).data).toEqual([])
  })
})

describe('the way to a page', () => {
  const statementsOf = (server: TestServer, path: string) => counted.statementsOf(() => server.get(path))

  it('with a total is the one from the nearer end, behind the count', async () => {
    expect(await statementsOf(counted, '/makers?page[size]=1')).toHaveLength(1)
    const deep = await statementsOf(counted, `/things?page[size]=${SIZE}&page[number]=6`)
    expect(deep).toEqual([expect.stringContaining('count(*)'), expect.stringContaining(' desc')])
    const near = await statementsOf(counted, '/things?page[size]=100&page[number]=21')
    expect(near).toEqual([expect.stringContaining('count(*)'), expect.not.stringContaining(' desc')])
  })

  it('is that one only where the total is exact', async () => {
    const { dataSource } = counted
    const serve = (totals: TotalOption) => startServer({ dataSource, resources: SHELVES, totals })
    const page = '/things?sort=rank&page[size]=100&page[number]=41'
    const rows = (await uncounted.get(page)).body.data
    for (const [totals, isBackwards] of [
      [{ upTo: ROWS }, true],
      [{ upTo: ROWS - 1 }, false],
      ['estimated', false],
    ] as const) {
      const server = await serve(totals)
      const [count, select = '', ...others] = await statementsOf(server, page)
      expect([count, others]).toEqual([expect.stringContaining('count(*)'), []])
      expect([totals, select.includes(' desc')]).toEqual([totals, isBackwards])
      expect((await server.get(page)).body.data).toEqual(rows)
      await server.close()
    }
  })

  it('behind the end is none', async () => {
    expect(await statementsOf(counted, `/things?page[size]=${ROWS}&page[number]=2`)).toEqual([
      expect.stringContaining('count(*)'),
    ])
  })

  it('leads over the keys, unless the order needs other tables', async () => {
    const keysFirst = (text: string) => text.includes('page cross join')
    const isOneTable = TABLES !== 'perConcreteType'
    const found = async (path: string) => (await statementsOf(uncounted, path)).map(keysFirst)
    expect(await found('/things?sort=-grade&page[size]=1000&page[number]=3')).toEqual([isOneTable])
    expect(await found('/books?sort=-grade&page[size]=1000&page[number]=3')).toEqual([true])
    expect(await found('/books?sort=maker.name&page[size]=1000&page[number]=3')).toEqual([false])
    expect(await found('/things?sort=-grade&page[size]=1000&page[number]=2')).toEqual([false])
  })

  it('with cursors is another', async () => {
    const accept = `application/vnd.api+json;profile="${CURSOR_PAGINATION}"`
    const { body } = await counted.get('/things?sort=grade&page[size]=2100').set({ accept })
    const next = await counted.get(body.links.next).set({ accept })
    const { data } = (await counted.get('/things?sort=grade&page[size]=2100&page[number]=2')).body
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual(data.map(({ id }: { id: string }) => id))
  })
})
