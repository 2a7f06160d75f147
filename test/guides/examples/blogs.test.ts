import { createApp } from '../../../examples/blogs/app'
import { Article } from '../../../examples/blogs/article'
import { Blog } from '../../../examples/blogs/blog'
import { Revision } from '../../../examples/blogs/revision'
import { seed } from '../../../examples/blogs/seed'
import { Tag } from '../../../examples/blogs/tag'
import { setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { idsOf, linkageKeys, resourceKeys } from '../../support/expectations'
import { serve } from '../../support/server'

const database = setUp(() => openDatabase([Blog, Article, Revision, Tag]))
const api = setUp(() => serve(createApp(database.dataSource)))
beforeAll(() => seed(database.dataSource))

it.each([
  ['blogs', 3],
  ['articles', 60],
  ['revisions', 200],
  ['tags', 12],
])('seeds %s only once', async (type, total) => {
  await seed(database.dataSource)
  expect((await api.get(`/${type}`)).body.meta).toEqual({ total })
})

it('has articles with many, some and no revisions, and tags of several articles', async () => {
  const { body } = await api.get('/articles?include=revisions&page[size]=6,revisions:100')
  const revisions = linkageKeys(body.data, 'revisions') as readonly string[][]
  expect(revisions.map(({ length }) => length)).toEqual([9, 0, 5, 1, 3, 2])
  const tagged = await api.get("/articles?filter=has(tags,equals(label,'forest'))&page[size]=1")
  expect(tagged.body.meta.total).toBeGreaterThan(5)
})

it('shows every field, and both ends of each relationship', async () => {
  const { data } = (await api.get('/articles/1')).body
  expect(data.attributes).toEqual({
    title: 'Oaks in spring',
    body: 'Oaks in spring: what there is to see, and where.',
    publishedAt: '2024-01-01T12:00:00.000Z',
  })
  expect(Object.keys(data.relationships)).toEqual(['blog', 'revisions', 'tags'])
  expect(resourceKeys(await api.get('/articles/1/blog'))).toEqual(['blogs 1'])
  expect(resourceKeys(await api.get('/revisions/1/article'))).toEqual(['articles 1'])
  expect(resourceKeys(await api.get('/tags/1/articles'))[0]).toBe('articles 1')
})

it('has pages of articles below each blog, and all tags on one page', async () => {
  const { body } = await api.get('/blogs?include=articles&page[size]=10,articles:5&page[number]=1,articles:2')
  const pages = [range(6, 10), range(26, 30), range(46, 50)]
  expect(linkageKeys(body.data, 'articles')).toEqual(pages.map((ids) => ids.map((id) => `articles ${id}`)))
  expect(idsOf(await api.get('/articles/1/tags?page[size]=2&page[number]=2')).split(' ')).toEqual(range(1, 12))
})

it('creates, changes and deletes resources of each type', async () => {
  const blog = await create({ type: 'blogs', attributes: { title: 'Stones' } })
  const article = await create({
    type: 'articles',
    attributes: { title: 'Flint', body: 'Hard.' },
    relationships: { blog: { data: blog }, tags: { data: [{ type: 'tags', id: '1' }] } },
  })
  const revision = await create({
    type: 'revisions',
    attributes: { content: 'Harder.', createdAt: '2024-02-29T10:00:00Z' },
    relationships: { article: { data: article } },
  })
  const { body } = await api.get(`/blogs/${blog.id}/articles`)
  expect(body.data).toMatchObject([{ ...article, attributes: { publishedAt: null } }])
  await api.patch(`/articles/${article.id}/relationships/tags`).send({ data: [] }).expect(204)
  await api.delete(`/articles/${article.id}`).expect(204)
  await api.get(`/revisions/${revision.id}`).expect(404)
  await api.delete(`/blogs/${blog.id}`).expect(204)
})

it('dates a revision that the client does not date', async () => {
  const before = Date.now()
  const { id } = await create({ type: 'revisions', attributes: { content: 'New.' } })
  const { createdAt } = (await api.get(`/revisions/${id}`)).body.data.attributes
  // Some databases keep whole seconds.
  expect(Date.parse(createdAt)).toBeGreaterThan(before - 1000)
  await api.delete(`/revisions/${id}`).expect(204)
})

async function create(data: { readonly type: string; readonly attributes: object; readonly relationships?: object }) {
  const { body } = await api.post(`/${data.type}`).send({ data }).expect(201)
  return { type: data.type, id: String(body.data.id) }
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}
