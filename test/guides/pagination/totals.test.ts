import { Attribute, equals, not, ToMany } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { closeAfterAll, define, setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { ACCEPT } from '../../support/follow-pages'
import { StoredResource } from '../../support/resource-decorators'
import { quoted } from '../../support/row-tables'
import { insertRows } from '../../support/rows'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'
import { LAYOUT } from '../../support/table-layout'
import { Boat, Draft, Page, Tug, VESSELS } from '../../support/writing-models'

@StoredResource('posts')
class Post {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToMany({ totals: { maxCount: 3 } }) @OneToMany('Reply', 'post') replies: Reply[]
}

@StoredResource('replies')
class Reply {
  @PrimaryGeneratedColumn() id: number
  @ManyToOne('Post', 'replies', { nullable: true }) post: Post | null
}

const RESOURCES = [Post, Reply, Draft, Page, ...VESSELS]
const POSTS = 37
const api = setUp(() => startApi(RESOURCES))
const keep = closeAfterAll()
/** The same rows with other options. */
const serverWith = (options: Partial<ServerOptions>) => () =>
  startServer({ dataSource: api.dataSource, resources: RESOURCES, ...options })
const start = (options: Partial<ServerOptions>) => keep(serverWith(options)())

beforeAll(async () => {
  const posts = Array.from({ length: POSTS }, (_, each) => ({ title: `t${each % 4}` }))
  await insertRows(api.dataSource, Post, posts)
  const replies = Array.from({ length: 8 }, (_, each) => ({ post: { id: each < 5 ? 1 : 2 } }))
  await insertRows(api.dataSource, Reply, replies)
  const titled = { title: 'Draft' }
  await insertRows(api.dataSource, Draft, [titled, titled, { ...titled, deletedAt: new Date(0) }])
  for (const entity of [Boat, Boat, Boat, Tug, Tug]) await api.add(entity, { name: 'Vessel' })
})

/** The meta of a list, and whether it has the links last and next. */
async function summaryOf(server: TestServer, path: string, headers = {}): Promise<readonly unknown[]> {
  const { links, meta } = (await server.get(path).set(headers).expect(200)).body
  return [meta, 'last' in links, typeof links.next === 'string']
}

it('counts with the statement of the rows, or with one more behind the last page', async () => {
  const count = async (path: string) => (await api.statementsOf(() => api.get(path))).length
  for (const path of ['/posts', '/posts?page[number]=2', "/posts?filter=equals(title,'none')"])
    expect(await count(path)).toBe(1)
  expect(await count('/posts?page[number]=9')).toBe(2)
  expect((await api.get('/posts?page[number]=9')).body.meta).toEqual({ total: POSTS })
}) // anchor: R/N-05, R/P-20

it.each([{ totals: false }, { totals: false, page: { size: null } }] as const)(
  'writes no total and sends no other statement where totals are off: %j',
  async (options) => {
    const uncounted = await start(options)
    const statements = await api.statementsOf(async () => {
      expect((await uncounted.get('/posts')).body).not.toHaveProperty('meta')
    })
    expect(statements).toEqual([expect.not.stringMatching(/count\(/i)])
  },
) // anchor: R/P-20, R/M-02

describe('totals: { maxCount }', () => {
  const limited = setUp(serverWith({ totals: { maxCount: 20 }, includedPagination: true }))

  it.each([
    ['/posts', [{ totalOver: 20 }, false, true]],
    ['/posts?page[number]=4', [{ totalOver: 20 }, false, false]],
    ['/posts?page[number]=9', [{ totalOver: 20 }, false, false]],
    ["/posts?filter=equals(title,'t1')", [{ total: 9 }, true, false]],
    ["/posts?filter=lessThan(id,'20')", [{ total: 19 }, true, true]],
    ["/posts?filter=lessThan(id,'21')", [{ total: 20 }, true, true]],
    ["/posts?filter=lessThan(id,'22')", [{ totalOver: 20 }, false, true]],
    ["/posts?filter=equals(title,'none')", [{ total: 0 }, true, false]],
    ['/vessels', [{ total: 5 }, true, false]],
    ['/posts/1/replies', [{ totalOver: 3 }, false, false]],
    ['/posts/2/replies?page[size]=2', [{ total: 3 }, true, true]],
    ['/posts/1/relationships/replies', [{ totalOver: 3 }, false, false]],
  ])('counts up to the limit: %s', async (path, summary) => expect(await summaryOf(limited, path)).toEqual(summary))

  it('counts the tables of all types together', async () => {
    const few = await start({ totals: { maxCount: 4 } })
    expect(await summaryOf(few, '/vessels')).toEqual([{ totalOver: 4 }, false, false])
    expect(await summaryOf(await start({ totals: { maxCount: 5 } }), '/vessels')).toEqual([{ total: 5 }, true, false])
  })

  it('reads at most one row more than the limit', async () => {
    const [page = '', ...others] = await api.statementsOf(() => limited.get('/posts'))
    expect(others).toEqual([])
    expect(page).toMatch(/count\(\*\) as total from \(select 1 as there from \S+ t0 limit (\?|\$\d|21)\) counted\)/)
  })

  it('omits meta.page.total of the cursor profile when the limit is exceeded', async () => {
    expect(await summaryOf(limited, '/posts', ACCEPT)).toEqual([{ totalOver: 20 }, true, true])
    const few = "/posts?filter=equals(title,'t1')"
    expect(await summaryOf(limited, few, ACCEPT)).toEqual([{ total: 9, page: { total: 9 } }, true, false])
  })

  it('counts all rows, without a statement of its own, where there is only one page', async () => {
    const whole = await start({ totals: { maxCount: 20 }, page: { size: null } })
    const statements = await api.statementsOf(async () => {
      expect((await whole.get('/posts')).body.meta).toEqual({ total: POSTS })
    })
    expect(statements).toEqual([expect.not.stringMatching(/count\(/i)])
  }) // anchor: R/M-03

  it('counts included pages exactly', async () => {
    const { data } = (await limited.get('/posts/1?include=replies')).body
    expect(data.relationships.replies).toMatchObject({ meta: { total: 5 }, links: { last: expect.any(String) } })
  })
})

describe('totals: estimated', () => {
  const estimating = setUp(serverWith({ totals: 'estimated' }))
  beforeAll(() => analyze())

  /** Databases do it by themselves, at a time of their own. */
  async function analyze(): Promise<void> {
    if (DATABASE === 'sqlite') return
    const { dataSource } = api
    const created = dataSource.entityMetadatas.filter(({ synchronize }) => synchronize)
    const command = DATABASE === 'postgres' ? 'analyze' : 'analyze table'
    for (const tablePath of new Set(created.map((each) => each.tablePath)))
      await dataSource.query(`${command} ${quoted(dataSource, { tablePath })}`)
  }

  const about = (count: number) => ({ estimatedTotal: { bestGuess: count } })

  it.each([
    ['/posts', [about(POSTS), false, true]],
    ['/posts?page[number]=4', [about(POSTS), false, false]],
    ['/vessels?page[size]=2', [about(5), false, true]],
    // Filtered, related and soft-deleted rows are counted, and so is a branch that has no table of its own.
    ["/posts?filter=equals(title,'t1')", [{ total: 9 }, true, false]],
    ['/posts/2/replies', [{ total: 3 }, true, false]],
    ['/drafts', [{ total: 2 }, true, false]],
    ['/tugs', LAYOUT === 'tablePerConcreteClass' ? [about(2), false, false] : [{ total: 2 }, true, false]],
  ])('estimates the rows of tables: %s', async (path, summary) => {
    expect(await summaryOf(estimating, path)).toEqual(summary)
  })

  it('reads the statistics of the database', async () => {
    const [page, ...others] = await api.statementsOf(() => estimating.get('/posts'))
    expect(others).toEqual([])
    const source = { sqlite: 'count(*)', postgres: 'pg_class', mariadb: 'information_schema' }[DATABASE]
    expect(page).toContain(source)
  })

  it('counts where a definition hides rows', async () => {
    const definitions = [define(Post, { filter: () => not(equals('title', 't0')) })]
    const ruled = await start({ totals: 'estimated', definitions })
    expect(await summaryOf(ruled, '/posts')).toEqual([{ total: 27 }, true, true])
  })

  it('writes the estimate for the cursor profile as well', async () => {
    expect(await summaryOf(estimating, '/posts', ACCEPT)).toEqual([{ ...about(POSTS), page: about(POSTS) }, true, true])
  })

  it('is at least the number of rows read, and exact on the last page', async () => {
    await api.dataSource.getRepository(Reply).clear()
    await analyze()
    const replies = Array.from({ length: 9 }, () => ({}))
    await insertRows(api.dataSource, Reply, replies)
    const { body } = await estimating.get('/replies?page[size]=6')
    expect(body.meta.estimatedTotal.bestGuess).toBeGreaterThanOrEqual(7)
    expect(await summaryOf(estimating, '/replies?page[size]=6&page[number]=2')).toEqual([about(9), false, false])
    await api.dataSource.getRepository(Reply).clear()
    expect(await summaryOf(estimating, '/replies')).toEqual([about(0), false, false])
  })
})

it('counts a table without statistics', async () => {
  await api.dataSource.getRepository(Reply).clear()
  const fresh = await startApi([Post, Reply], { totals: 'estimated' })
  await insertRows(fresh.dataSource, Reply, [{}, {}, {}])
  const { body } = await fresh.get('/replies?page[size]=1')
  expect(body.meta.estimatedTotal.bestGuess).toBeGreaterThanOrEqual(2)
  if (DATABASE !== 'mariadb') expect(body.meta.estimatedTotal.bestGuess).toBe(3)
  await fresh.close()
})
