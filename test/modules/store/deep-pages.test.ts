import { ref, setUp } from '../../support/api'
import { idsOf } from '../../support/expectations'
import { fetchPage } from '../../support/follow-pages'
import { insertRows } from '../../support/rows'
import { startServer, type TestServer } from '../../support/server'
import { Book, Film, Maker, SHELVES, Shelf, startShelves } from '../../support/shelves'
import { LAYOUT } from '../../support/table-layout'

// Deep pages are read by other statements than the first ones, and have the same rows.

const ROWS = 4300
const SIZE = 700
const page = { maxSize: null }
const counted = setUp(() => startShelves({ page }))
const uncounted = setUp(() => startServer({ dataSource: counted.dataSource, resources: SHELVES, page, totals: false }))

beforeAll(async () => {
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
    // Without the checks of each resource, which the pages have too.
    all = (await counted.get(`${list}&page[size]=${ROWS}`).unchecked()).body.data
    expect(all.length).toBeGreaterThan(4 * SIZE)
  })

  it.each([
    [7, SIZE],
    [51, 40],
    [54, 40],
    [71, 40],
    [88, 40],
    // The last page of books, and of things.
    [96, 40],
    [108, 40],
    [70, 37],
    [2801, 1],
  ])('returns the same rows as the whole list on page %i of size %i', async (number, size) => {
    const rows = all.slice((number - 1) * size, number * size)
    const known = await pageOf(counted, number, size)
    expect(known.data).toEqual(rows)
    expect(known.meta).toEqual({ total: all.length })
    expect(typeof known.links.next).toBe(number * size < all.length ? 'string' : 'object')
    const unknown = await pageOf(uncounted, number, size)
    expect({ data: unknown.data, next: unknown.links.next }).toEqual({ data: rows, next: known.links.next })
  })

  it('returns no rows after the last page', async () => {
    const { data, meta, links } = await pageOf(counted, 9)
    expect({ data, meta, next: links.next }).toEqual({ data: [], meta: { total: all.length }, next: null })
    expect((await pageOf(uncounted, 9)).data).toEqual([])
  })
})

describe('the statements for a page', () => {
  const statementsOf = (server: TestServer, path: string) => counted.statementsOf(() => server.get(path))

  it('read from the nearer end when the total is known', async () => {
    expect(await statementsOf(counted, '/makers?page[size]=1')).toHaveLength(1)
    const deep = await statementsOf(counted, `/things?page[size]=${SIZE}&page[number]=6`)
    expect(deep).toEqual([expect.stringContaining('count(*)'), expect.stringContaining(' desc')])
    const near = await statementsOf(counted, '/things?page[size]=100&page[number]=21')
    expect(near).toEqual([expect.stringContaining('count(*)'), expect.not.stringContaining(' desc')])
  })

  it('read from the end only when the total is exact', async () => {
    const page = '/things?sort=rank&page[size]=100&page[number]=41'
    const rows = (await uncounted.get(page)).body.data
    for (const [totals, isBackwards] of [
      [{ maxCount: ROWS }, true],
      [{ maxCount: ROWS - 1 }, false],
      ['estimated', false],
    ] as const) {
      const server = await startServer({ dataSource: counted.dataSource, resources: SHELVES, totals })
      const [count, select = '', ...others] = await statementsOf(server, page)
      expect([count, others]).toEqual([expect.stringContaining('count(*)'), []])
      expect([totals, select.includes(' desc')]).toEqual([totals, isBackwards])
      expect((await server.get(page)).body.data).toEqual(rows)
      await server.close()
    }
  })

  it('are only the count after the last page', async () => {
    expect(await statementsOf(counted, `/things?page[size]=${ROWS}&page[number]=2`)).toEqual([
      expect.stringContaining('count(*)'),
    ])
  })

  it('read the keys first, unless the order needs other tables', async () => {
    const keysFirst = (text: string) => text.includes('page cross join')
    const isOneTable = LAYOUT !== 'tablePerConcreteClass'
    const found = async (path: string) => (await statementsOf(uncounted, path)).map(keysFirst)
    expect(await found('/things?sort=-grade&page[size]=1000&page[number]=3')).toEqual([isOneTable])
    expect(await found('/books?sort=-grade&page[size]=1000&page[number]=3')).toEqual([true])
    expect(await found('/books?sort=maker.name&page[size]=1000&page[number]=3')).toEqual([false])
    expect(await found('/things?sort=-grade&page[size]=1000&page[number]=2')).toEqual([LAYOUT === 'joined'])
    expect(await found('/things?page[size]=10')).toEqual([false])
  })

  it('read the rows first when they lock them for If-Match', async () => {
    const path = '/shelves/1/relationships/things'
    const { headers, body } = await counted.get(`${path}?page[size]=1000&page[number]=3`)
    const add = () =>
      counted
        .post(path)
        .send({ data: [body.data[0]] })
        .set('if-match', headers.etag ?? 'none')
    const statements = await counted.statementsOf(() => add().expect(204))
    expect(statements.filter((text) => text.includes('for update') && text.includes('page cross join'))).toEqual([])
  })

  it('return the same rows with cursors', async () => {
    const { links } = (await fetchPage(counted, '/things?sort=grade&page[size]=2100')).body
    const numbered = await counted.get('/things?sort=grade&page[size]=2100&page[number]=2')
    expect(idsOf(await fetchPage(counted, links.next))).toBe(idsOf(numbered))
  })
})
