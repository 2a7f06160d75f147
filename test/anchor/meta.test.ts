import { type JsonObject, ResourceDefinition, type StoredRecord } from 'stemma'
import { type TestApi, using } from '../support/api'
import { Blog } from '../support/blogs'
import { answered } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// What is told beside the data.

class BlogRules extends ResourceDefinition<Blog> {
  readonly resource = Blog

  override meta({ instance: { title } }: StoredRecord<Blog>): JsonObject | undefined {
    return title === 'Nothing' ? undefined : { initial: title.slice(0, 1) }
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs({ definitions: [new BlogRules()] })
})
afterAll(() => api.close())

it.each([
  ['M-01', 'the total of a collection', '/articles?page[size]=1', { meta: { total: 3 } }],
  ['M-01', 'the total of what is filtered', '/articles?filter=has(tags)', { meta: { total: 1 } }],
  ['M-01', 'the total of nothing', "/articles?filter=equals(title,'X')", { meta: { total: 0 } }],
  ['M-01', 'the total of related resources', '/blogs/1/articles?page[size]=1', { meta: { total: 2 } }],
  ['M-01', 'the total of linkage', '/blogs/1/relationships/articles?page[size]=1', { meta: { total: 2 } }],
  ['M-02', 'the number of all resources, where there are no pages', '/tags/red/articles', { meta: { total: 1 } }],
  ['M-05', 'the meta of a primary resource', '/blogs/1', { data: { meta: { initial: 'T' } } }],
  ['M-05', 'the meta of an included resource', '/articles/1?include=blog', { included: [{ meta: { initial: 'T' } }] }],
  ['M-06', 'the version', '/articles', { jsonapi: { version: '1.1' } }],
  ['M-06', 'the version, in error documents too', '/articles/99', { jsonapi: { version: '1.1' } }],
])('%s: there is %s', async (_rule, _what, path, expected) => {
  expect(answered(await api.get(path))).toMatchObject(expected)
})

it.each([
  ['M-05', 'for resources of which nothing is said', '/blogs/2'],
  ['M-05', 'in linkage', '/articles/1/relationships/blog'],
])('%s: there is no meta %s', async (_rule, _what, path) => {
  const { body } = await api.get(path)
  expect([body.data.type, body.data.meta]).toEqual(['blogs', undefined])
})

it.each([
  ['M-02', 'is none where totals are off, pages or not', { totals: 'off', page: { size: null } }, '/articles'],
  ['M-03', 'is none where a relationship has them off', {}, '/articles/1/revisions'],
] as const)('%s: total %s, and nothing is counted', async (_rule, _what, options, path) => {
  await using(startStockedBlogs(options), async (server) => {
    const asking = () => server.get(path).then(({ body }) => expect(body).not.toHaveProperty('meta'))
    expect(await server.statementsOf(asking)).not.toContainEqual(expect.stringMatching(/count\(/i))
  })
})

it('M-04: an application says more, over what is there already', async () => {
  const meta = () => ({ total: 'many', license: { name: 'MIT', years: [2024] } })
  await using(startStockedBlogs({ meta }), async (server) => {
    for (const path of ['/articles', '/articles/1', '/articles/99']) {
      expect((await server.get(path)).body.meta).toEqual(meta())
    }
  })
})
