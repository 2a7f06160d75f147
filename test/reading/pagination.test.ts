import { ref, refs, type TestApi, using } from '../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../support/blogs'
import { keysOf, linkageKeys, resourceKeys, singleError } from '../support/expectations'
import { Car, Cylinder, Feature, GasolineEngine, startVehicles, Tandem } from '../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-pagination and decisions 1 to 4 on reading.

let api: TestApi
let blog: string
let other: string
const articles: string[] = []

beforeAll(async () => {
  api = await startBlogs()
  blog = await api.add(Blog, { title: 'B' })
  other = await api.add(Blog, { title: 'O' })
  await api.add(Blog, { title: 'E' })
  for (const id of ['a', 'b', 'c', 'd', 'e']) await api.add(Tag, { id })
  for (let number = 1; number <= 23; number += 1) {
    const tags = number <= 3 ? refs('a', 'b', 'c', 'd', 'e') : []
    articles.push(await api.add(Article, { title: `T${number % 5}`, blog: ref(number <= 20 ? blog : other), tags }))
  }
  for (let each = 1; each <= 12; each += 1)
    await api.add(Comment, { id: String(each), article: ref(articles[each % 2] as string) })
  for (let number = 1; number <= 5; number += 1)
    await api.add(Revision, { number, article: ref(articles[0] as string) })
})
afterAll(() => api.close())

interface Walked {
  readonly items: readonly string[]
  readonly pages: readonly string[]
}

/** Follows one of the links until there is none. */
async function walk(start: string, link: 'next' | 'prev'): Promise<Walked> {
  const items: string[] = []
  const pages: string[] = []
  for (let path: string | null = start; path !== null; ) {
    const answer = await api.get(path)
    items.push(...resourceKeys(answer))
    pages.push(answer.body.links.self)
    path = answer.body.links[link]
    if (pages.length > 50) throw new Error('The links go on forever.')
  }
  return { items, pages }
}

describe.each([
  ['a collection', () => '/articles?page[size]=4', 23],
  ['a sorted collection with ties', () => '/articles?sort=title&page[size]=3', 23],
  ['a sorted collection with ties, downwards', () => '/articles?sort=-title&page[size]=7', 23],
  ['a sort by nulls only', () => '/articles?sort=-subtitle&page[size]=6', 23],
  ['a filtered collection', () => "/articles?filter=not(equals(title,'T1'))&page[size]=5", 18],
  ['a collection that ends with its page', () => "/articles?filter=not(equals(title,'T1'))&page[size]=6", 18],
  ['related resources', () => `/blogs/${blog}/articles?page[size]=3&sort=title`, 20],
  ['many to many', () => `/articles/${articles[0]}/tags?page[size]=2`, 5],
  ['members', () => `/blogs/${blog}/relationships/articles?page[size]=3`, 20],
  ['resources that are not counted', () => `/articles/${articles[0]}/revisions`, 5],
  [
    'resources that are not counted, and end with their page',
    () => `/articles/${articles[0]}/revisions?page[size]=5`,
    5,
  ],
  ['a collection of UUIDs', () => '/revisions?page[size]=2', 5],
])('%s', (_what, start, count) => {
  it('is visited by next, each item once, and again by prev', async () => {
    const forwards = await walk(start(), 'next')
    expect(new Set(forwards.items).size).toBe(count)
    expect(forwards.items).toHaveLength(count)
    const backwards = await walk(forwards.pages.at(-1) as string, 'prev')
    expect([...backwards.items].sort()).toEqual([...forwards.items].sort())
    expect(backwards.pages).toHaveLength(forwards.pages.length)
  })
})

const LINKS = (path: string) => async () => (await api.get(path)).body.links

it.each([
  ['the first page', '/articles?page%5Bsize%5D=10', { last: 3, prev: null, next: 2 }],
  ['one in the middle', '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=2', { last: 3, prev: 1, next: 3 }],
  ['the last page', '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=3', { last: 3, prev: 2, next: null }],
  ['a page beyond the end', '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=9', { last: 3, prev: 3, next: null }],
  ['a page just beyond the end', '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=4', { last: 3, prev: 3, next: null }],
])('links from %s', async (_what, path, expected) => {
  const to = (page: number | null) =>
    page === null ? null : `/articles?page%5Bsize%5D=10${page === 1 ? '' : `&page%5Bnumber%5D=${page}`}`
  expect(await LINKS(path)()).toEqual({
    self: path,
    first: to(1),
    last: to(expected.last),
    prev: to(expected.prev),
    next: to(expected.next),
  })
})

it('answers with an empty page beyond the end, and still counts', async () => {
  const { status, body } = await api.get('/articles?page[number]=99')
  expect([status, body.data, body.meta]).toEqual([200, [], { total: 23 }])
})

it('has no last page where nothing is found', async () => {
  const { body } = await api.get("/articles?filter=equals(title,'none')")
  expect(body.links).toMatchObject({ last: null, prev: null, next: null })
  expect(body.meta).toEqual({ total: 0 })
})

it('leaves the last link and the total out where nothing is counted', async () => {
  const { body } = await api.get(`/articles/${articles[0]}/revisions`)
  expect(body.data).toHaveLength(2)
  expect(Object.keys(body.links)).toEqual(['self', 'first', 'prev', 'next'])
  expect(body.meta).toBeUndefined()
})

it('keeps all other parameters in links, encoded', async () => {
  const filter = "not(equals(title,'T1%26+x'))"
  const { body } = await api.get(
    `/blogs?include=articles.tags&page[number]=2,articles:2&fields[tags]=rank&filter=${filter}&sort=-title&page[size]=1,articles.tags:2&filter=has(articles)`,
  )
  expect(body.links.next).toBe(
    '/blogs?include=articles.tags&page%5Bnumber%5D=3,articles%3A2&fields%5Btags%5D=rank' +
      '&filter=not(equals(title,%27T1%26%20x%27))&sort=-title&page%5Bsize%5D=1,articles.tags%3A2&filter=has(articles)',
  )
  expect(body.links.first).toContain('&fields%5Btags%5D=rank&')
  expect(body.links.first).toContain('page%5Bnumber%5D=articles%3A2')
  expect((await api.get(body.links.next)).body.links.self).toBe(body.links.next)
})

it('keeps the slash at the end of a path', async () => {
  const { body } = await api.get('/articles/?page[size]=20')
  expect(body.links.next).toBe('/articles/?page%5Bsize%5D=20&page%5Bnumber%5D=2')
})

describe('included relationships', () => {
  const members = (document: { data: never[] }, relationship: string) =>
    linkageKeys(document.data, relationship).map((linkage) => (linkage as readonly string[]).length)

  it('are cut per parent, at the default size', async () => {
    const { body } = await api.get('/blogs?include=articles')
    expect(members(body, 'articles')).toEqual([10, 3, 0])
    expect(linkageKeys(body.data, 'articles')[0]).toEqual(articles.slice(0, 10).map((id) => `articles ${id}`))
  })

  it('are cut per parent, many to many, at the default size of the type', async () => {
    const { body } = await api.get('/articles?include=tags&page[size]=4')
    expect(linkageKeys(body.data, 'tags')).toEqual([...[1, 2, 3].map(() => ['tags a', 'tags b', 'tags c']), []])
  })

  it('go on where a page number says so', async () => {
    const { body } = await api.get('/articles?include=tags&page[size]=3,tags:2&page[number]=tags:3')
    expect(linkageKeys(body.data, 'tags')).toEqual([['tags e'], ['tags e'], ['tags e']])
  })

  it('of one type have their own default, and their own order', async () => {
    const { body } = await api.get(
      '/articles?include=tags,comments,revisions&sort[comments]=-id&page[size]=1,comments:2',
    )
    expect(members(body, 'revisions')).toEqual([2])
    expect(linkageKeys(body.data, 'comments')).toEqual([['comments 12', 'comments 10']])
  })

  it('are all there where pagination is off, also below paged ones', async () => {
    const { body } = await api.get('/articles?include=tags.articles&page[size]=1,tags:1')
    const tags = body.included.filter(({ type }: { type: string }) => type === 'tags')
    expect(linkageKeys(tags, 'articles')).toEqual([articles.slice(0, 3).map((id) => `articles ${id}`)])
  })

  it('are cut under one resource, and under related resources', async () => {
    const one = await api.get(`/blogs/${blog}?include=articles.comments&page[size]=articles:2,articles.comments:5`)
    expect(keysOf(one.body.included).filter((key) => key.startsWith('comments'))).toHaveLength(10)
    const related = await api.get(`/comments/1/article?include=comments&page[size]=comments:2`)
    expect(linkageKeys([related.body.data] as never, 'comments')).toEqual([['comments 1', 'comments 3']])
  })
})

it.each([
  ['size 0', '/articles?page[size]=^0', 'page[size]'],
  ['a negative size', '/articles?page[size]=^-1', 'page[size]'],
  ['a size over the maximum', '/articles?page[size]=^101', 'page[size]'],
  ['a size over the maximum of a relationship', '/articles/1/revisions?page[size]=^6', 'page[size]'],
  ['a size over the maximum of an included one', '/articles?include=revisions&page[size]=revisions:^6', 'page[size]'],
  ['number 0', '/articles?page[number]=^0', 'page[number]'],
  ['no number', '/articles?page[number]=^', 'page[number]'],
  ['a word', '/articles?page[number]=^two', 'page[number]'],
  ['a fraction', '/articles?page[size]=^1.5', 'page[size]'],
  ['a second entry for one collection', '/articles?page[size]=1,^2', 'page[size]'],
  ['a path to one resource', '/articles?page[size]=blog^:2', 'page[size]'],
  ['an unknown path', '/articles?page[size]=^tagss:2', 'page[size]'],
  [
    'a number that skips more than can be counted',
    `/articles?page[number]=^${Number.MAX_SAFE_INTEGER}`,
    'page[number]',
  ],
])('refuses %s', async (_what, marked, parameter) => {
  const position = marked.indexOf('^') - marked.lastIndexOf('=')
  expect(singleError(await api.get(marked.replace('^', '')))).toMatchObject({
    status: 400,
    code: 'query.page',
    parameter,
    position,
  })
})

it.each([
  ['a page of one resource', '/articles/1?page[size]=2', 'query.not-allowed'],
  ['a page of a to-one relationship', '/articles/1/blog?page[number]=2', 'query.not-allowed'],
  ['a repeated page', '/articles?page[size]=2&page[size]=3', 'query.repeated'],
  ['another kind of page', '/articles?page[offset]=2', 'query.unknown'],
])('refuses %s', async (_what, path, code) => {
  expect(singleError(await api.get(path))).toMatchObject({ status: 400, code })
})

it('takes the maximum itself', async () => {
  expect(resourceKeys(await api.get('/articles?page[size]=100'))).toHaveLength(23)
  expect(resourceKeys(await api.get('/articles/1/revisions?page[size]=5'))).toHaveLength(5)
})

describe('limits and totals', () => {
  it('can be set for all, and lifted', async () => {
    await using(startBlogs({ page: { maximumSize: null, maximumNumber: 2 }, totals: 'off' }), async (strict) => {
      await strict.add(Article, { title: 'A' })
      await strict.get('/articles?page[size]=100000').expect(200)
      expect(singleError(await strict.get('/articles?page[number]=3'))).toMatchObject({ code: 'query.page' })
      const { body } = await strict.get('/articles?page[number]=2')
      expect(body.meta).toBeUndefined()
      expect(body.links).toMatchObject({ prev: '/articles', next: null })
      expect(body.links).not.toHaveProperty('last')
    })
  })
})

describe('a hierarchy', () => {
  it('is cut by paths into derived relationships, per parent and branch', async () => {
    await using(startVehicles(), async (vehicles) => {
      const ids = {
        radio: await vehicles.add(Feature, { description: 'r' }),
        bell: await vehicles.add(Feature, { description: 'b' }),
      }
      const engine = await vehicles.add(GasolineEngine)
      for (let each = 0; each < 3; each += 1) await vehicles.add(Cylinder, { engine: ref(engine) })
      await vehicles.add(Car, { engine: ref(engine), carFeatures: refs(ids.radio, ids.bell) })
      await vehicles.add(Tandem, { tandemFeatures: refs(ids.radio, ids.bell) })
      const { body } = await vehicles.get(
        '/vehicles?include=features,engine.cylinders&page[size]=features:1,engine.cylinders:2&page[number]=cars:features:2',
      )
      expect(linkageKeys(body.data, 'features')).toEqual([[`features ${ids.bell}`], [`features ${ids.radio}`]])
      expect(keysOf(body.included).filter((key) => key.startsWith('cylinders'))).toHaveLength(2)
      const paged = await vehicles.get('/vehicles?page[size]=1&page[number]=2')
      expect(keysOf(paged.body.data)).toEqual(['tandems 2'])
      expect(paged.body.links.last).toBe('/vehicles?page%5Bsize%5D=1&page%5Bnumber%5D=2')
    })
  })
})
