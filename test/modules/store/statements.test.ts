import { equals, has, not, ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { Article, Comment, Tag } from '../../support/blogs'
import { checkedFetch } from '../../support/lint'
import type { TestServer } from '../../support/server'
import { serveBlogs, startWithBlogs, startWithVehicles } from './support/many-rows'

// The number of statements, and their text, follows from the request, never from the number of rows. Further requests are in
// statement-texts.test.ts.

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

/** Without the values, and without the name of the database, which differs with each run. */
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
    ['/blogs?page[size]=1000', 1],
    ['/blogs?page[size]=1000&include=articles', 2],
    ['/articles?page[size]=1000&include=blog', 2],
    ['/articles?page[size]=1000&include=tags', 2],
    ['/articles?page[size]=1000&include=blog,comments,tags', 4],
    ['/blogs?page[size]=1000&include=articles.tags.articles.comments', 5],
    ['/tags/a/articles?include=blog', 3],
    ['/blogs/1/articles?include=tags', 3],
    ['/articles/1/blog?include=articles', 3],
    ['/articles/1/relationships/tags?include=tags.articles.blog', 5],
  ])('read %s with %i statements', async (path, expected) => {
    await expectStatements(blogs, path, expected)
  })

  const DEEP = '/blogs?include=articles.comments.replies,articles.tags&page[size]=1000'
  it.each([
    `${DEEP},articles:2,articles.comments:3,articles.comments.replies:1`,
    `${DEEP},articles.comments:1&page[number]=articles.tags:1,articles.comments.replies:1`,
    `${DEEP}&filter[articles]=has(tags)&filter[articles.comments]=has(replies,equals(body,null))`,
    `${DEEP}&sort[articles]=-blog.title,-count(tags)&sort[articles.comments.replies]=-parent.article.title`,
    `${DEEP},articles:5,articles.comments.replies:2&filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles)` +
      "&filter[articles.tags]=any(id,'a','b')&sort[articles.tags]=-rank,id",
  ])('read each included relationship with one statement: %s', async (path) => {
    await expectStatements(blogs, path, 5)
  })

  it.each([
    [DEEP, 5],
    ['/tags/a/articles?include=comments,tags', 4],
    ['/articles/1/relationships/tags?include=tags.articles', 4],
    [`${DEEP}&filter=has(articles,has(tags))&sort=-count(articles)`, 5],
  ])('need no further statement for definitions with filters: %s', async (path, expected) => {
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

  it('are not read for the include of a definition where the response has only identifiers', async () => {
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

  it('are not read for invalid ids and invalid queries', async () => {
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
    // One for the relationship of each branch that has the name.
    ['/vehicles?include=features&page[size]=1000', 4],
    ['/vehicles?include=cars:features&page[size]=1000', 2],
    ['/cars?include=features&page[size]=1000', 2],
    ['/vehicles?include=engine.cylinders&page[size]=1000', 3],
    ['/vehicles?include=features.cars&page[size]=1000', 7],
    ['/vehicles?include=features&page[size]=1000,cars:features:1,trucks:features:2', 4],
    ['/vehicles?include=features&page[size]=1000&filter[features]=has(cars)&sort[features]=-description', 4],
    ['/manufacturers/1?include=vehicles.features,vehicles.engine.cylinders&page[size]=vehicles:1000', 7],
    ['/vehicles/2/features?include=cars.engine', 4],
    ['/vehicles/1/relationships/features?include=features.cars', 4],
    ['/vehicles/2/engine?include=cylinders', 3],
  ])('reads %s with %i statements', async (path, expected) => {
    await expectStatements(vehicles, path, expected)
  })
})
