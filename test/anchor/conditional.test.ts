import type { TestApi } from '../support/api'
import { refused } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// ETag, and what is asked by it.

let api: TestApi
let etag: string
beforeAll(async () => {
  api = await startStockedBlogs({ etags: 'all' })
  etag = (await api.get('/articles/1')).headers.etag ?? ''
})
afterAll(() => api.close())

it.each([
  ['H-01', 'an individual resource', 'GET', '/articles/1'],
  ['H-01', 'a related resource', 'GET', '/articles/1/blog'],
  ['H-01', 'linkage', 'GET', '/articles/1/relationships/blog'],
  ['H-01', 'a collection, which is an option here', 'GET', '/articles'],
  ['H-01', 'HEAD', 'HEAD', '/articles/1'],
])('%s: a strong ETag is on %s', async (_rule, _what, method, path) => {
  expect((await api.request(method, path)).headers.etag).toMatch(/^"[^"]+"$/)
})

it.each([
  ['H-01', 'the same resource with other parameters', '/articles/1?fields[articles]=title'],
  ['H-01', 'the same resource at another URL', '/comments/0/article'],
])('%s: %s has another ETag', async (_rule, _what, path) => {
  expect((await api.get(path)).headers.etag).not.toBe(etag)
})

it.each([
  ['H-01', 'mistakes', 'GET', '/articles/99'],
  ['H-01', 'what has no document', 'DELETE', '/blogs/2'],
])('%s: no ETag is on %s', async (_rule, _what, method, path) => {
  expect((await api.request(method, path)).headers).not.toHaveProperty('etag')
})

it.each([
  ['H-02', 'the ETag', '<etag>', 304],
  ['H-02', 'a list with the ETag', '"a", <etag>', 304],
  ['H-02', 'others', '"a", "b"', 200],
  ['H-03', 'anything, which is understood here', '*', 304],
  ['H-03', 'the ETag as a weak one, which is the same here', 'W/<etag>', 304],
])('%s: If-None-Match with %s', async (_rule, _what, header, expected) => {
  const { status, text, headers } = await api
    .get('/articles/1')
    .set({ 'if-none-match': header.replace('<etag>', etag) })
  expect({ status, hasBody: text !== '', etag: headers.etag }).toEqual({
    status: expected,
    hasBody: expected === 200,
    etag,
  })
})

const RENAMED = { data: { type: 'articles', id: '1', attributes: { title: 'Firs' } } }
const LINKED = { data: null }

it.each([
  ['H-04', 'another ETag', 'GET', '/articles/1', '"a"', undefined],
  ['H-04', 'the ETag as a weak one', 'GET', '/articles/1', 'W/<etag>', undefined],
  ['H-04', 'another ETag', 'PATCH', '/articles/1', '"a"', RENAMED],
  ['H-04', 'another ETag', 'PATCH', '/articles/1/relationships/blog', '"a"', LINKED],
  ['H-04', 'another ETag', 'DELETE', '/articles/1', '"a"', undefined],
])('%s: If-Match with %s refuses %s %s', async (_rule, _what, method, path, header, body) => {
  const answer = await api
    .request(method, path)
    .send(body)
    .set({ 'if-match': header.replace('<etag>', etag) })
  expect(refused(answer)).toEqual({ status: 412, code: 'header.if-match', header: 'If-Match' })
  expect((await api.get('/articles/1')).headers.etag).toBe(etag)
})

it.each([
  ['H-04', 'the ETag', '"a", <etag>'],
  ['H-04', 'anything', '*'],
])('%s: If-Match with %s holds', async (_rule, _what, header) => {
  await api
    .get('/articles/1')
    .set({ 'if-match': header.replace('<etag>', etag) })
    .expect(200)
})

it('H-05: HEAD answers 304 too', async () => {
  const { status, text } = await api.request('HEAD', '/articles/1').set({ 'if-none-match': etag })
  expect({ status, text }).toEqual({ status: 304, text: '' })
})
