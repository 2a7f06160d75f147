import { ref, refs } from '../../support/api'
import { Article, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { expectError, resourceKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'

const UUID = '00000000-0000-0000-0000-000000000000'
const TEXTS = ['red', '0', ' ', 'a b', 'a/b', 'ä€😀', "it's", '%', '%2F', '..', 'relationships', 'x'.repeat(40)]

const api = setUp(() => startBlogs({ limits: { urlLength: null } }))
let revision: string
beforeAll(async () => {
  for (const title of ['A', 'B', 'C']) await api.add(Article, { title })
  for (const id of TEXTS) await api.add(Tag, { id, articles: refs('1') })
  await api.add(Comment, { id: '0' })
  await api.add(Revision, { id: UUID })
  revision = await api.add(Revision, { article: ref('1') })
})

it.each(TEXTS.filter((id) => id !== '..'))('an id that is a text may be any text: %j', async (id) => {
  const { data } = (await api.get(`/tags/${encodeURIComponent(id)}`)).body // anchor: R/A-12, R/A-13
  expect(data.id).toBe(id)
  expect((await api.get(data.links.self)).body.data).toEqual(data)
  const { self, related } = data.relationships.articles.links
  for (const path of [self, related]) expect(resourceKeys(await api.get(path))).toEqual(['articles 1'])
  const filter = encodeURIComponent(`equals(id,'${id.replaceAll("'", "''")}')`)
  expect((await api.get(`/tags?filter=${filter}`)).body.data).toMatchObject([{ id }])
})

it.each([
  ['comments', '0'],
  ['revisions', UUID],
])('zero is an id in /%s/%s', async (type, id) => {
  const expected = { type, id, links: { self: `/${type}/${id}` } } // anchor: R/A-13
  expect((await api.get(`/${type}/${id}`)).body.data).toMatchObject(expected)
  expect((await api.get(`/${type}?filter=equals(id,'${id}')`)).body.data).toMatchObject([expected])
})

it('a UUID may be in upper case, and is shown as it is stored', async () => {
  for (const id of [revision, revision.toUpperCase()]) {
    const { data } = (await api.get(`/revisions/${id}`)).body
    expect(data).toMatchObject({ id: revision, links: { self: `/revisions/${revision}` } })
    expect(resourceKeys(await api.get(`/revisions/${id}/article`))).toEqual(['articles 1'])
  }
})

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

it.each([
  ['in another case', 'tags', 'RED'],
  ['with a trailing blank', 'tags', 'red '],
  ['with a NUL', 'tags', 'red\0'],
  ['of a NUL alone', 'tags', '\0'],
  ['longer than the column', 'tags', 'x'.repeat(41)],
  ['of very many characters', 'tags', 'x'.repeat(10_000)],
  ['with leading zeros', 'articles', '01'],
  ['with a sign', 'articles', '+1'],
  ['with a leading blank', 'articles', ' 1'],
  ['of a blank', 'articles', ' '],
  ['with trailing letters', 'articles', '1abc'],
  ['of a fraction', 'articles', '1.0'],
  ['with an exponent', 'articles', '1e0'],
  ['in hexadecimal digits', 'articles', '0x1'],
  ['in digits of another script', 'articles', '１'],
  ['below zero', 'articles', '-1'],
  ['of minus zero', 'articles', '-0'],
  ['above 32 bits', 'articles', '9999999999'],
  ['above 64 bits', 'articles', '1000000000000000000000000000000'],
  ['of very many digits', 'articles', '1'.repeat(5000)],
  ['without digits, where 0 exists', 'comments', 'x'],
  ['above the largest bigint', 'comments', '9223372036854775808'],
  ['that is no UUID', 'revisions', '1'],
])('returns 404 for an id %s', async (_what, type, id) => {
  const relationship = { tags: 'articles', articles: 'tags' }[type] ?? 'article'
  for (const rest of ['', `/${relationship}`, `/relationships/${relationship}`]) {
    const response = await api.get(`/${type}/${encodeURIComponent(id)}${rest}`) // anchor: R/A-04, R/A-14
    expectError(response, 404, undefined, 'resource.not-found')
    expect(response.body.errors[0].detail).toContain(`'${id}`.slice(0, 20))
  }
})
