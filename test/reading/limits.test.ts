import { type TestApi, using } from '../support/api'
import { Article, startBlogs, Tag } from '../support/blogs'
import { operate } from '../support/operate'

let api: TestApi

const limits = {
  urlLength: 300,
  bodyDepth: 6,
  filterSize: 4,
  filterDepth: 2,
  includes: 2,
  includeDepth: 2,
  sortKeys: 2,
  identifiers: 2,
  cost: 150,
}

beforeAll(async () => {
  api = await startBlogs({ limits })
})
afterAll(() => api.close())

interface Side {
  readonly within: string
  readonly over: string
  readonly says: object
}

it.each<[string, Side]>([
  [
    'functions and values in a filter',
    {
      within: "/articles?filter=any(title,'a','b','c')",
      over: "/articles?filter=any(title,'a','b','c','d')",
      says: {
        code: 'query.filter',
        source: { parameter: 'filter' },
        detail: 'Expected at most 4 functions and values in filters, found 5.',
        meta: { limit: 4, found: 5 },
      },
    },
  ],
  [
    'functions and values in all filters together',
    {
      within: "/blogs?include=articles&filter=equals(title,'a')&filter[articles]=equals(title,'b')",
      over: "/blogs?include=articles&filter=equals(title,'a')&filter[articles]=any(title,'b','c')",
      says: {
        code: 'query.filter',
        source: { parameter: 'filter[articles]' },
        detail: 'Expected at most 4 functions and values in filters, found 5.',
      },
    },
  ],
  [
    'functions within each other in a filter',
    {
      within: "/articles?filter=not(equals(title,'a'))",
      over: "/articles?filter=not(not(equals(title,'a')))",
      says: {
        code: 'query.filter',
        source: { parameter: 'filter' },
        detail:
          "Expected at most 2 functions within each other, found 'equals'. At position 9: not(not(^equals(title,'a')))",
      },
    },
  ],
  [
    'paths to include',
    {
      within: '/articles?include=blog,tags',
      over: '/articles?include=blog,tags,blog.articles',
      says: {
        code: 'query.include',
        source: { parameter: 'include' },
        detail: 'Expected at most 2 paths to include, found 3.',
      },
    },
  ],
  [
    'relationships in a path to include',
    {
      within: '/articles?include=comments.article&page[size]=1',
      over: '/articles?include=comments.article.blog&page[size]=1',
      says: {
        code: 'query.include',
        source: { parameter: 'include' },
        detail: expect.stringContaining('Expected at most 2 relationships in a path, found more.'),
      },
    },
  ],
  [
    'sort keys of a collection',
    {
      within: '/articles?sort=title,-views',
      over: '/articles?sort=title,-views,likes',
      says: { code: 'query.sort', source: { parameter: 'sort' }, detail: 'Expected at most 2 sort keys, found 3.' },
    },
  ],
  [
    'what an answer can be made of',
    {
      within: '/articles?include=comments&page[size]=13',
      over: '/articles?include=comments&page[size]=14',
      says: {
        code: 'query.cost',
        source: { parameter: 'include' },
        detail:
          "Expected a request that costs at most 150, found one that costs 154. Of that the include 'comments' makes up 140: " +
          'leave it out, or ask for smaller pages.',
        meta: {
          limit: 150,
          cost: 154,
          parts: [
            { parameter: 'include', part: "the include 'comments'", cost: 140 },
            { parameter: 'page[size]', part: 'the page', cost: 14 },
          ],
        },
      },
    },
  ],
  [
    'what has to be looked at for a filter',
    {
      within: '/articles?filter=has(comments)&page[size]=50',
      over: '/articles?filter=has(comments)&page[size]=51',
      says: {
        code: 'query.cost',
        source: { parameter: 'filter' },
        detail: expect.stringContaining("Of that 'filter' makes up 100"),
      },
    },
  ],
  [
    'what has to be looked at for a sort',
    {
      within: '/articles?sort=count(comments)&page[size]=50',
      over: '/articles?sort=count(comments)&page[size]=51',
      says: {
        code: 'query.cost',
        source: { parameter: 'sort' },
        detail: expect.stringContaining("Of that 'sort' makes up 100"),
      },
    },
  ],
])('limits %s', async (_what, { within, over, says }) => {
  expect(await api.get(within)).toMatchObject({ status: 200 })
  const { body } = await api.get(over).expect(400)
  expect(body.errors).toMatchObject([{ status: '400', ...says }])
})

it('has each function over a to-many relationship cost ten times as much within another', async () => {
  const costOf = async (filter: string) => {
    const { body } = await api.get(`/articles?page[size]=51&filter=${filter}`)
    return (body.errors as readonly { readonly meta: unknown }[])[0]?.meta
  }
  expect(await costOf('has(comments)')).toMatchObject({ cost: 151 })
  expect(await costOf("equals(count(comments),'1')")).toMatchObject({ cost: 151 })
  expect(await costOf('has(comments,has(replies))')).toMatchObject({ cost: 1151 })
  expect(await costOf('or(has(comments),has(tags))')).toMatchObject({ cost: 251 })
})

it('counts a filter of included resources by those that they can belong to', async () => {
  const { body } = await api.get('/articles?include=comments&page[size]=20,comments:3&filter[comments]=has(replies)')
  expect(body.errors).toMatchObject([
    {
      source: { parameter: 'filter[comments]' },
      meta: {
        cost: 280,
        parts: [
          { parameter: 'filter[comments]', cost: 200 },
          { parameter: 'include', part: "the include 'comments'", cost: 60 },
          { parameter: 'page[size]', cost: 20 },
        ],
      },
    },
  ])
})

it('limits the length of a URL', async () => {
  const [start, end] = ['/articles?filter=equals(title,%27', '%27)']
  const url = (length: number) => `${start}${'x'.repeat(length - start.length - end.length)}${end}`
  expect(await api.get(url(300))).toMatchObject({ status: 200 })
  const { body } = await api.get(url(301)).expect(414)
  expect(body.errors).toMatchObject([
    { code: 'url.too-long', detail: 'Expected a URL of at most 300 characters from its path on, found 301.' },
  ])
})

it('limits how deep a body is', async () => {
  // The document, its data, the attributes, and what stands in one of them.
  const post = (extra: unknown) => {
    const body = { data: { type: 'articles', attributes: { title: 'Elm', extra } } }
    return api.post('/articles').send(body)
  }
  expect(await post([[[]]])).toMatchObject({ status: 201 })
  const { body: document } = await post([[[[]]]]).expect(400)
  expect(document.errors).toMatchObject([
    { code: 'document.shape', detail: expect.stringContaining('Expected at most 6 levels of arrays and objects') },
  ])
})

describe('limits the resource identifiers of a relationship', () => {
  let article: string
  let tags: readonly { readonly type: 'tags'; readonly id: string }[]

  beforeAll(async () => {
    article = await api.add(Article, { title: 'Elm' })
    const ids = await Promise.all(['a', 'b', 'c'].map((id) => api.add(Tag, { id })))
    tags = ids.map((id) => ({ type: 'tags', id }))
  })

  it.each(['POST', 'PATCH', 'DELETE'])('at its own endpoint, by %s', async (method) => {
    const path = `/articles/${article}/relationships/tags`
    const { body: before } = await api.get(path)
    const { body } = await api.request(method, path).send({ data: tags }).expect(413)
    expect(body.errors).toMatchObject([
      {
        code: 'relationship.too-many',
        source: { pointer: '/data' },
        detail: 'Expected at most 2 resource identifiers, found 3.',
      },
    ])
    expect((await api.get(path)).body).toEqual(before)
    expect(await api.request(method, path).send({ data: tags.slice(1) })).toMatchObject({ status: 204 })
  })

  it('in a resource object', async () => {
    const post = (data: typeof tags) => {
      const body = { data: { type: 'articles', attributes: { title: 'Oak' }, relationships: { tags: { data } } } }
      return api.post('/articles').send(body)
    }
    expect(await post(tags.slice(1))).toMatchObject({ status: 201 })
    const { body: document } = await post(tags).expect(413)
    expect(document.errors).toMatchObject([{ source: { pointer: '/data/relationships/tags/data' } }])
  })

  it('in an operation', async () => {
    const update = (data: typeof tags) => ({
      op: 'update',
      ref: { type: 'articles', id: article, relationship: 'tags' },
      data,
    })
    expect(await operate(api, update(tags.slice(1)))).toMatchObject({ status: 204 })
    const { body } = await operate(api, update(tags)).expect(413)
    expect(body.errors).toMatchObject([{ source: { pointer: '/atomic:operations/0/data' } }])
  })
})

it('has limits that hold where none are given, and can be taken away', async () => {
  const nested = (depth: number) => `/articles?filter=${'not('.repeat(depth - 1)}has(tags)${')'.repeat(depth - 1)}`
  const long = `/articles?sort=${Array(11).fill('title').join(',')}`
  await using(startBlogs(), async (usual) => {
    expect(await usual.get(nested(20))).toMatchObject({ status: 200 })
    expect(await usual.get(nested(21))).toMatchObject({ status: 400 })
    expect(await usual.get(long)).toMatchObject({ status: 400 })
  })
  await using(startBlogs({ limits: { sortKeys: null } }), async (open) => {
    expect(await open.get(long)).toMatchObject({ status: 200 })
  })
})
