import { JsonApiError, type ResourceClass, ResourceDefinition, type ResourceWrite } from 'stemma'
import { ref, type TestApi } from '../../support/api'
import { Article, Blog, Comment, startBlogs, Tag } from '../../support/blogs'

// Who may read or write what: a request needs the scope of every type that it touches, wherever it does.

interface Asking {
  readonly scopes: readonly string[]
}

class Scoped extends ResourceDefinition<object, Asking> {
  readonly resource: ResourceClass
  readonly name: string

  constructor(resource: ResourceClass, name: string) {
    super()
    this.resource = resource
    this.name = name
  }

  override filter(asking: Asking): undefined {
    demand(`read:${this.name}`, asking)
  }

  override beforeWrite({ context }: ResourceWrite<object, Asking>): void {
    demand(`write:${this.name}`, context)
  }
}

function demand(scope: string, { scopes }: Asking): void {
  if (!scopes.includes(scope)) throw new JsonApiError({ status: 401, title: `It needs ${scope}.` })
}

let api: TestApi

beforeAll(async () => {
  api = await startBlogs({
    definitions: [new Scoped(Blog, 'blogs'), new Scoped(Article, 'articles'), new Scoped(Tag, 'tags')],
    context: (request) => ({ scopes: request.get('x-scopes')?.split(' ') ?? [] }),
  })
  const blog = await api.add(Blog, { title: 'Trees' })
  const article = await api.add(Article, { title: 'Ash', blog: ref(blog) })
  await api.add(Comment, { id: '1', article: ref(article) })
})
afterAll(() => api.close())

it.each([
  ['a collection', '/articles', 'read:articles'],
  ['one resource', '/articles/1', 'read:articles'],
  ['related resources', '/blogs/1/articles', 'read:blogs read:articles'],
  ['a related resource', '/articles/1/blog', 'read:articles read:blogs'],
  ['linkage', '/blogs/1/relationships/articles', 'read:blogs read:articles'],
  ['an include', '/articles?include=blog', 'read:articles read:blogs'],
  ['an include of an include', '/blogs?include=articles.tags', 'read:blogs read:articles read:tags'],
  ['a filter over a path', "/articles?filter=equals(blog.title,'Trees')", 'read:articles read:blogs'],
  ['a filter by what is related', '/articles?filter=has(tags)', 'read:articles read:tags'],
  [
    'a filter of what is included',
    '/blogs?include=articles&filter[articles]=has(tags)',
    'read:blogs read:articles read:tags',
  ],
  ['a sort over a path', '/articles?sort=blog.title', 'read:articles read:blogs'],
  ['a sort by a count', '/articles?sort=count(tags)', 'read:articles read:tags'],
])('%s needs the scope of all that it touches: %s', async (_what, path, scopes) => {
  await api.get(path).set({ 'x-scopes': scopes }).expect(200)
  for (const scope of scopes.split(' ')) {
    const others = scopes.replace(scope, '')
    const { status, body } = await api.get(path).set({ 'x-scopes': others })
    expect([status, body.errors[0].title]).toEqual([401, `It needs ${scope}.`])
  }
})

it('a type without rules needs none', async () => {
  await api.get('/comments').expect(200)
})

it('a write needs the scope for it', async () => {
  const body = { data: { type: 'articles', id: '1', attributes: { title: 'Elm' } } }
  const patch = async (scopes: string) => (await api.patch('/articles/1').send(body).set({ 'x-scopes': scopes })).status
  expect(await patch('read:articles')).toBe(401)
  expect(await patch('read:articles write:articles')).toBe(204)
})
