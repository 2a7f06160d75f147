import { equals, has, not, ResourceDefinition } from 'stemma'
import type { TestApi } from '../support/api'
import { Article, Comment, Tag } from '../support/blogs'
import { checkedFetch } from '../support/lint'
import type { TestServer } from '../support/server'
import { serveBlogs, startWithBlogs, startWithVehicles } from './support/many-rows'

// The number of statements, and their text, follows from the request, never from the rows. Only of relationships that no row has
// nothing is asked.

/** The same rows once and a thousand times. */
interface Pair<Api> {
  readonly one: Api
  readonly thousand: Api
}

const PARENTS = 1000

async function start<Api>(starting: (parents: number) => Promise<Api>, parents = PARENTS): Promise<Pair<Api>> {
  return { one: await starting(1), thousand: await starting(parents) }
}

let blogs: Pair<TestApi>
let vehicles: Pair<TestApi>

beforeAll(async () => {
  blogs = await start(startWithBlogs)
  // 999 vehicles: those of three types.
  vehicles = await start(startWithVehicles, 333)
}, 60_000)
afterAll(() => Promise.all([blogs, vehicles].flatMap(({ one, thousand }) => [one.close(), thousand.close()])))

/** As they are sent, without the values; the database of a test has a name of its own. */
async function statementsOf(rows: TestApi, path: string, { url }: TestServer = rows): Promise<readonly string[]> {
  const statements = await rows.statementsOf(async () => {
    const answer = await checkedFetch(url + path)
    expect({ status: answer.status, text: answer.ok ? '' : await answer.text() }).toEqual({ status: 200, text: '' })
    await answer.body?.cancel()
  })
  return statements.map((text) => text.replaceAll(/stemma_\w+/g, 'test'))
}

async function expectStatements({ one, thousand }: Pair<TestApi>, path: string, expected: number): Promise<void> {
  const few = await statementsOf(one, path)
  expect(few).toHaveLength(expected)
  expect(await statementsOf(thousand, path)).toEqual(few)
}

describe('blogs', () => {
  it.each([
    ['a collection: its rows with their total', '/blogs?page[size]=1000', 1],
    ['an uncounted collection: the look-up and its rows', '/articles/1/revisions', 2],
    ['one resource', '/blogs/1', 1],
    ['one to-many step', '/blogs?page[size]=1000&include=articles', 2],
    ['one to-one step', '/articles?page[size]=1000&include=blog', 2],
    ['one many-to-many step', '/articles?page[size]=1000&include=tags', 2],
    ['several steps', '/articles?page[size]=1000&include=blog,comments,tags', 4],
    [
      'steps behind each other; a row that many share is followed once',
      '/blogs?page[size]=1000&include=articles.tags.articles.comments',
      5,
    ],
    ['related resources without pages: the look-up and the rows', '/tags/a/articles?include=blog', 3],
    ['related resources: the look-up, the rows with their total', '/blogs/1/articles?include=tags', 3],
    ['a related resource: the look-up and the row', '/articles/1/blog?include=articles', 3],
    ['members: the look-up, all keys for the ETag, the rows with their total', '/articles/1/relationships/tags', 3],
    ['a member: the look-up and the row', '/articles/1/relationships/blog', 2],
    ['members with what is included of them', '/articles/1/relationships/tags?include=tags.articles.blog', 5],
  ])('%s', async (_what, path, expected) => {
    await expectStatements(blogs, path, expected)
  })

  const DEEP = '/blogs?include=articles.comments.replies,articles.tags&page[size]=1000'
  it.each([
    ['pages', `${DEEP},articles:2,articles.comments:3,articles.comments.replies:1`],
    ['later pages', `${DEEP},articles.comments:1&page[number]=articles.tags:1,articles.comments.replies:1`],
    ['filters', `${DEEP}&filter[articles]=has(tags)&filter[articles.comments]=has(replies,equals(body,null))`],
    ['sorts', `${DEEP}&sort[articles]=-blog.title,-count(tags)&sort[articles.comments.replies]=-parent.article.title`],
    [
      'all of these, and those of the primary data',
      `${DEEP},articles:5,articles.comments.replies:2&filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles)` +
        "&filter[articles.tags]=any(id,'a','b')&sort[articles.tags]=-rank,id",
    ],
  ])('three steps deep, beside another, with %s: one for each step', async (_what, path) => {
    await expectStatements(blogs, path, 5)
  })

  it.each([
    ['under rules', DEEP, 5],
    ['under rules, of what is related', '/tags/a/articles?include=comments,tags', 4],
    ['under rules, of linkage', '/articles/1/relationships/tags?include=tags.articles', 4],
    ['under rules, filtered and sorted', `${DEEP}&filter=has(articles,has(tags))&sort=-count(articles)`, 5],
  ])('%s', async (_what, path, expected) => {
    const ruled = await start((parents) => serveBlogs(parents === 1 ? blogs.one : blogs.thousand, RULES))
    try {
      const few = await statementsOf(blogs.one, path, ruled.one)
      expect(few).toHaveLength(expected)
      expect(few).not.toEqual(await statementsOf(blogs.one, path))
      expect(await statementsOf(blogs.thousand, path, ruled.thousand)).toEqual(few)
    } finally {
      await Promise.all([ruled.one.close(), ruled.thousand.close()])
    }
  })

  it('asks nothing for what a rule includes where the document has identifiers alone', async () => {
    const ruled = await serveBlogs(blogs.one, [new TagWithArticles()])
    try {
      expect(await statementsOf(blogs.one, '/articles/1/tags', ruled)).toHaveLength(3)
      expect(await statementsOf(blogs.one, '/articles/1/relationships/tags', ruled)).toHaveLength(3)
      const sent = '/articles/1/relationships/tags?include=tags.articles'
      expect(await statementsOf(blogs.one, sent, ruled)).toHaveLength(4)
    } finally {
      await ruled.close()
    }
  })

  it('asks nothing of the database for an id that none can have, or a query that is none', async () => {
    for (const path of ['/blogs/01', '/blogs/x', '/blogs?sort=nothing', '/nothing', '/blogs/1/nothing']) {
      expect(await blogs.one.statementsOf(() => blogs.one.get(path))).toEqual([])
    }
  })
})

class ArticleDefinition extends ResourceDefinition {
  readonly resource = Article
  override filter() {
    return not(equals('blog.title', 'hidden'))
  }
}

class CommentDefinition extends ResourceDefinition {
  readonly resource = Comment
  override filter() {
    return not(equals('body', 'hidden'))
  }
}

class TagDefinition extends ResourceDefinition {
  readonly resource = Tag
  override filter() {
    return has('articles', not(equals('title', 'hidden')))
  }
}

class TagWithArticles extends ResourceDefinition {
  readonly resource = Tag
  override include(names: readonly string[], client: 'sent' | 'notSent') {
    return client === 'notSent' ? ['articles'] : names
  }
}

const RULES = [new ArticleDefinition(), new CommentDefinition(), new TagDefinition()]

describe('a hierarchy', () => {
  it.each([
    ['one for the relationship of each branch that has the name', '/vehicles?include=features&page[size]=1000', 4],
    ['of a branch that is named only for its own', '/vehicles?include=cars:features&page[size]=1000', 2],
    ['of a leaf only for its own', '/cars?include=features&page[size]=1000', 2],
    ['one for a relationship of a type in the middle', '/vehicles?include=engine.cylinders&page[size]=1000', 3],
    ['one for each step behind each of them', '/vehicles?include=features.cars&page[size]=1000', 7],
    ['pages of each branch', '/vehicles?include=features&page[size]=1000,cars:features:1,trucks:features:2', 4],
    [
      'filters and sorts of each',
      '/vehicles?include=features&page[size]=1000&filter[features]=has(cars)&sort[features]=-description',
      4,
    ],
    [
      'all behind another step',
      '/manufacturers/1?include=vehicles.features,vehicles.engine.cylinders&page[size]=vehicles:1000',
      7,
    ],
    ['a relationship of the stored type: the look-up, the rows with their total', '/vehicles/2/features', 2],
    ['with what is included', '/vehicles/2/features?include=cars.engine', 4],
    ['its linkage, with what is included', '/vehicles/1/relationships/features?include=features.cars', 4],
    ['a to-one relationship of the stored type: the look-up and the row', '/vehicles/2/engine?include=cylinders', 3],
  ])('asks %s', async (_what, path, expected) => {
    await expectStatements(vehicles, path, expected)
  })
})
