import { ACCOUNTS, Admin, User } from '../support/accounts'
import { startApi, type TestApi } from '../support/api'
import { answered, refused } from './support/answered'
import { NO_UUID, startStockedBlogs } from './support/stocked-blogs'

// What each URL answers.

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs()
})
afterAll(() => api.close())

const OAKS = { type: 'articles', id: '1' }
const RESOURCE = {
  attributes: { title: 'Oaks', views: 30 },
  relationships: { blog: { links: { related: '/articles/1/blog' } } },
  links: { self: '/articles/1' },
}

it.each([
  [
    'A-01',
    'a collection is an array of resource objects',
    '/articles?filter=equals(id,%271%27)',
    [{ ...OAKS, ...RESOURCE }],
  ],
  ['A-02', 'an individual resource is an object', '/articles/1', { ...OAKS, ...RESOURCE }],
  ['A-05', 'what is at the end of a to-one relationship is an object', '/articles/1/blog', { type: 'blogs', id: '1' }],
  ['A-05', 'nothing at the end of a to-one relationship is null', '/articles/3/blog', null],
  ['A-06', 'what is at the end of a to-many relationship is an array', '/blogs/1/articles', [OAKS, { id: '2' }]],
  ['A-06', 'nothing at the end of a to-many relationship is an empty array', '/blogs/2/articles', []],
  ['A-07', 'an empty to-one relationship is null', '/articles/3/relationships/blog', null],
  ['A-07', 'an empty to-many relationship is an empty array', '/blogs/2/relationships/articles', []],
  ['A-12', 'an id may be a word of other URLs', '/tags/relationships', { id: 'relationships' }],
  ['A-12', 'what is related to such an id', '/tags/relationships/articles', []],
  ['A-12', 'linkage of such an id', '/tags/relationships/relationships/articles', []],
  ['A-13', 'zero is an id', '/comments/0', { id: '0', links: { self: '/comments/0' } }],
  [
    'A-13',
    'the UUID of zeros is an id',
    `/revisions/${NO_UUID}`,
    { id: NO_UUID, links: { self: `/revisions/${NO_UUID}` } },
  ],
  ['A-13', 'a blank is an id', '/tags/%20', { id: ' ', links: { self: '/tags/%20' } }],
  ['A-13', 'zero is an id to filter by', "/comments?filter=equals(id,'0')", [{ id: '0' }]],
  ['A-13', 'the UUID of zeros is an id to filter by', `/revisions?filter=equals(id,'${NO_UUID}')`, [{ id: NO_UUID }]],
  ['A-13', 'a blank is an id to filter by', "/tags?filter=equals(id,' ')", [{ id: ' ' }]],
])('%s: %s', async (_rule, _what, path, data) => {
  expect(answered(await api.get(path))).toMatchObject({ status: 200, data })
})

it.each([
  ['A-07', '/articles/1/relationships/blog', { type: 'blogs', id: '1' }],
  ['A-07', '/blogs/1/relationships/articles', [OAKS, { type: 'articles', id: '2' }]],
])('%s: a relationship is linkage and nothing else: %s', async (_rule, path, data) => {
  expect((await api.get(path)).body.data).toEqual(data)
})

it.each([
  ['A-03', 'an unknown type, with a document here', '/article', 'url.not-found'],
  ['A-03', 'an unknown type with an id', '/article/1', 'url.not-found'],
  ['A-03', 'an unknown type with a relationship', '/article/1/blog', 'url.not-found'],
  ['A-03', 'an unknown type with linkage', '/article/1/relationships/blog', 'url.not-found'],
  ['A-04', 'an unknown id', '/articles/99', 'resource.not-found'],
  ['A-04', 'what is related to an unknown id', '/articles/99/blog', 'resource.not-found'],
  ['A-04', 'linkage of an unknown id', '/articles/99/relationships/blog', 'resource.not-found'],
  ['A-08', 'an unknown relationship', '/articles/1/blogs', 'relationship.not-found'],
  ['A-08', 'linkage of an unknown relationship', '/articles/1/relationships/blogs', 'relationship.not-found'],
  ['A-08', 'a relationship that is a blank', '/articles/1/%20', 'relationship.not-found'],
  ['A-12', 'an id that is a negative number', '/articles/-1', 'resource.not-found'],
  ['A-12', 'an id of letters', '/articles/abc', 'resource.not-found'],
  ['A-14', 'an id that fits no number, whatever is stored as 0', '/comments/x', 'resource.not-found'],
  ['A-14', 'an id that fits no UUID', '/revisions/0', 'resource.not-found'],
])('%s: not found is %s', async (_rule, _what, path, code) => {
  expect(refused(await api.get(path))).toEqual({ status: 404, code })
})

it.each([
  ['A-04', '/articles/99/blog', "'articles'"],
  ['A-04', '/articles/99/blog', "'99'"],
  ['A-08', '/articles/1/%20', "' '"],
  ['A-14', '/comments/1abc', "'1abc'"],
])('%s: the mistake of %s is told with %s', async (_rule, path, named) => {
  expect((await api.get(path)).body.errors[0].detail).toContain(named)
})

it('A-09: a relationship that cannot be viewed is unknown here, what it leads to is not', async () => {
  const accounts = await startApi(ACCOUNTS)
  await accounts.add(Admin)
  await accounts.add(User, { keeper: { id: 1 } })
  const unknown = { status: 404, code: 'relationship.not-found' }
  for (const path of ['keeper', 'relationships/keeper']) {
    expect(refused(await accounts.get(`/users/2/${path}`))).toEqual(unknown)
    expect(refused(await accounts.get(`/users/99/${path}`))).toEqual(unknown)
  }
  await accounts.get('/admins/1').expect(200)
  await accounts.close()
})

it.each([
  ['A-10', '/articles?include=tags'],
  ['A-10', '/articles/1'],
  ['A-10', '/articles/1/blog'],
  ['A-10', '/articles/1/relationships/blog'],
  ['A-10', '/articles/99'],
])('%s: HEAD %s has the headers of GET, its Content-Type too, and no body', async (_rule, path) => {
  const got = await api.get(path)
  const { status, headers, text } = await api.request('HEAD', path)
  const shown = ['etag', 'content-type'].map((name) => [name, got.headers[name]])
  expect({ status, text }).toEqual({ status: got.status, text: '' })
  expect(headers['content-length']).toBe(String(Buffer.byteLength(got.text)))
  expect(shown).toEqual(shown.map(([name = '']) => [name, headers[name ?? '']]))
})

it('A-11: a slash at the end of the path is kept in the links of the document', async () => {
  expect((await api.get('/articles/?page[size]=2')).body.links).toMatchObject({
    self: '/articles/?page%5Bsize%5D=2',
    first: '/articles/?page%5Bsize%5D=2',
    last: '/articles/?page%5Bsize%5D=2&page%5Bnumber%5D=2',
  })
})

it.each([
  ['A-27', "filter=equals(id,'2')", ['2']],
  ['A-27', "filter=any(id,'1','3')", ['1', '3']],
  ['A-27', 'sort=-id', ['3', '2', '1']],
  ['A-27', 'fields[articles]=id', ['1', '2', '3']],
])(
  '%s: id is filtered, sorted and selected by like an attribute, but is not among them: %s',
  async (_rule, query, ids) => {
    const { body } = await api.get(`/articles?${query}`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    for (const { attributes } of body.data) expect(attributes ?? {}).not.toHaveProperty('id')
  },
)
