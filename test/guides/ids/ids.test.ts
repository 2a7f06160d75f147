import { ref, refs, setUp } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { resource, toMany, toOne } from '../../support/documents'
import { expectError, resourceKeys } from '../../support/expectations'

// Articles have an integer, comments an integer of 64 bits, revisions a UUID, tags a text. Ids are compared exactly, however the database
// compares text and numbers.

const api = setUp(() => startBlogs({ clientGeneratedIds: 'allowed', limits: { urlLength: null } }))
const UUID = '9f8e7d6c-5b4a-4321-8fed-cba987654321'
const ZEROS = '00000000-0000-0000-0000-000000000000'

beforeAll(async () => {
  const blog = ref(await api.add(Blog, { title: 'Trees' }))
  for (const title of ['A', 'B', 'C']) await api.add(Article, { title, blog: title === 'A' ? blog : null })
})

it.each([
  ['comments', '9007199254740993', 'body', ['a', 'b'], 'article'],
  ['revisions', UUID, 'number', [1, 2], 'article'],
  ['tags', 'a/b', 'rank', [1, 2], 'articles'],
  ['comments', '0', 'body', ['a', 'b'], 'article'],
  ['revisions', ZEROS, 'number', [1, 2], 'article'],
  ['tags', ' ', 'rank', [1, 2], 'articles'],
] as const)('%s are read and written by the id %p', async (type, id, attribute, [first, second], relationship) => {
  const url = `/${type}/${encodeURIComponent(id)}`
  const created = await api.post(`/${type}`).send(resource(type, id, { [attribute]: first }))
  expect([created.status, created.headers.location, created.body.data.id]).toEqual([201, url, id])
  const changed = resource(type, id, { [attribute]: second })
  await api.patch(url).send(changed).expect(204)
  const shown = { type, id, attributes: { [attribute]: second }, links: { self: url } } // anchor: R/A-13
  expect((await api.get(url)).body.data).toMatchObject(shown)
  expect((await api.get(`/${type}?filter=equals(id,'${id}')`)).body.data).toMatchObject([shown])

  const path = `/articles/1/relationships/${type}`
  for (const [method, expected] of [
    ['POST', [`${type} ${id}`]],
    ['DELETE', []],
    ['PATCH', [`${type} ${id}`]],
  ] as const) {
    await api.request(method, path).send(toMany(type, id)).expect(204)
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  }

  const own = `${url}/relationships/${relationship}`
  const linkage = relationship === 'articles' ? toMany('articles', '2') : toOne('articles', '2')
  await api.patch(own).send(linkage).expect(204)
  expect(resourceKeys(await api.get(own))).toEqual(['articles 2'])

  await api.delete(url).expect(204)
  await api.get(url).expect(404)
}) // anchor: W/T-01, W/T-02, W/T-03

it.each([
  ["filter=equals(id,'2')", ['articles 2']],
  ["filter=any(id,'1','3')", ['articles 1', 'articles 3']],
  ['sort=-id', ['articles 3', 'articles 2', 'articles 1']],
  ['fields[articles]=id', ['articles 1', 'articles 2', 'articles 3']],
])('id is queried like an attribute, but is none: %s', async (query, expected) => {
  const response = await api.get(`/articles?${query}`) // anchor: R/A-27
  expect(resourceKeys(response)).toEqual(expected)
  for (const { attributes } of response.body.data) expect(attributes ?? {}).not.toHaveProperty('id')
})

describe('beside existing rows', () => {
  beforeAll(async () => {
    await api.add(Tag, { id: 'red', articles: refs('1') })
    for (const id of ['0', '7']) await api.add(Comment, { id, article: ref('1') })
    await api.add(Revision, { id: UUID, article: ref('1') })
  })

  /** By type: a relationship of its own, a relationship that holds its resources, and ids that no row has. */
  const WRONG_IDS = [
    [
      ...['tags', 'articles', '/articles/1/relationships/tags'],
      ...['RED', 'red ', ' red', 'rèd', "red' or ''='", 'red%', 'red\0', '\0', 'x'.repeat(41), 'x'.repeat(10_000)],
    ],
    [
      ...['articles', 'tags', '/blogs/1/relationships/articles', '1 ', ' 1', ' ', '1.0', '0x1', '+1', '-1', '-0', '01'],
      ...['1e0', '1abc', '１', '9999999999', '9223372036854775808', '9'.repeat(31), '1'.repeat(5000)],
    ],
    // There is a comment 0.
    ['comments', 'article', '/articles/1/relationships/comments', 'x', '9223372036854775808', '9'.repeat(8000)],
    [
      ...['revisions', 'article', '/articles/1/relationships/revisions', '1', 'Ann'],
      ...[UUID.replaceAll('-', ''), `{${UUID}}`, ` ${UUID}`, 'é'.repeat(1200)],
    ],
  ] as const

  it.each(WRONG_IDS.flatMap(([type, own, members, ...ids]) => ids.map((id) => [type, id, own, members] as const)))(
    '%s %p is not found in a URL or a body',
    async (type, id, own, members) => {
      const url = `/${type}/${encodeURIComponent(id)}`
      for (const request of [
        () => api.get(url),
        () => api.get(`${url}/${own}`),
        () => api.get(`${url}/relationships/${own}`),
        () => api.patch(url).send(toOne(type, id)),
        () => api.patch(`${url}/relationships/${own}`).send({ data: own.endsWith('s') ? [] : null }),
        () => api.delete(url),
      ]) {
        const response = await api.unchanged(request) // anchor: R/A-04, R/A-14
        expectError(response, 404, undefined, 'resource.not-found')
        expect(response.body.errors[0].detail).toContain(`'${id}`.slice(0, 20))
      }
      expectError(await api.unchanged(() => api.post(members).send(toMany(type, id))), 404, '/data/0')
      expect((await api.unchanged(() => api.delete(members).send(toMany(type, id)))).status).toBe(204)
    },
  )

  it('a UUID is the same id in upper and lower case', async () => {
    const upper = UUID.toUpperCase()
    for (const [number, id] of [upper, UUID].entries())
      await api
        .patch(`/revisions/${upper}`)
        .send(resource('revisions', id, { number }))
        .expect(204)
    const shown = { id: UUID, attributes: { number: 1 }, links: { self: `/revisions/${UUID}` } }
    expect((await api.get(`/revisions/${upper}`)).body.data).toMatchObject(shown)
    expect(resourceKeys(await api.get(`/revisions/${upper}/article`))).toEqual(['articles 1'])
    const path = '/articles/1/relationships/revisions'
    const twice = toMany('revisions', upper, UUID)
    for (const method of ['POST', 'PATCH']) {
      await api.request(method, path).send(twice).expect(204)
      expect(resourceKeys(await api.get(path))).toEqual([`revisions ${UUID}`])
    }
    await api.delete(path).send(toMany('revisions', upper)).expect(204)
    expect(resourceKeys(await api.get(path))).toEqual([])
    await api.delete(`/revisions/${upper}`).expect(204)
  })
})
