import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi, using } from '../support/api'
import { includedKeys, linkageKeys } from '../support/expectations'
import { startGrove } from './support/grove'
import { detailAt } from './support/paths'

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
})
afterAll(() => api.close())

it.each([
  ['D-01', 'a collection', '/comments?include=article', ['articles 1', 'articles 2']],
  ['D-01', 'one resource', '/articles/1?include=blog', ['blogs 1']],
  ['D-01', 'a related resource', '/comments/1/article?include=tags', ['tags green', 'tags red']],
  ['D-01', 'related resources', '/blogs/1/articles?include=comments', ['comments 1', 'comments 2', 'comments 3']],
  ['D-01', 'linkage, here', '/articles/1/relationships/blog?include=blog', ['blogs 1']],
  ['D-02', 'to one', '/articles/2?include=blog', ['blogs 1']],
  ['D-02', 'one to many', '/blogs/2?include=articles', ['articles 3']],
  ['D-02', 'many to many', '/articles/2?include=tags', ['tags red']],
  ['D-02', 'a chain', '/blogs/1?include=articles.tags', ['articles 1', 'tags green', 'tags red', 'articles 2']],
  [
    'D-02',
    'a relationship to its own type, again and again',
    '/comments/3?include=parent.parent',
    ['comments 2', 'comments 1'],
  ],
  ['D-02', 'several paths', '/articles/2?include=tags,blog', ['blogs 1', 'tags red']],
  ['D-02', 'paths that begin alike', '/comments/3?include=article,article.blog', ['articles 2', 'blogs 1']],
  ['D-02', 'a path that says what is between', '/comments/3?include=article.blog', ['articles 2', 'blogs 1']],
  ['D-03', 'nothing, when asked for nothing', '/articles?include=', []],
  ['D-03', 'nothing, when there is nothing', '/blogs/3?include=articles', []],
  ['D-06', 'each resource once', '/articles?include=blog', ['blogs 1', 'blogs 2']],
  ['D-06', 'no primary data', '/articles?include=blog.articles', ['blogs 1', 'blogs 2']],
  [
    'D-06',
    'what is reached on two paths once',
    '/articles/1?include=tags,blog.articles.tags',
    ['blogs 1', 'tags green', 'tags red', 'articles 2'],
  ],
  [
    'D-07',
    'depth first, as declared and not as asked for',
    '/articles/1?include=tags.articles,comments.replies,blog',
    ['blogs 1', 'comments 1', 'comments 2', 'comments 3', 'tags green', 'tags red', 'articles 2'],
  ],
  ['D-07', 'in the order of primary data', '/articles?include=blog&sort=-id', ['blogs 2', 'blogs 1']],
  ['D-08', 'nothing behind nothing', '/articles/4?include=blog.articles', []],
])('%s: includes %s: %s', async (_rule, _what, path, expected) => {
  expect(includedKeys(await api.get(path))).toEqual(expected)
})

it.each([
  ['D-03', 'without the parameter', '/articles'],
  ['D-03', 'in errors, here', '/articles?include=tags&sort=nothing'],
  ['D-03', 'where a resource is missing, here', '/articles/9?include=tags'],
])('%s: there is no member included %s', async (_rule, _what, path) => {
  expect((await api.get(path)).body).not.toHaveProperty('included')
})

it.each([
  ['D-04', 'is there where a relationship is included', '/articles/1?include=tags', 'tags', ['tags green', 'tags red']],
  ['D-04', 'is not there where it is not', '/articles/1?include=tags', 'comments', undefined],
  ['D-05', 'is null for nobody', '/articles/4?include=blog', 'blog', null],
  ['D-05', 'is empty for none', '/articles/4?include=tags', 'tags', []],
  ['D-08', 'is null where a path breaks', '/articles/4?include=blog.articles', 'blog', null],
])('%s: linkage %s', async (_rule, _what, path, relationship, expected) => {
  const { body } = await api.get(path)
  expect(linkageKeys([body.data] as never, relationship)).toEqual([expected])
})

it('D-04: an included resource has linkage only where its own are included', async () => {
  const { body } = await api.get('/articles/1?include=blog')
  expect(body.included[0].relationships.articles).toEqual({
    links: { self: '/blogs/1/relationships/articles', related: '/blogs/1/articles' },
  })
})

it('D-06: a resource that is reached on two paths has the linkage of both', async () => {
  const { body } = await api.get('/comments/2?include=parent.article,article.tags')
  const [article] = body.included.filter(({ type }: { type: string }) => type === 'articles')
  expect(linkageKeys([article] as never, 'tags')).toEqual([['tags green', 'tags red']])
})

it.each([
  ['D-09', 'a name that is not there', '^nothing', "'articles', found 'nothing'"],
  ['D-09', 'a name that is not there, further on', 'blog.^nothing', "'blogs', found 'nothing'"],
  ['D-09', 'an attribute', '^title', "the attribute 'title'"],
  ['D-10', 'a blank', 'blog,^ tags', 'no blank'],
  ['D-10', 'a comma at the start', '^,blog', "found ','"],
  ['D-10', 'a comma at the end', 'blog,^', 'found the end'],
  ['D-10', 'two commas', 'blog,^,tags', "found ','"],
  ['D-10', 'a dot at the end', 'blog.^', 'found the end'],
  ['D-10', 'a bracket', 'blog^]', "found ']'"],
])('%s: refuses %s: %s', async (_rule, _what, marked, detail) => {
  expect(await detailAt(api, `/articles?include=${marked}`, 'query.include')).toContain(detail)
})

it.each([
  ['D-11', 'here', '^tags', "the to-many relationship 'tags', which can't be included"],
  ['D-11', 'further on', 'blog.^articles', "the to-many relationship 'articles', which can't be included"],
])('%s: refuses what is not to be included %s', async (_rule, _where, marked, detail) => {
  await using(startGrove({ capabilities: { toMany: ['view'] } }), async (closed) => {
    expect(await detailAt(closed, `/articles?include=${marked}`, 'query.include')).toContain(detail)
  })
})

it('D-12: what is not shown is not included, here: it is as if it did not exist', async () => {
  await using(startGrove({ capabilities: { toOne: [] } }), async (closed) => {
    expect(await detailAt(closed, '/articles?include=^blog', 'query.include')).toContain("found 'blog'")
  })
})

it.each([
  ['D-13', 'counts from the primary data', '/comments/1?include=article.blog', '^article.blog.articles'],
  ['D-13', 'counts from what is related', '/comments/1/article?include=blog.articles', '^blog.articles.tags'],
])('%s: the maximum depth %s', async (_rule, _what, deepest, tooDeep) => {
  await using(startGrove({ limits: { includeDepth: 2 } }), async (shallow) => {
    await shallow.get(deepest).expect(200)
    expect(await detailAt(shallow, deepest.replace(/=.*/, `=${tooDeep}`), 'query.include')).toContain('at most 2')
  })
})

it('D-14: included relationships are paged per parent, in the order of ids', async () => {
  await using(startGrove({ page: { size: 1 } }), async (small) => {
    const { body } = await small.get('/blogs?include=articles.comments&page[size]=3')
    expect(linkageKeys(body.data, 'articles')).toEqual([['articles 1'], ['articles 3'], []])
    expect(includedKeys(await small.get('/blogs/1?include=articles.comments'))).toEqual(['articles 1', 'comments 1'])
  })
})

@Resource('notes')
@Entity()
class Note {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) text: string
  @ToOne() @ManyToOne('Author', { nullable: true }) author: Author | null
}

@Resource('authors', { endpoints: [] })
@Entity()
class Author {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @ToOne() @ManyToOne('Author', { nullable: true }) teacher: Author | null
}

it('D-15: a resource whose type has no endpoints is included without links, and without relationships that have none', async () => {
  const notes = await startApi([Note, Author])
  await notes.add(Author, { name: 'Ada' })
  await notes.add(Note, { text: 'x', author: { id: 1 } })
  const { body } = await notes.get('/notes?include=author')
  expect(body.included).toEqual([{ type: 'authors', id: '1', attributes: { name: 'Ada' } }])
  await notes.close()
})
