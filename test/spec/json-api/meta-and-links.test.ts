import { setUp } from '../../support/set-up'
import { ACCEPT, PROFILE } from '../../support/walk'
import { startArticles } from '../support/articles'
import { membersNamed, namesOf } from '../support/parts'

// https://jsonapi.org/format/1.1/#document-meta, https://jsonapi.org/format/1.1/#document-links,
// https://jsonapi.org/format/1.1/#document-jsonapi-object

const api = setUp(() => startArticles({ describedBy: '/description', meta: ({ method }) => ({ method }) }))

/** Documents with every kind of meta and of link. */
const PATHS = [
  ...['/articles?page[size]=2&page[number]=2', '/articles/3?include=comments', '/articles/1/relationships/comments'],
  '/articles/2/author',
  "/articles?filter=equals(title,'%C3%A4%20[]%22%5B%7C')&sort=-title&include=author&fields[articles]=title&page[size]=2",
  ...['/articles/999', '/articles?page[size]=0&sort=nope'],
]
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const documentAt = async (path: string, headers = ACCEPT) => (await api.get(path).set(headers)).body
const linksAt = async (path: string) =>
  (membersNamed('links', await documentAt(path)) as object[]).flatMap((links) => Object.values(links) as unknown[])

it.each(PATHS)('ME-1 meta is always an object: %s', async (path) => {
  const found = membersNamed('meta', await documentAt(path))
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((meta) => !isObject(meta))).toEqual([])
})

it('ME-1 meta is in documents, relationship objects, resource objects, identifiers and errors', async () => {
  const expected = { meta: { method: 'GET' }, data: { relationships: { comments: { meta: { total: 14 } } } } }
  expect(await documentAt('/articles/3?include=comments')).toMatchObject(expected)
  const meta = { page: { cursor: expect.any(String) } }
  expect((await documentAt('/articles')).data[0]).toMatchObject({ type: 'articles', id: '1', meta })
  expect((await documentAt('/articles/1/relationships/comments')).data[0]).toEqual({ type: 'comments', id: '5', meta })
  expect((await documentAt('/articles?page[size]=101')).errors[0].meta).toEqual({ page: { maxSize: 100 }, position: 1 })
})

it('ME-2, MN-5 the members of our meta have names that need no encoding', async () => {
  const documents = await Promise.all([...PATHS, '/articles?page[size]=101'].map((path) => documentAt(path)))
  const metas = [...membersNamed('meta', documents), ...membersNamed('page', documents)]
  expect(namesOf(metas as object[])).toEqual(['cursor', 'maxSize', 'method', 'page', 'position', 'total'])
})

it.each(PATHS)('LK-1, LK-2 links are an object of strings, link objects and nulls: %s', async (path) => {
  const objects = membersNamed('links', await documentAt(path))
  expect(objects.length).toBeGreaterThan(0)
  expect(objects.filter((links) => !isObject(links))).toEqual([])
  for (const link of await linksAt(path)) {
    const href = isObject(link) ? (link as { href: unknown }).href : link
    if (href !== null) expect(href).toMatch(URI_REFERENCE)
  }
})

it('LK-2 links without a target are null', async () => {
  const expected = { prev: null, next: null, last: null }
  expect((await documentAt('/articles/2/comments', { accept: '*/*' })).links).toMatchObject(expected)
})

it('LK-3, LK-6, LK-8 a link object has an href and the media type of its target', async () => {
  const found = (await Promise.all(PATHS.map(linksAt))).flat().filter(isObject)
  expect(found.length).toBeGreaterThan(1)
  for (const link of found) {
    expect(link).toEqual({
      href: expect.stringMatching(URI_REFERENCE),
      type: `application/vnd.api+json;profile="${PROFILE}"`,
    })
  }
})

it('JA-1, JA-2 the jsonapi object has the version, as a string', async () => {
  for (const path of [...PATHS, '/nowhere']) {
    expect((await documentAt(path, { accept: '*/*' })).jsonapi).toEqual({ version: '1.1' })
  }
})

it('JA-3 the jsonapi object names the profiles of Content-Type', async () => {
  const { body, headers } = await api.get('/articles').set(ACCEPT)
  expect(headers['content-type']).toBe(`application/vnd.api+json;profile="${PROFILE}"`)
  expect(body.jsonapi).toEqual({ version: '1.1', profile: [PROFILE] })
})

/** No raw brackets, quotes, spaces or letters beyond ASCII. https://www.rfc-editor.org/rfc/rfc3986#appendix-A */
const URI_REFERENCE = /^\/(?!\/)(?:[\w\-.~!$&'()*+,;=:@/?]|%[\dA-F]{2})*$/
