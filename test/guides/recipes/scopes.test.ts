import { JsonApiError, type ResourceClass, type ResourceWrite } from 'stemma'
import { ref } from '../../support/api'
import { Article, Blog, Comment, startBlogs, Tag } from '../../support/blogs'
import { define } from '../../support/define'
import { updateResource } from '../../support/documents'
import { setUp } from '../../support/set-up'

// A request needs the scopes of all types that it reads or writes.

interface Context {
  readonly scopes: readonly string[]
}

const scoped = (resource: ResourceClass, name: string) =>
  define<object, Context>(resource, {
    filter: (context: Context) => demand(`read:${name}`, context),
    beforeWrite: ({ context }: ResourceWrite<object, Context>) => demand(`write:${name}`, context),
  })

function demand(scope: string, { scopes }: Context): undefined {
  if (!scopes.includes(scope)) throw new JsonApiError({ status: 401, title: `It needs ${scope}.` })
}

const api = setUp(() =>
  startBlogs({
    definitions: [scoped(Blog, 'blogs'), scoped(Article, 'articles'), scoped(Tag, 'tags')],
    context: (request) => ({ scopes: request.get('x-scopes')?.split(' ') ?? [] }),
  }),
)

beforeAll(async () => {
  const blog = await api.add(Blog, { title: 'Trees' })
  const article = await api.add(Article, { title: 'Ash', blog: ref(blog) })
  await api.add(Comment, { id: '1', article: ref(article) })
})

it.each([
  ['/articles', 'read:articles'],
  ['/articles/1', 'read:articles'],
  ['/blogs/1/articles', 'read:blogs read:articles'],
  ['/articles/1/blog', 'read:articles read:blogs'],
  ['/blogs/1/relationships/articles', 'read:blogs read:articles'],
  ['/articles?include=blog', 'read:articles read:blogs'],
  ['/blogs?include=articles.tags', 'read:blogs read:articles read:tags'],
  ["/articles?filter=equals(blog.title,'Trees')", 'read:articles read:blogs'],
  ['/articles?filter=has(tags)', 'read:articles read:tags'],
  ['/blogs?include=articles&filter[articles]=has(tags)', 'read:blogs read:articles read:tags'],
  ['/articles?sort=blog.title', 'read:articles read:blogs'],
  ['/articles?sort=count(tags)', 'read:articles read:tags'],
])('GET %s returns 401 unless the client has the scopes %s', async (path, scopes) => {
  await api.get(path).set({ 'x-scopes': scopes }).expect(200)
  for (const scope of scopes.split(' ')) {
    const headers = { 'x-scopes': scopes.replace(scope, '') }
    const { body } = await api.get(path).set(headers).expect(401)
    expect(body.errors[0].title).toBe(`It needs ${scope}.`)
  }
})

it('GET of a type without a definition needs no scope', async () => {
  await api.get('/comments').expect(200)
})

it('PATCH returns 401 without the write scope', async () => {
  const patch = (scopes: string) => updateResource(api, 'articles', '1', { title: 'Elm' }).set({ 'x-scopes': scopes })
  await patch('read:articles').expect(401)
  await patch('read:articles write:articles').expect(204)
})
