import { request as httpRequest } from 'node:http'
import type { TestApi } from '../support/api'
import { refused } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// Content-Type and Accept.

const JA = 'application/vnd.api+json'
const A = 'https://example.com/ext/audit'
const B = 'https://example.com/ext/bulk'
const X = 'https://example.com/ext/nope'
const withExt = (...uris: readonly string[]) => `${JA};ext="${uris.join(' ')}"`

const NEW_BLOG = { data: { type: 'blogs', attributes: { title: 'New' } } }

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs({
    extensions: [{ uri: A }, { uri: B, endpoints: ['getCollection', 'createResource'] }],
    meta: ({ extensions }) => ({ extensions }),
  })
})
afterAll(() => api.close())

it.each([
  ['C-01', 'the media type', JA, JA],
  ['C-01', 'the media type with the extension that is active', withExt(A), withExt(A)],
  ['C-03', 'any media type', '*/*', JA],
  ['C-03', 'any application type', 'application/*;q=0.3', JA],
  ['C-04', 'a parameter, and a clean one', `${JA};charset=utf-8, ${JA}`, JA],
  ['C-04', 'an extension that is not known, and a clean one', `${withExt(X)}, ${JA}`, JA],
  ['C-04', 'a profile, which is no mistake here', `${JA};profile="${X}"`, JA],
  ['C-05', 'more weight', `${withExt(A)};q=0.2, ${JA};q=0.9`, JA],
  ['C-05', 'more extensions', `${JA}, ${withExt(A)}, ${withExt(A, B)}`, withExt(A, B)],
  ['C-09', 'extensions in the order of the client', withExt(B, A), withExt(B, A)],
])('%s: %s in Accept', async (_rule, _what, accept, type) => {
  const { status, headers } = await api.get('/articles').set({ accept })
  expect([status, headers['content-type']]).toEqual([200, type])
})

it.each([
  ['C-04', 'another media type', 'text/html'],
  ['C-04', 'a parameter', `${JA};charset=utf-8`],
  ['C-04', 'an extension that is not known', withExt(X)],
  ['C-04', 'an extension that does not apply here', withExt(B)],
  ['C-08', 'no weight, which counts here', `${JA};q=0`],
])('%s: %s in Accept is refused, with nothing but the error', async (_rule, _what, accept) => {
  const answer = await api.get('/articles/1').set({ accept })
  expect(refused(answer)).toEqual({ status: 406, code: 'header.accept', header: 'Accept' })
  expect([answer.headers['content-type'], ...Object.keys(answer.body)]).toEqual([JA, 'jsonapi', 'errors', 'meta'])
})

it.each([
  ['C-07', 'is answered with, whatever is accepted', '*/*', 201],
  ['C-07', 'is answered with, when it is accepted', withExt(A), 201],
  ['C-07', 'cannot be left out of the answer', withExt(B), 406],
])('%s: an extension that is sent %s', async (_rule, _what, accept, expected) => {
  const headers = { 'content-type': withExt(A), accept }
  const { status, body } = await api.post('/blogs').send(NEW_BLOG).set(headers)
  expect([status, body.jsonapi.ext]).toEqual([expected, expected === 201 ? [A] : undefined])
})

it('C-09: the extensions that are active are told in the document, and to the application', async () => {
  const { body } = await api.get('/articles').set({ accept: withExt(B, A) })
  expect(body).toMatchObject({ jsonapi: { ext: [B, A] }, meta: { extensions: [B, A] } })
})

it.each([
  ['C-10', 'Content-Type comes before Accept', { 'content-type': 'text/plain', accept: 'text/html' }, 415],
  ['C-10', 'Accept comes before the query string', { accept: 'text/html' }, 406],
  ['C-10', 'both come before If-Match here', { accept: 'text/html', 'if-match': '"a"' }, 406],
])('%s: %s', async (_rule, _what, headers, status) => {
  const sending = { body: NEW_BLOG, headers: headers as unknown as Record<string, string> }
  await api.request('POST', '/blogs?nonsense', sending).expect(status)
})

it('C-02: Accept may be missing', async () => {
  const status = await new Promise((resolve, reject) => {
    httpRequest(`${api.url}/articles`, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)
})

it.each([
  ['C-06', 'in other letters', 'Application/VND.API+JSON', 201],
  ['C-06', 'with an extension', withExt(A), 201],
  ['C-06', 'with a profile, which is no mistake here', `${JA};profile="${X}"`, 201],
  ['C-06', 'with an extension in other letters', withExt(A.toUpperCase()), 415],
  ['C-06', 'with an extension that is not known', withExt(X), 415],
  ['C-06', 'with a charset', `${JA};charset=utf-8`, 415],
  ['C-06', 'of another name', 'application/json', 415],
  ['C-06', 'that is empty', '', 415],
  ['C-08', 'with two parameters', `${JA};a=1;b=2`, 415],
])('%s: a Content-Type %s', async (_rule, _what, type, expected) => {
  const answer = await api.post('/blogs').send(NEW_BLOG).set({ 'content-type': type }).expect(expected)
  if (expected === 415)
    expect(refused(answer)).toEqual({ status: 415, code: 'header.content-type', header: 'Content-Type' })
})

it.each([
  ['C-06', 'foreign', 'text/html', 200],
  ['C-06', 'illegal', `${JA};charset=utf-8`, 415],
])('%s: without a body a Content-Type that is %s', async (_rule, _what, type, status) => {
  await api.get('/articles').set({ 'content-type': type }).expect(status)
})
