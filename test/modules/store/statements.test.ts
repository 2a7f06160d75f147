import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equals, has, not } from 'stemma'
import { define, type TestApi } from '../../support/api'
import { Article, Comment, Tag } from '../../support/blogs'
import { DATABASE, WRITES_IN_ONE_STATEMENT } from '../../support/database'
import { ACCEPT } from '../../support/follow-pages'
import type { TestServer } from '../../support/server'
import { LAYOUT } from '../../support/table-layout'
import { serveBlogs, startWithBlogs, startWithVehicles } from './support/many-rows'
import {
  CURSOR_PAGES,
  type Numbered,
  READS_OF_BLOGS,
  READS_OF_VEHICLES,
  WRITES_TO_BLOGS,
  WRITES_TO_VEHICLES,
} from './support/numbered-requests'

// The number of statements, and their text, follows from the request, never from the number of rows. The SQL of fifty requests is in statement-texts/sqlite.sql
// and postgres.sql: UPDATE_TEXTS=1 npx jest test/modules/store/statements writes the files; so does scripts/test-on.js postgres.

/** The same rows once and a thousand times. */
type Pair = Readonly<{ one: TestApi; thousand: TestApi }>

let blogs: Pair
let vehicles: Pair

beforeAll(async () => {
  blogs = { one: await startWithBlogs(1), thousand: await startWithBlogs(1000) }
  // 999 vehicles: those of three types.
  vehicles = { one: await startWithVehicles(1), thousand: await startWithVehicles(333) }
}, 60_000)
afterAll(() => Promise.all([blogs, vehicles].flatMap(({ one, thousand }) => [one.close(), thousand.close()])))
type Send = Numbered[2]

interface Resource {
  readonly id: string
  readonly relationships: { readonly tags: { readonly data: readonly unknown[] } }
}

/** Without the values, and without the name of the database, which differs with each run. */
async function statementsOf(rows: TestApi, send: Send, server: TestServer = rows): Promise<readonly string[]> {
  const statements = await rows.statementsOf(async () => {
    const { status, text } = await send(server)
    expect({ status, text: status < 300 ? '' : text }).toEqual({ status: expect.any(Number), text: '' })
  })
  return statements.map((text) => text.replaceAll(/stemma_\w+/g, 'test').replaceAll(/\s+/g, ' '))
}

const get =
  (path: string): Send =>
  (server) =>
    server.get(path)

async function expectStatements({ one, thousand }: Pair, send: Send, expected: number): Promise<readonly string[]> {
  const few = await statementsOf(one, send)
  expect(few).toHaveLength(expected)
  expect(await statementsOf(thousand, send)).toEqual(few)
  return few
}

const RULES = [
  define(Article, { filter: () => not(equals('blog.title', 'hidden')) }),
  define(Comment, { filter: () => not(equals('body', 'hidden')) }),
  define(Tag, { filter: () => has('articles', not(equals('title', 'hidden'))) }),
]
const TAG_WITH_ARTICLES = define(Tag, { include: (names, client) => (client === 'notSent' ? ['articles'] : names) })

describe('blogs', () => {
  it.each([
    ['/articles?page[size]=1000&include=blog,comments,tags', 4],
    ['/blogs?page[size]=1000&include=articles.tags.articles.comments', 5],
    ['/tags/a/articles?include=blog', 3],
    ['/blogs/1/articles?include=tags', 3],
    ['/articles/1/blog?include=articles', 3],
    ['/articles/1/relationships/tags?include=tags.articles.blog', 4],
  ])('read %s with %i statements', (path, expected) => expectStatements(blogs, get(path), expected))

  const DEEP = '/blogs?include=articles.comments.replies,articles.tags&page[size]=1000'
  it.each([
    `${DEEP},articles:2,articles.comments:3,articles.comments.replies:1`,
    `${DEEP},articles.comments:1&page[number]=articles.tags:1,articles.comments.replies:1`,
    `${DEEP}&filter[articles]=has(tags)&filter[articles.comments]=has(replies,equals(body,null))`,
    `${DEEP}&sort[articles]=-blog.title,-count(tags)&sort[articles.comments.replies]=-parent.article.title`,
    `${DEEP},articles:5,articles.comments.replies:2&filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles)` +
      "&filter[articles.tags]=any(id,'a','b')&sort[articles.tags]=-rank,id",
  ])('read each included relationship with one statement: %s', (path) => expectStatements(blogs, get(path), 5))

  it.each([
    [DEEP, 5],
    ['/tags/a/articles?include=comments,tags', 4],
    ['/articles/1/relationships/tags?include=tags.articles', 3],
    [`${DEEP}&filter=has(articles,has(tags))&sort=-count(articles)`, 5],
  ])('need no further statement for definitions with filters: %s', async (path, expected) => {
    const [one, thousand] = [await serveBlogs(blogs.one, RULES), await serveBlogs(blogs.thousand, RULES)]
    try {
      const few = await statementsOf(blogs.one, get(path), one)
      expect(few).toHaveLength(expected)
      expect(few).not.toEqual(await statementsOf(blogs.one, get(path)))
      expect(await statementsOf(blogs.thousand, get(path), thousand)).toEqual(few)
    } finally {
      await Promise.all([one.close(), thousand.close()])
    }
  })

  it.each([
    ['by number', {}],
    ['by cursor', ACCEPT],
  ])('read the rows of each page %s, whatever sizes were read before', async (_, headers) => {
    const read = async (size: number, more = '') => {
      const path = `/articles?include=tags&page[size]=${size},tags:${size - 1}${more}`
      const response = await blogs.thousand.get(path).set(headers)
      return response.body.data.map(({ id, relationships }: Resource) => [id, relationships.tags.data.length])
    }
    for (const size of [3, 2, 3])
      expect(await read(size)).toEqual(['1', '2', '3'].slice(0, size).map((id) => [id, size - 1]))
    expect(await read(2, '&page[number]=4')).toEqual([
      ['7', 1],
      ['8', 1],
    ])
  })

  it('share a text for all numbers of pages', async () => {
    const second = await statementsOf(blogs.thousand, get('/articles?page[size]=3&page[number]=2'))
    expect(await statementsOf(blogs.thousand, get('/articles?page[size]=3&page[number]=300'))).toEqual(second)
  })

  it('are not read for the include of a definition where the response has only identifiers', async () => {
    const ruled = await serveBlogs(blogs.one, [TAG_WITH_ARTICLES])
    try {
      for (const [path, count] of [
        ['/articles/1/tags', 3],
        ['/articles/1/relationships/tags', 2],
        ['/articles/1/relationships/tags?include=tags.articles', 3],
      ] as const)
        expect(await statementsOf(blogs.one, get(path), ruled)).toHaveLength(count)
    } finally {
      await ruled.close()
    }
  })

  it('are not read for invalid ids and invalid queries', async () => {
    for (const path of ['/blogs/01', '/blogs/x', '/blogs?sort=nothing', '/nothing', '/blogs/1/nothing'])
      expect(await blogs.one.statementsOf(() => blogs.one.get(path))).toEqual([])
  })
})

it.each([
  // One for the relationship of each branch that has the name.
  ['/vehicles?include=cars:features&page[size]=1000', 2],
  ['/cars?include=features&page[size]=1000', 2],
  ['/vehicles?include=engine.cylinders&page[size]=1000', 3],
  ['/vehicles?include=features.cars&page[size]=1000', 7],
  ['/vehicles?include=features&page[size]=1000,cars:features:1,trucks:features:2', 4],
  ['/vehicles?include=features&page[size]=1000&filter[features]=has(cars)&sort[features]=-description', 4],
  ['/manufacturers/1?include=vehicles.features,vehicles.engine.cylinders&page[size]=vehicles:1000', 7],
  ['/vehicles/2/features?include=cars.engine', 4],
  ['/vehicles/1/relationships/features?include=features.cars', 3],
  ['/vehicles/2/engine?include=cylinders', 3],
])('a hierarchy reads %s with %i statements', (path, expected) => expectStatements(vehicles, get(path), expected))

describe('texts of statements', () => {
  /** Other databases, drivers and tables check only the number of statements, and that it does not depend on the rows. */
  const file =
    !WRITES_IN_ONE_STATEMENT || LAYOUT !== 'single' ? undefined : join(__dirname, 'statement-texts', `${DATABASE}.sql`)
  const isUpdate = process.env.UPDATE_TEXTS !== undefined
  const sections = file === undefined || !existsSync(file) ? [] : readFileSync(file, 'utf8').trimEnd().split('\n\n')
  const found: string[] = []
  const requests = [
    ...[...READS_OF_BLOGS, ...CURSOR_PAGES, ...WRITES_TO_BLOGS].map((each) => ['blogs', ...each] as const),
    ...[...READS_OF_VEHICLES, ...WRITES_TO_VEHICLES].map((each) => ['vehicles', ...each] as const),
  ]
  const nameOf = (section: string) => /^-- (.*): \d+$/m.exec(section)?.[1]

  it.each(requests)('do not depend on the number of %s: %s', async (rows, name, count, send) => {
    const texts = await expectStatements(rows === 'blogs' ? blogs : vehicles, send, count)
    const section = [`-- ${name}: ${count}`, ...texts.map((text) => `${text};`)].join('\n')
    found.push(section)
    if (file !== undefined && !isUpdate) expect(sections.find((each) => nameOf(each) === name)).toBe(section)
  })

  it('are not kept for other requests', () => {
    if (file === undefined) return
    if (isUpdate) writeFileSync(file, `${found.join('\n\n')}\n`)
    expect((isUpdate ? found : sections).map(nameOf)).toEqual(requests.map(([, name]) => name))
  })
})
