import { ref, refs, using } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { attributeValues, linkageKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'

const api = setUp(() => startBlogs({ page: { size: 3 } }))

beforeAll(async () => {
  await api.add(Blog, { title: 'Blog 1' })
  await api.add(Blog, { title: 'Blog 2' })
  await api.add(Tag, { id: 'red' })
  for (let number = 1; number <= 25; number += 1) {
    const article = await api.add(Article, { title: `T${number}`, blog: ref('1'), tags: refs('red') })
    if (number > 2) continue
    for (let each = 1; each <= 4; each += 1) await api.add(Revision, { number: each, article: ref(article) })
    for (let each = 1; each <= 4; each += 1) {
      await api.add(Comment, { id: String(number * 10 + each), article: ref(article) })
    }
  }
})

const titles = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `T${from + index}`)

it.each([
  ['rule 1', '/articles?page[size]=10&page[number]=2', 11, 20],
  ['rule 1', '/articles?page[size]=10&page[number]=1', 1, 10],
  ['rule 2', '/blogs/1/articles?page[size]=10&page[number]=3', 21, 25],
  ['rule 6', '/articles', 1, 3],
  ['rule 6', '/blogs/1/articles', 1, 3],
])('%s: returns the page %s', async (_rule, path, from, to) => {
  expect(attributeValues(await api.get(path), 'title')).toEqual(titles(from, to))
})

it('rule 1: counts pages from 1', async () => {
  await api.get('/articles?page[number]=0').expect(400)
})

it('rule 3: applies an entry with a path to an included relationship, one without to the primary data', async () => {
  const { body } = await api.get('/blogs?include=articles&page[size]=1,articles:10&page[number]=1,articles:2')
  expect(body.data).toHaveLength(1)
  expect(body.included.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual(
    titles(11, 20),
  )
})

it('rule 3: accepts paths of several steps', async () => {
  const { body } = await api.get(
    `/blogs/1?include=articles.comments&page[size]=articles:2,articles.comments:3&page[number]=articles.comments:2`,
  )
  const articles = body.included.filter(({ type }: { type: string }) => type === 'articles')
  expect(linkageKeys(articles, 'comments')).toEqual([['comments 14'], ['comments 24']])
})

it('rule 4: writes neither links to pages nor totals for included relationships', async () => {
  const { body } = await api.get('/blogs/1?include=articles')
  expect(body.data.relationships.articles.data).toHaveLength(3)
  expect(Object.keys(body.data.relationships.articles.links)).toEqual(['self', 'related'])
  // That it is cut is said, as JSON:API asks for full linkage.
  expect(body.data.relationships.articles.meta).toEqual({ hasMore: true })
  expect(body.links).toEqual({ self: '/blogs/1?include=articles' })
  expect(body.meta).toBeUndefined()
})

it.each([
  '/tags/red/articles?page[size]=2&page[number]=2',
  '/tags/red/relationships/articles?page[size]=2&page[number]=2',
])('rule 5: returns all resources where the pagination of a relationship is off: %s', async (path) => {
  const { body } = await api.get(path)
  expect(body.data).toHaveLength(25)
  expect(body.meta).toEqual({ total: 25 })
  expect(body.links.first).toBeUndefined()
})

it('rule 5: includes all resources where the pagination of a relationship is off', async () => {
  const { body } = await api.get('/tags?include=articles&page[size]=articles:2')
  expect(body.data[0].relationships.articles.data).toHaveLength(25)
})

it('rule 6: has no pages where the default size is null', async () => {
  await using(startBlogs({ page: { size: null } }), async (unpaged) => {
    for (let number = 1; number <= 12; number += 1) await unpaged.add(Article, { title: `T${number}` })
    const { body } = await unpaged.get('/articles')
    expect(body.data).toHaveLength(12)
    expect(body.links).toEqual({ self: '/articles' })
    expect(body.meta).toEqual({ total: 12 })
  })
})
