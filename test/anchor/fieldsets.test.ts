import { ResourceDefinition, type StoredRecord } from 'stemma'
import { type TestApi, using } from '../support/api'
import { Article } from '../support/blogs'
import { includedKeys } from '../support/expectations'
import { startGrove } from './support/grove'
import { detailAt } from './support/paths'

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
})
afterAll(() => api.close())

const BLOG = { title: 'Trees' }
const ARTICLES = { links: { self: '/blogs/1/relationships/articles', related: '/blogs/1/articles' } }
const NAMED = { type: 'blogs', id: '1', links: { self: '/blogs/1' } }

it.each([
  [
    'I-01',
    'an attribute and a relationship',
    'fields[blogs]=title,articles',
    { attributes: BLOG, relationships: { articles: ARTICLES } },
  ],
  [
    'I-01',
    'a type that is nowhere in the document',
    'fields[tags]=rank',
    { attributes: BLOG, relationships: { articles: ARTICLES } },
  ],
  ['I-02', 'one attribute', 'fields[blogs]=title', { attributes: BLOG }],
  ['I-02', 'no attribute: no member attributes', 'fields[blogs]=articles', { relationships: { articles: ARTICLES } }],
  [
    'I-03',
    'a relationship that is not included: only its links',
    'fields[blogs]=articles',
    { relationships: { articles: ARTICLES } },
  ],
  ['I-03', 'no relationship: no member relationships', 'fields[blogs]=title', { attributes: BLOG }],
  ['I-04', 'the id, which is there anyway', 'fields[blogs]=id', {}],
  ['I-06', 'nothing', 'fields[blogs]=', {}],
  [
    'I-12',
    'one after the other',
    'fields[blogs]=title&fields[blogs]=articles',
    { attributes: BLOG, relationships: { articles: ARTICLES } },
  ],
])('%s: a set of %s', async (_rule, _what, query, expected) => {
  expect((await api.get(`/blogs/1?${query}`)).body.data).toEqual({ ...NAMED, ...expected })
})

it.each([
  ['I-01', 'an included resource', '/comments/1?include=article&fields[articles]=views', ['views']],
  ['I-09', 'its own type', '/comments/1?include=article&fields[comments]=&fields[articles]=title', ['title']],
])('%s: a set holds for %s', async (_rule, _what, path, expected) => {
  expect(Object.keys((await api.get(path)).body.included[0].attributes)).toEqual(expected)
})

it('I-01: a set holds for related resources', async () => {
  const { body } = await api.get('/comments/1/article?fields[articles]=views')
  expect(body.data.attributes).toEqual({ views: 5 })
})

it('I-09: a type without a set has all of its fields', async () => {
  const { body } = await api.get('/articles/1?include=blog&fields[articles]=title')
  expect(body.included).toEqual([{ ...NAMED, attributes: BLOG, relationships: { articles: ARTICLES } }])
})

it('I-05: a relationship that is left out is included all the same', async () => {
  const answer = await api.get('/articles/1?include=blog&fields[articles]=title')
  expect(includedKeys(answer)).toEqual(['blogs 1'])
  expect(answer.body.data).not.toHaveProperty('relationships')
})

it.each([
  ['I-07', 'a set of attributes', '/articles?fields[articles]=title,views', ['title', 'views']],
  ['I-07', 'a set of relationships', '/articles?fields[articles]=tags', []],
  ['I-07', 'an empty set', '/articles?fields[articles]=', []],
  // Of one resource the ETag needs all, unless there is a version.
])('%s: %s: only what is shown is read', async (_rule, _what, path, expected) => {
  const statements = await api.statementsOf(() => api.get(path))
  const columns = ['title', 'subtitle', 'views', 'likes', 'bytes', 'price', 'token', 'extra']
  expect(columns.filter((column) => new RegExp(`["\`]${column}["\`]`).test(statements.join()))).toEqual(expected)
})

class ArticleShown extends ResourceDefinition<Article> {
  readonly resource = Article

  override serialize({ instance }: StoredRecord<Article>) {
    return { subtitle: `${instance.title}, seen ${instance.views} times` }
  }
}

it('I-08: a value that is worked out of others sees them also where they are not shown', async () => {
  await using(startGrove({ definitions: [new ArticleShown()] }), async (shown) => {
    const { body } = await shown.get('/articles/1?fields[articles]=subtitle')
    expect(body.data.attributes).toEqual({ subtitle: 'Ash, seen 5 times' })
  })
})

it.each([
  ['I-10', 'a type that is not there', 'fields[^article]=title', "Did you mean 'articles'?"],
  ['I-10', 'no type', 'fields[^]=title', 'a resource type'],
  ['I-10', 'a field that is not there', 'fields[articles]=title,^nothing', "found 'nothing'"],
  ['I-10', 'a field of another type', 'fields[articles]=^rank', "found 'rank'"],
  ['I-10', 'a path', 'fields[articles]=blog.^title', "nothing behind 'blog'"],
  ['I-10', 'an empty name', 'fields[articles]=title,^', 'found the end'],
])('%s: refuses %s: %s', async (_rule, _what, marked, detail) => {
  expect(await detailAt(api, `/articles?${marked}`, 'query.fields')).toContain(detail)
})

describe('a field that is not shown', () => {
  let closed: TestApi
  beforeAll(async () => {
    closed = await startGrove({ capabilities: { attribute: [], toOne: [] } })
  })
  afterAll(() => closed.close())

  it.each([
    ['I-11', 'attribute', 'fields[articles]=^title', "found 'title'"],
    ['I-11', 'relationship', 'fields[articles]=tags,^blog', "found 'blog'"],
  ])('%s: is refused as an unknown name: %s', async (_rule, _what, marked, detail) => {
    expect(await detailAt(closed, `/articles?${marked}`, 'query.fields')).toContain(detail)
  })

  it('I-11: is left out', async () => {
    const { body } = await closed.get('/articles/1')
    expect(body.data).not.toHaveProperty('attributes')
    expect(Object.keys(body.data.relationships)).toEqual(['comments', 'revisions', 'tags'])
  })
})

it('I-13: a set changes nothing of linkage', async () => {
  const { body } = await api.get('/articles/1/relationships/tags?fields[tags]=rank&fields[articles]=title')
  expect(body.data).toEqual([
    { type: 'tags', id: 'green' },
    { type: 'tags', id: 'red' },
  ])
})

it('I-13: a set holds for what is included beside linkage, here', async () => {
  const { body } = await api.get('/articles/2/relationships/tags?include=tags&fields[tags]=rank')
  expect(body.included).toEqual([{ type: 'tags', id: 'red', attributes: { rank: 2 }, links: { self: '/tags/red' } }])
})
