import { buildApiWithCore } from '../../../src/express/create-json-api'
import { setUp } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { insertRow } from '../../support/rows'
import { clientOf, serve } from '../../support/server'

// Each API has its own caches, which are listed and cleared together.

const BOUNDS = { 'link parameters': 200, negotiations: 500, queries: 300, 'served descriptions': 1, statements: 1000 }
/** Of drivers that are called without TypeORM, and of writes in one statement. */
const DRIVER_BOUNDS = { 'names of prepared statements': 500, 'prepared statements': 100, 'trigger lookups': 1000 }
const database = setUp(() => openDatabase(BLOGS))
const one = setUp(start)
const other = setUp(start)
beforeAll(() => insertRow(database.dataSource, Blog, { title: 'one' }))

async function start() {
  const { dataSource } = database
  const { api, core } = buildApiWithCore({
    dataSource,
    resources: BLOGS,
    openApi: true,
    explorer: false,
    startupLog: false,
  })
  const server = await serve((request, response) => api.listener(request as never, response))
  return { ...clientOf(server.url), caches: core.caches, close: server.close }
}

/** A read, a write, and the description. */
async function ask(): Promise<readonly unknown[]> {
  const data = { type: 'blogs', id: '1', attributes: { title: 'one' } }
  const { body } = await one.get('/blogs?sort=title&page[size]=2').expect(200)
  await one.patch('/blogs/1').send({ data }).expect(204)
  return [body, (await one.get('/openapi.json').unchecked()).body]
}

it('have names and bounds', async () => {
  const responses = await ask()
  expect(await ask()).toEqual(responses)
  const usage = one.caches.usage()
  const bounds = Object.fromEntries(usage.map(({ name, maxEntries }) => [name, maxEntries]))
  expect(bounds).toMatchObject(BOUNDS)
  expect({ ...BOUNDS, ...DRIVER_BOUNDS }).toMatchObject(bounds)
  expect(usage.filter(({ entries, hits, misses }) => Math.min(entries, hits, misses) === 0)).toEqual([])
})

it('are empty once cleared, and fill again', async () => {
  const entries = () => one.caches.usage().map((each) => each.entries)
  const responses = await ask()
  one.caches.clear()
  expect(Math.max(...entries())).toBe(0)
  expect(await ask()).toEqual(responses)
  expect(Math.min(...entries())).toBeGreaterThan(0)
})

it('are not shared with another API on the same database', async () => {
  await ask()
  expect(other.caches.usage().filter(({ entries }) => entries > 0)).toEqual([])
  await other.get('/blogs').expect(200)
  expect(other.caches.usage().filter(({ hits }) => hits > 0)).toEqual([])
})
