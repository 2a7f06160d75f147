import type { IncomingMessage } from 'node:http'
import { greaterThan, has } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { Article, BLOGS, Comment, startBlogs, Tag } from '../../support/blogs'
import { newResource, resource, toMany } from '../../support/documents'
import { errorsOf, expectError, singleError } from '../../support/expectations'
import { upper } from '../../support/functions'
import { startHumans } from '../../support/humans'
import { operate } from '../../support/operate'
import type { ApiRequest } from '../../support/request'
import { insertRows } from '../../support/rows'
import { type RequestOptions, type ServerOptions, startServer, type TestServer } from '../../support/server'
import { until } from '../../support/until'

type Asked = RequestOptions & Readonly<{ method?: string; path: string }>

const tags = toMany('tags', ...Array.from({ length: 1001 }, (_, index) => `t${index}`)).data

// One database behind three servers.
const api = setUp(() => startBlogs({ functions: [upper] }))
const serverWith = (options: Partial<ServerOptions>) =>
  setUp(() => startServer({ dataSource: api.dataSource, resources: BLOGS, functions: [upper], ...options }))
const limited = serverWith({
  limits: {
    ...{ urlLength: 300, bodyDepth: 6, filterSize: 4, filterDepth: 2, includes: 2, includeDepth: 2 },
    ...{ sortKeys: 2, identifiers: 2 },
  },
})
const cheap = serverWith({ limits: { cost: 150 } })
const uncounted = serverWith({ totals: false, limits: { cost: 50 } })
const REPLIES = define(Comment, { filter: () => has('replies') })
const ruled = serverWith({
  explain: 'development',
  definitions: [REPLIES, define(Tag, { filter: () => greaterThan('rank', 0) })],
})
const personal = serverWith({
  limits: { cost: 18_100 },
  context: ({ headers }) => headers['x-user'],
  definitions: [define(Comment, { filter: (user) => (user === 'editor' ? undefined : has('replies')) })],
})
const protectedComments = serverWith({ limits: { cost: 2000 }, definitions: [REPLIES] })
const tight = serverWith({ limits: { cost: 15 }, definitions: [REPLIES] })
const strict = serverWith({ limits: { cost: 1000 }, definitions: [REPLIES] })
const unlimited = serverWith({ page: { size: 10, maxSize: 1_000_000 }, limits: { urlLength: null, sortKeys: null } })
beforeAll(async () => {
  await api.add(Article, { title: 'Elm' })
  const rows = tags.map(({ id }) => ({ id }))
  await insertRows(api.dataSource, Tag, rows)
})

const times = (count: number, text: string) => Array<string>(count).fill(text).join()
const nested = (count: number, [open, within, close]: readonly [string, string, string]) =>
  open.repeat(count) + within + close.repeat(count)
const create = (extra: unknown) => ({ data: { type: 'articles', attributes: { title: 'Oak', extra } } })

/** Requests with so many of what is limited. */
const REQUESTS = {
  urlLength(count) {
    const [start, end] = ['/articles?filter=equals(title,%27', '%27)']
    return start + 'x'.repeat(count - start.length - end.length) + end
  },
  bodyDepth(count) {
    // The document, its data and the attributes are three of the levels.
    return { method: 'POST', path: '/articles', body: create(JSON.parse(nested(count - 3, ['[', '', ']']))) }
  },
  filterSize: (count) => `/articles?filter=any(title,${Array.from({ length: count - 1 }, (_, place) => `'${place}'`)})`,
  'filterSize in or()': (count) => `/articles?filter=or(${times(count - 1, 'equals(likes,null)')})`,
  filterDepth: (count) => `/articles?filter=${nested(count - 1, ['not(', 'has(tags)', ')'])}`,
  'filterDepth of a sort key': (count) => `/articles?sort=${nested(count, ['upper(', 'title', ')'])}`,
  includes: (count) => `/articles?page[size]=1&include=${times(count, 'blog')}`,
  includeDepth: (count) => `/comments?page[size]=1&include=${times(count, 'parent').replaceAll(',', '.')}`,
  sortKeys: (count) => `/articles?sort=${times(count, 'title')}`,
  'sortKeys of what is included': (count) => `/articles?include=comments&sort[comments]=${times(count, 'body')}`,
  'to-one relationships in a filter': (count) => `/comments?filter=equals(${'parent.'.repeat(count)}body,'a')`,
  'to-one relationships in a sort key': (count) => `/comments?sort=${'parent.'.repeat(count)}body`,
  'page.maxSize': (count) => `/articles?page[size]=${count}`,
  identifiers: (count) => ({
    method: 'PATCH',
    path: '/articles/1/relationships/tags',
    body: { data: tags.slice(0, count) },
  }),
  cost: (count) => `/articles?page[size]=${count}`,
} satisfies Record<string, (count: number) => string | Asked>

type Limit = keyof typeof REQUESTS

/** Expects that a request with so many is accepted, and returns the response to one with one more. */
async function exceed(server: TestServer, limit: Limit, most: number) {
  const send = (count: number) => {
    const asked: string | Asked = REQUESTS[limit](count)
    const { method = 'GET', path, ...sending } = typeof asked === 'string' ? { path: asked } : asked
    return server.request(method, path, sending)
  }
  expect(errorsOf(await send(most))).toEqual([])
  return send(most + 1)
}

it.each<[limit: Limit, most: number, error: string, hasLargePages?: true]>([
  ['urlLength', 8192, '414 url.too-long'],
  ['bodyDepth', 100, '400 document.shape'],
  ['filterSize', 500, '400 query.filter filter'],
  ['filterDepth', 20, '400 query.filter filter'],
  ['filterDepth of a sort key', 20, '400 query.sort sort'],
  ['includes', 20, '400 query.include include'],
  ['includeDepth', 5, '400 query.include include'],
  ['sortKeys', 10, '400 query.sort sort'],
  ['sortKeys of what is included', 10, '400 query.sort sort[comments]'],
  ['to-one relationships in a filter', 20, '400 query.filter filter'],
  ['to-one relationships in a sort key', 20, '400 query.sort sort'],
  ['page.maxSize', 100, '400 query.page page[size]'],
  ['identifiers', 1000, '413 relationship.too-many /data'],
  // With larger pages and longer URLs.
  ['filterSize in or()', 500, '400 query.filter filter', true],
  ['cost', 100_000, '400 query.cost page[size]', true],
])('the default of %s is %i', async (limit, most, error, ...[hasLargePages]) => {
  expect(errorsOf(await exceed(hasLargePages ? unlimited : api, limit, most))).toEqual([error])
})

it.each<[limit: Limit, most: number, error: string, detail: string]>([
  ['urlLength', 300, '414 url.too-long', 'Expected a URL of at most 300 characters from its path on, found 301.'],
  ['bodyDepth', 6, '400 document.shape', 'Expected at most 6 levels of arrays and objects'],
  ['filterSize', 4, '400 query.filter filter', 'Expected at most 4 functions and values in filters, found 5.'],
  ['filterDepth', 2, '400 query.filter filter', "nested functions, found 'has'. At position 9: not(not(^has(tags)))"],
  ['includes', 2, '400 query.include include', 'Expected at most 2 paths to include, found 3.'],
  ['includeDepth', 2, '400 query.include include', 'Expected at most 2 relationships in a path, found more.'],
  ['sortKeys', 2, '400 query.sort sort', 'Expected at most 2 sort keys, found 3.'],
  ['identifiers', 2, '413 relationship.too-many /data', 'Expected at most 2 resource identifiers, found 3.'],
])('the option limits can set %s to %i', async (limit, most, error, detail) => {
  const response = await exceed(limited, limit, most)
  expect(errorsOf(response)).toEqual([error])
  expect(response.body.errors[0].detail).toContain(detail)
})

it('null removes a limit', () => unlimited.get(`/articles?sort=${times(11, 'title')}`).expect(200))

it('counts the functions and values of all filters together, and writes the numbers into the meta of the error', async () => {
  const path = "/blogs?include=articles&filter=equals(title,'a')&filter[articles]="
  await limited.get(`${path}equals(title,'b')`).expect(200)
  const response = await limited.get(`${path}any(title,'b','c')`)
  expectError(response, 400, 'filter[articles]', 'query.filter')
  expect(response.body.errors[0].meta).toEqual({ limit: 4, found: 5 })
})

describe('the limit of the cost', () => {
  it('is reported with the cost of each part', async () => {
    await cheap.get('/articles?include=comments&page[size]=13').expect(200)
    const refused = await cheap.get('/articles?include=comments&page[size]=14')
    expectError(refused, 400, 'include', 'query.cost')
    expect(singleError(refused).detail).toBe(
      "Expected a request that costs at most 150, found one that costs 154. Of that the include 'comments' makes up 140: " +
        'leave it out, or ask for smaller pages.',
    )
    const query = 'include=comments&page[size]=20,comments:3&filter[comments]=has(replies)'
    const response = await cheap.get(`/articles?${query}`)
    expectError(response, 400, 'filter[comments]')
    // A fifth of 9000: of 20 parents, where 100 have as many comments as a table.
    expect(response.body.errors[0].meta).toEqual({
      limit: 150,
      cost: 1880,
      parts: [
        { parameter: 'filter[comments]', part: "'filter[comments]'", cost: 1800 },
        { parameter: 'include', part: "the include 'comments'", cost: 60 },
        { parameter: 'page[size]', part: 'the page', cost: 20 },
      ],
    })
  })

  it('tells how to lower what a filter costs', async () => {
    const { detail } = singleError(await cheap.get("/articles?filter=equals(count(comments),'1')"))
    expect(detail).toBe(
      "Expected a request that costs at most 150, found one that costs 19210. Of that 'filter' makes up 9600: leave it out, or shorten it.",
    )
  })

  /** Without the page of 10. */
  const costOf = async (server: TestServer, path: string) => {
    const { body } = await server.get(path)
    expect(body.errors).toMatchObject([{ code: 'query.cost' }])
    return body.errors[0].meta.cost - 10
  }

  it.each([
    ["equals(title,'a')", 400],
    ["not(or(equals(title,'a'),equals(views,likes)))", 800],
    ["any(title,'a','b','c')", 1515],
    ["any(publishedAt,'2024-02-29T00:00:00Z','2024-03-01T00:00:00Z')", 1600],
    ["any(releasedOn,'2024-02-29','2024-03-01')", 800],
    ["contains(title,'a')", 1000],
    ["endsWith(title,'a')", 1600],
    ["equals(upper(title),'a')", 1400],
    ["equals(blog.title,'a')", 2800],
    ["or(equals(blog.title,'a'),equals(blog.title,'b'),equals(blog,null))", 3600],
    ['has(comments)', 9000],
    ["has(comments,equals(body,'a'))", 9400],
    ['has(tags)', 18_000],
    ["equals(count(comments),'1')", 9600],
    ['has(blog.articles)', 11_400],
    ["equals(count(blog.articles),'1')", 12_000],
    ["has(comments,has(replies,equals(body,'a')))", 22_900],
    ["has(tags,has(articles,equals(title,'a')))", 45_400],
    ["has(comments,equals(count(article.comments),'1'))", 9000 + 2400 + 13_500 + 600],
    ["has(tags,equals(count(articles),'1'))", 18_000 + 27_000 + 2.5 * 600],
    ["or(equals(count(comments),'1'),equals(count(comments),'2'))", 10_200],
    ["or(and(has(comments),equals(title,'a')),and(has(comments),equals(title,'b')))", 9800],
    ['or(has(comments),has(comments))', 9000],
    ['or(has(comments),has(tags))', 27_000],
  ])('counts what a filter looks at, and as much again for the total: %s', async (filter, cost) => {
    expect(await costOf(cheap, `/articles?filter=${filter}`)).toBe(2 * cost)
    expect(await costOf(uncounted, `/articles?filter=${filter}`)).toBe(cost)
  })

  it.each([
    ['title', 1250],
    ['title,-views', 2500],
    ['blog.title', 3650],
    ['count(blog.articles)', 12_650],
    ['count(comments)', 10_250],
    ['upper(title)', 2250],
  ])('counts what a sort looks at: %s', async (sort, cost) => {
    expect(await costOf(cheap, `/articles?sort=${sort}`)).toBe(cost)
  })

  it('does not count the total of one resource', async () => {
    const cost = await costOf(
      uncounted,
      "/articles/1?include=comments&filter[comments]=contains(body,'a')&page[size]=comments:100",
    )
    // A hundredth of 1000, and 101 resources in place of 10.
    expect(cost).toBe(10 + 91)
  })

  it('counts all further steps from one relationship, whatever type they start from', async () => {
    await useApi(startHumans({ limits: { cost: 1 } }), async (on) => {
      const costOfInclude = (include: string) => costOf(on, `/humans?include=${include}`)
      expect(await costOfInclude('children.father,men:children.mother')).toBe(
        await costOfInclude('children.father,children.mother'),
      )
    })
  })

  it('counts shared rows of included resources for each of them', async () => {
    const cost = await costOf(uncounted, '/blogs?include=articles&filter[articles]=has(blog.articles)')
    expect(cost).toBe(100 + (2400 + 2.5 * 9000) / 10)
  })

  it.each([
    // Comments are under a rule that looks up replies, tags under one that compares.
    ["/articles?filter=equals(title,'a')", 800],
    ['/articles?filter=has(comments)', 2 * (9000 + 13_500)],
    ['/articles?filter=has(tags)', 2 * (18_000 + 400)],
    // The endpoint's own rule is counted as well, and again for the total.
    ['/comments', 2 * 9000],
    ["/comments?filter=equals(parent.body,'a')", 2 * (400 + 2400 + 9000) + 2 * 9000],
    ['/comments?sort=parent.body', 1250 + 2400 + 9000 + 2 * 9000],
    ['/articles/1/comments', 2 * 9000],
    ['/articles/1/tags?page[size]=10', 2 * 400],
    ['/articles?include=comments', 100 + 900],
  ])('counts the filters of definitions: %s', async (path, cost) => {
    const { body } = await ruled.get(`${path}${path.includes('?') ? '&' : '?'}explainRead=true`)
    expect(body.meta.explained.at(-1).cost).toBe(10 + cost)
  })

  it.each(['/articles/1/comments', '/articles/1/relationships/comments'])(
    'counts shared rows of a list of related resources for each of them: %s',
    async (path) => {
      expect(await costOf(uncounted, `${path}?filter=has(article.comments)`)).toBe(2400 + 2.5 * 9000)
      expect(await costOf(uncounted, `${path}?sort=count(parent.replies)`)).toBe(1250 + 2400 + 2.5 * 9000)
    },
  )

  it('counts the own filter of an endpoint for at most half of the limit, so that a client keeps the other half', async () => {
    await protectedComments.get('/comments').expect(200)
    // The page costs 10, and the filter is counted as the other 5.
    await tight.get('/comments').expect(200)
    await tight.get("/comments?filter=equals(body,'a')").expect(400)
    await protectedComments.get("/comments?filter=equals(body,'a')").expect(200)
    await protectedComments.get('/comments/1').expect(404)
    const refused = await protectedComments.get("/comments?filter=or(equals(body,'a'),equals(body,'b'))")
    expectError(refused, 400, 'filter', 'query.cost')
    expect(singleError(refused).detail).toBe(
      "Expected a request that costs at most 2000, found one that costs 2610. Of that 'filter' makes up 800, with the API's own filters on the resources that it reads: leave it out, or shorten it.",
    )
    expect(refused.body.errors[0].meta.parts).toEqual([
      { part: "the API's own filter", cost: 1000 },
      { parameter: 'filter', part: "'filter'", cost: 800 },
      { parameter: 'filter', part: "the total of 'filter'", cost: 800 },
      { parameter: 'page[size]', part: 'the page', cost: 10 },
    ])
  })

  it('counts the filters of definitions for each request', async () => {
    const asked = (user: string) => personal.get('/articles?filter=has(comments)').set({ 'x-user': user })
    expect(errorsOf(await asked('guest'))).toEqual(['400 query.cost filter'])
    expect(errorsOf(await asked('editor'))).toEqual([])
  })

  it('counts the filters of definitions for writes and for the pages of If-Match', async () => {
    const include = 'include=comments.parent'
    const post = () => strict.post(`/articles?${include}`).send(newResource('articles', { title: 'Oak' }))
    const patch = () => strict.patch(`/articles/1?${include}`).send(resource('articles', '1', { title: 'Oak' }))
    for (const send of [post, patch])
      expect(errorsOf(await api.unchanged(async () => send()))).toEqual(['400 query.cost include'])
    const comments = '/articles/1/relationships/comments'
    const { etag = '' } = (await ruled.get(`${comments}?filter=equals(body,'a')`)).headers
    const clear = (server: TestServer) => server.patch(comments).send({ data: [] }).set({ 'if-match': etag })
    await clear(ruled).expect(204)
    expect(errorsOf(await clear(strict))).toEqual(['412 precondition.failed If-Match'])
  })
})

describe('the limit of resource identifiers', () => {
  const [few, many] = [{ data: tags.slice(0, 2) }, { data: tags.slice(0, 3) }]

  const post = (tags: object) => limited.post('/articles').send(newResource('articles', { title: 'Oak' }, { tags }))
  const ref = { type: 'articles', id: '1', relationship: 'tags' }

  it.each<[what: string, send: (body: object) => ApiRequest, pointer: string, status: number]>([
    ['POST of members', (body) => limited.post('/articles/1/relationships/tags').send(body), '/data', 204],
    ['DELETE of members', (body) => limited.delete('/articles/1/relationships/tags').send(body), '/data', 204],
    ['a resource object', post, '/data/relationships/tags/data', 201],
    ['an operation', (body) => operate(limited, { op: 'update', ref, ...body }), '/atomic:operations/0/data', 204],
  ])('applies to %s', async (_what, send, pointer, status) => {
    expectError(await api.unchanged(() => send(many)), 413, pointer, 'relationship.too-many')
    await send(few).expect(status)
  })
})

it('limits concurrent requests to 100 with loadShedding', async () => {
  const waiting: (() => void)[] = []
  const context = ({ headers }: IncomingMessage) =>
    headers['x-wait'] === undefined ? undefined : new Promise<void>((resolve) => waiting.push(resolve))
  await useApi(startBlogs({ loadShedding: { queueTimeout: null }, context }), async (server) => {
    const startRequest = () => server.get('/blogs').set({ 'x-wait': 'yes' }).start()
    const responses = Array.from({ length: 99 }, startRequest)
    await until('99 requests wait', () => waiting.length === 99)
    await server.get('/blogs').expect(200)
    responses.push(startRequest())
    await until('100 requests wait', () => waiting.length === 100)
    expect(errorsOf(await server.get('/blogs'))).toEqual(['503 server.overloaded'])
    for (const end of waiting) end()
    expect(new Set((await Promise.all(responses)).map((each) => each.status))).toEqual(new Set([200]))
  })
})
