import { createApp } from '../../../examples/blogs/app'
import { Article } from '../../../examples/blogs/article'
import { Blog } from '../../../examples/blogs/blog'
import { Revision } from '../../../examples/blogs/revision'
import { seed } from '../../../examples/blogs/seed'
import { Tag } from '../../../examples/blogs/tag'
import { openDatabase, type TestDatabase } from '../../support/database'
import { serve, type TestServer } from '../../support/server'

interface Shown {
  readonly type: string
  readonly id: string
  readonly attributes: { readonly title: string }
  readonly relationships: Readonly<Record<string, { readonly data: readonly Shown[] }>>
}

let database: TestDatabase
let api: TestServer

beforeAll(async () => {
  database = await openDatabase([Blog, Article, Revision, Tag])
  await seed(database.dataSource)
  api = await serve(createApp(database.dataSource))
})

afterAll(async () => {
  await api.close()
  await database.close()
})

describe('what is there', () => {
  it.each([
    ['blogs', 3],
    ['articles', 60],
    ['revisions', 200],
    ['tags', 12],
  ])('is seeded once, however often the example starts: %s', async (type, total) => {
    await seed(database.dataSource)
    expect((await api.get(`/${type}`)).body.meta).toEqual({ total })
  })

  it('are articles with many revisions, with some and with none', async () => {
    const { body } = await api.get('/articles?include=revisions&page[size]=6,revisions:100')
    expect(linked(body.data, 'revisions').map(({ length }) => length)).toEqual([9, 0, 5, 1, 3, 2])
  })

  it('are tags that articles share', async () => {
    const { body } = await api.get("/articles?filter=has(tags,equals(label,'forest'))&page[size]=1")
    expect(body.meta.total).toBeGreaterThan(5)
  })

  it('shows every field, and both ends of each relationship', async () => {
    const { data } = (await api.get('/articles/1')).body
    expect(data.attributes).toEqual({
      title: 'Oaks in spring',
      body: 'Oaks in spring: what there is to see, and where.',
      publishedAt: '2024-01-01T12:00:00.000Z',
    })
    expect(Object.keys(data.relationships)).toEqual(['blog', 'revisions', 'tags'])
    expect((await api.get('/articles/1/blog')).body.data).toMatchObject({ type: 'blogs', id: '1' })
    expect((await api.get('/revisions/1/article')).body.data).toMatchObject({ type: 'articles', id: '1' })
    expect((await api.get('/tags/1/articles')).body.data[0]).toMatchObject({ type: 'articles', id: '1' })
  })
})

describe('pages', () => {
  it('of primary data: size 10 and number 2 are items 11 to 20', async () => {
    const { body } = await api.get('/articles?page[size]=10&page[number]=2')
    expect(ids(body.data)).toEqual(range(11, 20))
    expect(body.meta).toEqual({ total: 60 })
    expect(body.links).toEqual({
      self: '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=2',
      first: '/articles?page%5Bsize%5D=10',
      last: '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=6',
      prev: '/articles?page%5Bsize%5D=10',
      next: '/articles?page%5Bsize%5D=10&page%5Bnumber%5D=3',
    })
  })

  it('of related resources', async () => {
    const { body } = await api.get('/blogs/2/articles?page[size]=10&page[number]=2')
    expect(ids(body.data)).toEqual(range(31, 40))
    expect(body.meta).toEqual({ total: 20 })
    expect(body.links).toMatchObject({
      first: '/blogs/2/articles?page%5Bsize%5D=10',
      last: '/blogs/2/articles?page%5Bsize%5D=10&page%5Bnumber%5D=2',
      prev: '/blogs/2/articles?page%5Bsize%5D=10',
      next: null,
    })
  })

  it('of included relationships: a size and a number for each blog', async () => {
    const { body } = await api.get('/blogs?include=articles&page[size]=10,articles:5&page[number]=1,articles:2')
    expect(ids(body.data)).toEqual(range(1, 3))
    expect(linked(body.data, 'articles').map(ids)).toEqual([range(6, 10), range(26, 30), range(46, 50)])
    expect(ids(body.included)).toEqual([...range(6, 10), ...range(26, 30), ...range(46, 50)])
  })

  it('of included relationships: without links and totals of their own', async () => {
    const { body } = await api.get('/blogs?include=articles&page[size]=10,articles:5&page[number]=1,articles:2')
    expect(body.meta).toEqual({ total: 3 })
    expect(body.data[0].relationships.articles).toEqual({
      links: { self: '/blogs/1/relationships/articles', related: '/blogs/1/articles' },
      data: range(6, 10).map((id) => ({ type: 'articles', id })),
    })
  })

  it('of relationships that are included behind others', async () => {
    const path = '/blogs/1?include=articles.revisions&page[size]=articles:4,articles.revisions:3'
    const first = (await api.get(path)).body
    expect(linked(ofType('articles', first), 'revisions').map(ids)).toEqual([
      ['1', '2', '3'],
      [],
      ['10', '11', '12'],
      ['15'],
    ])
    const second = (await api.get(`${path}&page[number]=articles.revisions:2`)).body
    expect(linked(ofType('articles', second), 'revisions').map(ids)).toEqual([['4', '5', '6'], [], ['13', '14'], []])
  })

  it('of tags are there none, whatever is asked for', async () => {
    const related = await api.get('/articles/1/tags?page[size]=2&page[number]=2')
    expect(ids(related.body.data)).toEqual(range(1, 12))
    expect(related.body.meta).toEqual({ total: 12 })
    expect(related.body.links).toEqual({ self: '/articles/1/tags?page%5Bsize%5D=2&page%5Bnumber%5D=2' })
    const included = await api.get('/articles/1?include=tags&page[size]=tags:2')
    expect(ids(included.body.included)).toEqual(range(1, 12))
  })

  it('lead from the first to the last article by their links', async () => {
    const seen: string[] = []
    for (let path: string | null = '/blogs/3/articles?page[size]=7'; path !== null; ) {
      const { body } = await api.get(path)
      seen.push(...ids(body.data))
      path = body.links.next
    }
    expect(seen).toEqual(range(41, 60))
  })
})

describe('everything can be written', () => {
  it('makes a blog with an article, tagged and revised, and takes them away', async () => {
    const blog = await created('/blogs', { type: 'blogs', attributes: { title: 'Stones' } })
    const article = await created('/articles', {
      type: 'articles',
      attributes: { title: 'Flint', body: 'Hard.' },
      relationships: { blog: { data: blog }, tags: { data: [{ type: 'tags', id: '1' }] } },
    })
    const revision = await created('/revisions', {
      type: 'revisions',
      attributes: { content: 'Harder.', createdAt: '2024-02-29T10:00:00Z' },
      relationships: { article: { data: article } },
    })
    expect((await api.get(`/blogs/${blog.id}/articles`)).body.data).toMatchObject([
      { ...article, attributes: { publishedAt: null } },
    ])
    await expectStatus(204, 'PATCH', `/articles/${article.id}/relationships/tags`, [])
    await expectStatus(204, 'DELETE', `/articles/${article.id}`)
    await api.get(`/revisions/${revision.id}`).expect(404)
    await expectStatus(204, 'DELETE', `/blogs/${blog.id}`)
  })

  it('dates a revision itself, when the request does not', async () => {
    const before = Date.now()
    const { id } = await created('/revisions', { type: 'revisions', attributes: { content: 'New.' } })
    const { createdAt } = (await api.get(`/revisions/${id}`)).body.data.attributes
    // Some databases keep whole seconds.
    expect(Date.parse(createdAt)).toBeGreaterThan(before - 1000)
    await expectStatus(204, 'DELETE', `/revisions/${id}`)
  })
})

async function created(path: string, data: object): Promise<{ readonly type: string; readonly id: string }> {
  const { status, body } = await api.post(path).send({ data })
  expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined })
  return { type: body.data.type, id: body.data.id }
}

async function expectStatus(expected: number, method: string, path: string, data?: unknown): Promise<void> {
  const { status, body } = await api.request(method, path, data === undefined ? {} : { body: { data } })
  expect({ status, errors: body?.errors }).toEqual({ status: expected, errors: undefined })
}

function ofType(type: string, { included }: { readonly included: readonly Shown[] }): readonly Shown[] {
  return included.filter((each) => each.type === type)
}

function linked(resources: readonly Shown[], relationship: string): (readonly Shown[])[] {
  return resources.map(({ relationships }) => relationships[relationship]?.data ?? [])
}

function ids(resources: readonly { readonly id: string }[]): string[] {
  return resources.map(({ id }) => id)
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}
