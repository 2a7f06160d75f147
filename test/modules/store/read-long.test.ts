import type { DataSource } from 'typeorm'
import { Caches } from '../../../src/cache/caches'
import { indexResourceDefinitionsByType } from '../../../src/definitions/definitions'
import { buildResourceGraph } from '../../../src/graph/build-graph'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { planCollection } from '../../../src/plan/plan-read'
import type { ReadPlan } from '../../../src/plan/read-plan'
import { createReadRulesFactory } from '../../../src/plan/read-rules'
import { parseQuery } from '../../../src/query/parse-query'
import type { ResourceStore } from '../../../src/store/store'
import { createTypeOrmStoreFactory } from '../../../src/store/typeorm/create-typeorm-store-factory'
import { hasQueryLoggerOrSubscriber } from '../../../src/store/typeorm/drivers/query-listeners'
import { setUp } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { DATABASE, openDatabase, openFile, SQLITE_DRIVER, type TestDatabase } from '../../support/database'

// Rows of long lists are read in windows where the driver supports it.

const COUNT = 5001

async function open(database: TestDatabase) {
  const { dataSource } = database
  const { describe: describeClass, buildStore } = createTypeOrmStoreFactory(dataSource)
  const options = {
    ...DEFAULT_API_OPTIONS,
    page: { size: null, maxSize: null, maxNumber: null },
    totals: false as const,
  }
  const graph = buildResourceGraph({ resources: BLOGS, describe: describeClass, options })
  const { store } = buildStore(graph, { ...options, caches: new Caches(), onError: () => {} })
  await fill(dataSource)
  const read = (type: string, query = '', total: ReadPlan['total'] = false) => {
    const found = graph.types.get(type)
    if (found === undefined) throw new Error(`No type ${type}.`)
    const rules = createReadRulesFactory(indexResourceDefinitionsByType([], graph), graph)(undefined)
    const plan = planCollection(found, parseQuery(query, 'collection', found, graph, options), rules)
    return store.readList({ ...plan, total })
  }
  return { ...database, store, read }
}

async function fill(dataSource: DataSource): Promise<void> {
  const blogs = dataSource.getRepository(Blog)
  const titles = Array.from({ length: COUNT }, (_, index) => ({ title: `Blog ${index}` }))
  for (let from = 0; from < COUNT; from += 400) await blogs.insert(titles.slice(from, from + 400))
}

async function sizesOf(result: Awaited<ReturnType<ResourceStore['read']>>): Promise<readonly number[]> {
  const sizes: number[] = []
  for await (const rows of result.batches ?? []) sizes.push(rows.length)
  return sizes
}

const places: readonly Place[] = [
  ['in the database of the tests', () => openDatabase(BLOGS)],
  // Servers have no files that a process opens.
  ...(DATABASE === 'sqlite' ? [['in a file of SQLite', () => openFile(BLOGS)] as Place] : []),
]

type Place = readonly [name: string, open: () => Promise<TestDatabase>]

describe.each(places)('%s', (_, openPlace) => {
  const opened = setUp(async () => open(await openPlace()))
  let comesInWindows: boolean

  beforeAll(async () => {
    const { options } = opened.dataSource
    const isFile = SQLITE_DRIVER === 'better-sqlite3' && DATABASE === 'sqlite' && options.database !== ':memory:'
    comesInWindows = (options.type === 'postgres' || isFile) && !hasQueryLoggerOrSubscriber(opened.dataSource)
  })

  it('reads all rows of a long list in windows', async () => {
    const result = await opened.read('blogs')
    const sizes = await sizesOf(result)
    expect([...sizes, result.rows.length].reduce((one, other) => one + other)).toBe(COUNT)
    if (!comesInWindows) return
    expect(result.rows.length).toBe(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
  })

  it('reads a shorter list at once', async () => {
    const result = await opened.read('blogs', `page[size]=${COUNT - 1}`)
    expect([result.rows.length, result.batches === undefined]).toEqual([COUNT - 1, true])
  })

  it('reports whether rows follow a long page', async () => {
    const longest = await opened.read('blogs', `page[size]=${COUNT}`)
    expect([longest.hasMore, await sizesOf(longest).then((sizes) => sizes.length > 0)]).toEqual([false, comesInWindows])
    expect((await opened.read('blogs', `page[size]=${COUNT - 1}`)).hasMore).toBe(true)
  })

  it.each([
    ['a list without pages', { maxCount: 1000 }, '', { kind: 'exact', count: COUNT }],
    ['a list without pages', 'estimated', '', { kind: 'exact', count: COUNT }],
    ['a list without pages', false, '', undefined],
    ['a long page', { maxCount: 1000 }, `page[size]=${COUNT}`, { kind: 'over', count: 1000 }],
    ['a long page', 'exact', `page[size]=${COUNT}`, { kind: 'exact', count: COUNT }],
    ['a long page at the end', 'estimated', `page[size]=${COUNT}`, { kind: 'estimated', count: COUNT }],
  ] as const)('counts the rows of %s with totals %j', async (_what, total, query, expected) => {
    expect((await opened.read('blogs', query, total)).total).toEqual(expected)
  })

  it('estimates at least one row more than the page', async () => {
    const { manager } = opened.dataSource
    const added = await manager.insert(Blog, [{ title: 'One' }, { title: 'Two' }])
    const { total } = await opened.read('blogs', `page[size]=${COUNT + 1}`, 'estimated')
    await manager.delete(
      Blog,
      added.identifiers.map(({ id }) => id),
    )
    expect(total?.kind).toBe('estimated')
    expect(total?.count).toBeGreaterThanOrEqual(COUNT + 2)
  })

  it('holds no connection before rows are read or after they are abandoned', async () => {
    for (let each = 0; each < 30; each++) {
      const { batches: windows } = await opened.read('blogs')
      if (each % 2 === 0) continue
      for await (const _ of windows ?? []) break
    }
    await opened.dataSource.getRepository(Blog).insert({ title: 'Still' })
    expect((await opened.read('blogs', "filter=equals(title,'Still')")).rows.length).toBe(1)
  })
})
