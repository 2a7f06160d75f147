import { ref, refs, using } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { attributeValues, linkageKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'

// Pagination rules 1 to 6. Blogs have articles, and articles have revisions.

const api = setUp(() => startBlogs({ page: { size: 3 } }))
let blog: string

beforeAll(async () => {
  blog = await api.add(Blog, { title: 'Blog 1' })
  await api.add(Blog, { title: 'Blog 2' })
  await api.add(Tag, { id: 'red' })
  for (let number = 1; number <= 25; number += 1) {
    const article = await api.add(Article, { title: `T${number}`, blog: ref(blog), tags: refs('red') })
    if (number > 2) continue
    for (let each = 1; each <= 4; each += 1) await api.add(Revision, { number: each, article: ref(article) })
    for (let each = 1; each <= 4; each += 1) {
      await api.add(Comment, { id: String(number * 10 + each), article: ref(article) })
    }
  }
})

const titles = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `T${from + index}`)

it('rule 1: size 10 and number 2 give items 11 to 20', async () => {
  const answer = await api.get('/articles?page[size]=10&page[number]=2')
  expect(attributeValues(answer, 'title')).toEqual(titles(11, 20))
})

it('rule 1: page numbers start at 1', async () => {
  expect(attributeValues(await api.get('/articles?page[size]=10&page[number]=1'), 'title')).toEqual(titles(1, 10))
  await api.get('/articles?page[number]=0').expect(400)
})

it('rule 2: secondary endpoints are paged', async () => {
  const answer = await api.get(`/blogs/${blog}/articles?page[size]=10&page[number]=3`)
  expect(attributeValues(answer, 'title')).toEqual(titles(21, 25))
})

it('rule 3: an entry with a path is that of an included relationship, one without of the primary data', async () => {
  const { body } = await api.get('/blogs?include=articles&page[size]=1,articles:10&page[number]=1,articles:2')
  expect(body.data).toHaveLength(1)
  expect(body.included.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual(
    titles(11, 20),
  )
})

it('rule 3: a path may have several steps', async () => {
  const { body } = await api.get(
    `/blogs/${blog}?include=articles.comments&page[size]=articles:2,articles.comments:3&page[number]=articles.comments:2`,
  )
  const articles = body.included.filter(({ type }: { type: string }) => type === 'articles')
  expect(linkageKeys(articles, 'comments')).toEqual([['comments 14'], ['comments 24']])
})

it('rule 4: there are no pagination links and no total for included relationships', async () => {
  const { body } = await api.get(`/blogs/${blog}?include=articles`)
  expect(body.data.relationships.articles.data).toHaveLength(3)
  expect(Object.keys(body.data.relationships.articles.links)).toEqual(['self', 'related'])
  expect(body.data.relationships.articles.meta).toBeUndefined()
  expect(body.links).toEqual({ self: `/blogs/${blog}?include=articles` })
  expect(body.meta).toBeUndefined()
})

it.each([
  ['its endpoint', '/tags/red/articles?page[size]=2&page[number]=2'],
  ['its relationship endpoint', '/tags/red/relationships/articles?page[size]=2&page[number]=2'],
])('rule 5: a relationship whose pagination is off gives everything at %s', async (_what, path) => {
  const { body } = await api.get(path)
  expect(body.data).toHaveLength(25)
  expect(body.meta).toEqual({ total: 25 })
  expect(body.links.first).toBeUndefined()
})

it('rule 5: a relationship whose pagination is off gives everything when it is included', async () => {
  const { body } = await api.get('/tags?include=articles&page[size]=articles:2')
  expect(body.data[0].relationships.articles.data).toHaveLength(25)
})

it('rule 6: the default is that of the configuration', async () => {
  expect(attributeValues(await api.get('/articles'), 'title')).toEqual(titles(1, 3))
  expect(attributeValues(await api.get(`/blogs/${blog}/articles`), 'title')).toEqual(titles(1, 3))
})

it('rule 6: the default can be none', async () => {
  await using(startBlogs({ page: { size: null } }), async (unpaged) => {
    for (let number = 1; number <= 12; number += 1) await unpaged.add(Article, { title: `T${number}` })
    const { body } = await unpaged.get('/articles')
    expect(body.data).toHaveLength(12)
    expect(body.links).toEqual({ self: '/articles' })
    expect(body.meta).toEqual({ total: 12 })
  })
})
