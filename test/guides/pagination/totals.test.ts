import { Attribute, equals, not, Resource, ResourceDefinition, ToMany } from 'stemma'
import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { CURSOR_PAGINATION } from '../../../src/document/cursor-profile'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { TABLES } from '../../support/lay-tables'
import { insertRows } from '../../support/rows'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'

// What documents say of how many there are: exactly, up to a limit, as an estimate, or not at all.

@Resource('posts')
@Entity('total_posts')
class Post {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToMany({ totals: { upTo: 3 } }) @OneToMany('Reply', 'post') replies: Reply[]
}

@Resource('replies')
@Entity('total_replies')
class Reply {
  @PrimaryGeneratedColumn() id: number
  @ManyToOne('Post', 'replies', { nullable: true }) post: Post | null
}

@Resource('drafts')
@Entity('total_drafts')
class Draft {
  @PrimaryGeneratedColumn() id: number
  @DeleteDateColumn() deletedAt: Date | null
}

@Resource('shapes', { abstract: true })
@Entity('total_shapes')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Shape {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) size: number
}

@Resource('circles')
@ChildEntity()
class Circle extends Shape {}

@Resource('squares')
@ChildEntity()
class Square extends Shape {}

const RESOURCES = [Post, Reply, Draft, Shape, Circle, Square]
const POSTS = 37
const WITH_CURSORS = { accept: `application/vnd.api+json;profile="${CURSOR_PAGINATION}"` }

let api: TestApi
const servers: TestServer[] = []

beforeAll(async () => {
  api = await startApi(RESOURCES)
  const posts = Array.from({ length: POSTS }, (_, each) => ({ title: `t${each % 4}` }))
  await insertRows(api.dataSource, Post, posts)
  const replies = Array.from({ length: 8 }, (_, each) => ({ post: { id: each < 5 ? 1 : 2 } }))
  await insertRows(api.dataSource, Reply, replies)
  await insertRows(api.dataSource, Draft, [{}, {}, { deletedAt: new Date(0) }])
  await insertRows(api.dataSource, Circle, [{}, {}, {}])
  await insertRows(api.dataSource, Square, [{}, {}])
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await api.close()
})

/** The same rows with other options. */
async function serve(options: Partial<ServerOptions>): Promise<TestServer> {
  const server = await startServer({ dataSource: api.dataSource, resources: RESOURCES, ...options })
  servers.push(server)
  return server
}

/** What a list says of its length, and whether it has the links that lead on. */
async function toldOf(server: TestServer, path: string, headers = {}): Promise<readonly unknown[]> {
  const { body } = await server.get(path).set(headers).expect(200)
  const { links, meta } = body
  return [meta, 'last' in links, typeof links.next === 'string']
}

it('is told by the rows, else asked for once more', async () => {
  const count = async (path: string) => (await api.statementsOf(() => api.get(path))).length
  expect(await count('/posts')).toBe(1)
  expect(await count('/posts?page[number]=2')).toBe(1)
  expect(await count("/posts?filter=equals(title,'none')")).toBe(1)
  expect(await count('/posts?page[number]=9')).toBe(2)
  expect((await api.get('/posts?page[number]=9')).body.meta).toEqual({ total: POSTS })
})

describe('{ upTo }', () => {
  let limited: TestServer
  beforeAll(async () => {
    limited = await serve({ totals: { upTo: 20 }, includedPages: 'on' })
  })

  it.each([
    ['more than that', '/posts', [{ totalOver: 20 }, false, true]],
    ['more than that, on the last page', '/posts?page[number]=4', [{ totalOver: 20 }, false, false]],
    ['more than that, behind the end', '/posts?page[number]=9', [{ totalOver: 20 }, false, false]],
    ['less', "/posts?filter=equals(title,'t1')", [{ total: 9 }, true, false]],
    ['one less', "/posts?filter=lessThan(id,'20')", [{ total: 19 }, true, true]],
    ['just so many', "/posts?filter=lessThan(id,'21')", [{ total: 20 }, true, true]],
    ['one more', "/posts?filter=lessThan(id,'22')", [{ totalOver: 20 }, false, true]],
    ['none', "/posts?filter=equals(title,'none')", [{ total: 0 }, true, false]],
    ['rows of all types', '/shapes', [{ total: 5 }, true, false]],
    ['more than a relationship says', '/posts/1/replies', [{ totalOver: 3 }, false, false]],
    ['as many as a relationship says', '/posts/2/replies?page[size]=2', [{ total: 3 }, true, true]],
    ['more in linkage', '/posts/1/relationships/replies', [{ totalOver: 3 }, false, false]],
  ])('%s', async (_what, path, told) => {
    expect(await toldOf(limited, path)).toEqual(told)
  })

  it('of types with a table each counts all of them together', async () => {
    const few = await serve({ totals: { upTo: 4 } })
    expect(await toldOf(few, '/shapes')).toEqual([{ totalOver: 4 }, false, false])
    const enough = await serve({ totals: { upTo: 5 } })
    expect(await toldOf(enough, '/shapes')).toEqual([{ total: 5 }, true, false])
  })

  it('looks no further than one row behind it', async () => {
    const [page = '', ...others] = await api.statementsOf(() => limited.get('/posts'))
    expect(others).toEqual([])
    expect(page).toMatch(/count\(\*\) as total from \(select 1 as there from \S+ t0 limit (\?|\$\d|21)\) counted\)/)
  })

  it('with cursors has no word in the profile, where it is not met', async () => {
    expect(await toldOf(limited, '/posts', WITH_CURSORS)).toEqual([{ totalOver: 20 }, true, true])
    const few = "/posts?filter=equals(title,'t1')"
    expect(await toldOf(limited, few, WITH_CURSORS)).toEqual([{ total: 9, page: { total: 9 } }, true, false])
  })

  it('counts what has but one page, which is read as a whole', async () => {
    const whole = await serve({ totals: { upTo: 20 }, page: { size: null } })
    expect((await whole.get('/posts')).body.meta).toEqual({ total: POSTS })
  })

  it('says of included pages how many there are', async () => {
    const { data } = (await limited.get('/posts/1?include=replies')).body
    expect(data.relationships.replies).toMatchObject({ meta: { total: 5 }, links: { last: expect.any(String) } })
  })
})

describe('estimated', () => {
  let estimating: TestServer
  beforeAll(async () => {
    estimating = await serve({ totals: 'estimated' })
    await analyze()
  })

  /** What the database does by itself, in its own time. */
  async function analyze(): Promise<void> {
    if (DATABASE === 'sqlite') return
    const { driver, entityMetadatas } = api.dataSource
    const quoted = (path: string) => path.split('.').map((name) => driver.escape(name))
    const there = entityMetadatas.filter(({ synchronize }) => synchronize)
    const tables = there.map(({ tablePath }) => quoted(tablePath).join('.'))
    for (const table of new Set(tables))
      await api.dataSource.query(`${DATABASE === 'postgres' ? 'analyze' : 'analyze table'} ${table}`)
  }

  const about = (count: number) => ({ estimatedTotal: { bestGuess: count } })

  it.each([
    ['of a table', '/posts', [about(POSTS), false, true]],
    ['on the last page', '/posts?page[number]=4', [about(POSTS), false, false]],
    ['of a hierarchy', '/shapes?page[size]=2', [about(5), false, true]],
    ['but not of filtered rows', "/posts?filter=equals(title,'t1')", [{ total: 9 }, true, false]],
    ['but not of related rows', '/posts/2/replies', [{ total: 3 }, true, false]],
    ['but not where some are deleted', '/drafts', [{ total: 2 }, true, false]],
    [
      'and of a branch only where it has a table',
      '/circles',
      TABLES === 'perConcreteType' ? [about(3), false, false] : [{ total: 3 }, true, false],
    ],
  ])('%s', async (_what, path, told) => {
    expect(await toldOf(estimating, path)).toEqual(told)
  })

  it('is what the database knows, without counting', async () => {
    const [page, ...others] = await api.statementsOf(() => estimating.get('/posts'))
    expect(others).toEqual([])
    const kept = { sqlite: 'count(*)', postgres: 'pg_class', mariadb: 'information_schema' }[DATABASE]
    expect(page).toContain(kept)
  })

  it('tells nothing of rows that a rule hides', async () => {
    class PostDefinition extends ResourceDefinition<Post> {
      override readonly resource = Post
      override filter() {
        return not(equals('title', 't0'))
      }
    }
    const ruled = await serve({ totals: 'estimated', definitions: [new PostDefinition()] })
    expect(await toldOf(ruled, '/posts')).toEqual([{ total: 27 }, true, true])
  })

  it('stands in the profile for cursors', async () => {
    expect(await toldOf(estimating, '/posts', WITH_CURSORS)).toEqual([
      { ...about(POSTS), page: about(POSTS) },
      true,
      true,
    ])
  })

  it('is never less than what is seen, nor more once the end is', async () => {
    await api.dataSource.getRepository(Reply).clear()
    await analyze()
    const replies = Array.from({ length: 9 }, () => ({}))
    await insertRows(api.dataSource, Reply, replies)
    const { body } = await estimating.get('/replies?page[size]=6')
    expect(body.meta.estimatedTotal.bestGuess).toBeGreaterThanOrEqual(7)
    expect(await toldOf(estimating, '/replies?page[size]=6&page[number]=2')).toEqual([about(9), false, false])
    await api.dataSource.getRepository(Reply).clear()
    expect(await toldOf(estimating, '/replies')).toEqual([about(0), false, false])
  })
})

it('is counted for a table that the database knows nothing of yet', async () => {
  await api.dataSource.getRepository(Reply).clear()
  const fresh = await startApi([Post, Reply], { totals: 'estimated' })
  await insertRows(fresh.dataSource, Reply, [{}, {}, {}])
  const { body } = await fresh.get('/replies?page[size]=1')
  expect(body.meta.estimatedTotal.bestGuess).toBeGreaterThanOrEqual(2)
  if (DATABASE !== 'mariadb') expect(body.meta.estimatedTotal.bestGuess).toBe(3)
  await fresh.close()
})
