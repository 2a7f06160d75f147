import { using } from '../../support/api'
import { Article, startBlogs, Tag } from '../../support/blogs'
import { expectError, singleError } from '../../support/expectations'
import { operate } from '../../support/operate'
import { setUp } from '../../support/set-up'

const api = setUp(() =>
  startBlogs({
    limits: {
      ...{ urlLength: 300, bodyDepth: 6, filterSize: 4, filterDepth: 2, includes: 2, includeDepth: 2 },
      ...{ sortKeys: 2, identifiers: 2, cost: 150 },
    },
  }),
)

it.each([
  [
    "/articles?filter=any(title,'a','b','c')",
    "/articles?filter=any(title,'a','b','c','d')",
    'filter',
    'Expected at most 4 functions and values in filters, found 5.',
  ],
  [
    "/blogs?include=articles&filter=equals(title,'a')&filter[articles]=equals(title,'b')",
    "/blogs?include=articles&filter=equals(title,'a')&filter[articles]=any(title,'b','c')",
    'filter[articles]',
    'Expected at most 4 functions and values in filters, found 5.',
  ],
  [
    "/articles?filter=not(equals(title,'a'))",
    "/articles?filter=not(not(equals(title,'a')))",
    'filter',
    "Expected at most 2 functions within each other, found 'equals'. At position 9: not(not(^equals(title,'a')))",
  ],
  [
    '/articles?include=blog,tags',
    '/articles?include=blog,tags,blog.articles',
    'include',
    'Expected at most 2 paths to include, found 3.',
  ],
  [
    '/articles?include=comments.article&page[size]=1',
    '/articles?include=comments.article.blog&page[size]=1',
    'include',
    'Expected at most 2 relationships in a path, found more.',
  ],
  [
    '/articles?sort=title,-views',
    '/articles?sort=title,-views,likes',
    'sort',
    'Expected at most 2 sort keys, found 3.',
  ],
])('allows %s, and refuses %s', async (within, over, parameter, detail) => {
  await api.get(within).expect(200)
  const response = await api.get(over)
  expectError(response, 400, parameter, `query.${parameter.replace(/\[.*/, '')}`)
  expect(response.body.errors[0].detail).toContain(detail)
})

it('writes the limit and the number into the meta of the error', async () => {
  const { body } = await api.get("/articles?filter=any(title,'a','b','c','d')")
  expect(body.errors[0].meta).toEqual({ limit: 4, found: 5 })
})

describe('the limit of the cost', () => {
  it.each([
    ['/articles?include=comments&page[size]=13', '/articles?include=comments&page[size]=14', 'include', 140],
    ['/articles?filter=has(comments)&page[size]=50', '/articles?filter=has(comments)&page[size]=51', 'filter', 100],
    ['/articles?sort=count(comments)&page[size]=50', '/articles?sort=count(comments)&page[size]=51', 'sort', 100],
  ])('allows %s, and refuses %s', async (within, over, parameter, cost) => {
    await api.get(within).expect(200)
    const response = await api.get(over)
    expectError(response, 400, parameter, 'query.cost')
    expect(response.body.errors[0].detail).toMatch(RegExp(`Of that (the include 'comments'|'\\w+') makes up ${cost}`))
  })

  it('is reported with the cost of each part', async () => {
    const { detail } = singleError(await api.get('/articles?include=comments&page[size]=14'))
    expect(detail).toBe(
      "Expected a request that costs at most 150, found one that costs 154. Of that the include 'comments' makes up 140: " +
        'leave it out, or ask for smaller pages.',
    )
    const query = 'include=comments&page[size]=20,comments:3&filter[comments]=has(replies)'
    const response = await api.get(`/articles?${query}`)
    expectError(response, 400, 'filter[comments]')
    expect(response.body.errors[0].meta).toEqual({
      limit: 150,
      cost: 280,
      parts: [
        { parameter: 'filter[comments]', part: expect.any(String), cost: 200 },
        { parameter: 'include', part: "the include 'comments'", cost: 60 },
        { parameter: 'page[size]', part: 'the page', cost: 20 },
      ],
    })
  })

  it.each([
    ['has(comments)', 151],
    ["equals(count(comments),'1')", 151],
    ['has(comments,has(replies))', 1151],
    ['or(has(comments),has(tags))', 251],
  ])('counts ten times as much for a nested function over a to-many relationship: %s', async (filter, cost) => {
    const { body } = await api.get(`/articles?page[size]=51&filter=${filter}`)
    expect(body.errors).toMatchObject([{ meta: { cost } }])
  })
})

it('limits the length of a URL', async () => {
  const [start, end] = ['/articles?filter=equals(title,%27', '%27)']
  const url = (length: number) => `${start}${'x'.repeat(length - start.length - end.length)}${end}`
  await api.get(url(300)).expect(200)
  const { body } = await api.get(url(301)).expect(414)
  expect(body.errors).toMatchObject([
    { code: 'url.too-long', detail: 'Expected a URL of at most 300 characters from its path on, found 301.' },
  ])
})

it('limits the depth of a body', async () => {
  // The document, its data and the attributes are three of the levels.
  const post = (extra: unknown) =>
    api.post('/articles').send({ data: { type: 'articles', attributes: { title: 'Elm', extra } } })
  await post([[[]]]).expect(201)
  const { body } = await post([[[[]]]]).expect(400)
  expect(body.errors).toMatchObject([
    { code: 'document.shape', detail: expect.stringContaining('Expected at most 6 levels of arrays and objects') },
  ])
})

describe('the limit of resource identifiers', () => {
  let article: string
  let tags: readonly { readonly type: 'tags'; readonly id: string }[]

  beforeAll(async () => {
    article = await api.add(Article, { title: 'Elm' })
    const ids = await Promise.all(['a', 'b', 'c'].map((id) => api.add(Tag, { id })))
    tags = ids.map((id) => ({ type: 'tags', id }))
  })

  it.each(['POST', 'PATCH', 'DELETE'])('applies to %s at the endpoint of a relationship', async (method) => {
    const path = `/articles/${article}/relationships/tags`
    const response = await api.unchanged(() => api.request(method, path).send({ data: tags }))
    expectError(response, 413, '/data', 'relationship.too-many')
    expect(response.body.errors[0].detail).toBe('Expected at most 2 resource identifiers, found 3.')
    await api
      .request(method, path)
      .send({ data: tags.slice(1) })
      .expect(204)
  })

  it('applies to a resource object', async () => {
    const post = (data: typeof tags) => {
      const body = { data: { type: 'articles', attributes: { title: 'Oak' }, relationships: { tags: { data } } } }
      return api.post('/articles').send(body)
    }
    await post(tags.slice(1)).expect(201)
    expectError(await post(tags), 413, '/data/relationships/tags/data')
  })

  it('applies to an operation', async () => {
    const ref = { type: 'articles', id: article, relationship: 'tags' }
    await operate(api, { op: 'update', ref, data: tags.slice(1) }).expect(204)
    expectError(await operate(api, { op: 'update', ref, data: tags }), 413, '/atomic:operations/0/data')
  })
})

it('applies default limits, which null removes', async () => {
  const path = `/articles?sort=${Array(11).fill('title').join(',')}`
  await using(startBlogs(), async (usual) => void (await usual.get(path).expect(400)))
  await using(startBlogs({ limits: { sortKeys: null } }), async (open) => void (await open.get(path).expect(200)))
})
