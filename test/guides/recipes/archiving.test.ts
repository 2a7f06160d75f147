import { equals, JsonApiError, type ResourceWrite } from 'stemma'
import { define, ref, setUp } from '../../support/api'
import { Article, Blog, startBlogs } from '../../support/blogs'
import { createResource, resource } from '../../support/documents'
import { expectError, resourceKeys } from '../../support/expectations'

// Archived articles, which have a date of publication, are hidden unless the client sends a parameter of the application:
// `?showsArchived=true`.

interface Context {
  readonly showsArchived: boolean
}

const articleRules = define<Article, Context>(Article, {
  filter: ({ showsArchived }: Context) => (showsArchived ? undefined : equals('publishedAt', null)),
  beforeWrite({ kind, previous, values }: ResourceWrite<Article, Context>): void {
    if (kind === 'delete' && values.publishedAt === null) throw new JsonApiError({ title: 'Archive it first.' })
    if (kind === 'create' && values.publishedAt !== null) {
      throw new JsonApiError({ title: 'New articles are not archived.', field: 'publishedAt' })
    }
    if (previous?.instance.publishedAt && values.publishedAt && previous.instance.title !== values.title) {
      throw new JsonApiError({ title: 'Archived articles are read-only.', field: 'title' })
    }
  },
})

const ARCHIVED = new Date('2024-01-01T00:00:00Z')

describe('an archive with a parameter of the application', () => {
  const api = setUp(() =>
    startBlogs({
      definitions: [articleRules],
      unknownParameters: ['showsArchived'],
      context: ({ query }) => ({ showsArchived: query.showsArchived === 'true' }),
    }),
  )
  beforeAll(async () => {
    const blog = ref(await api.add(Blog, { title: 'All' }))
    await api.add(Article, { title: 'News', blog })
    await api.add(Article, { title: 'Old news', publishedAt: ARCHIVED, blog })
  })

  // anchor: R/O-09
  it.each([
    ['/articles?', ['articles 1'], ['articles 1', 'articles 2']],
    ['/blogs/1/articles?', ['articles 1'], ['articles 1', 'articles 2']],
    ["/blogs?filter=has(articles,equals(title,'Old news'))&", [], ['blogs 1']],
  ])('shows archived rows at %s only with the parameter', async (path, hidden, shown) => {
    expect(resourceKeys(await api.get(path.slice(0, -1)))).toEqual(hidden)
    expect(resourceKeys(await api.get(`${path}showsArchived=true`))).toEqual(shown)
  })

  it('applies the rule and the parameter to writes', async () => {
    const created = await createResource(api, 'articles', { title: 'New', publishedAt: ARCHIVED })
    expectError(created, 422, '/data/attributes/publishedAt')
    const rewritten = resource('articles', '2', { title: 'Rewritten' })
    await api.patch('/articles/2').send(rewritten).expect(404)
    expectError(await api.patch('/articles/2?showsArchived=true').send(rewritten), 422, '/data/attributes/title')
    await api.delete('/articles/1').expect(422)
  })
})
