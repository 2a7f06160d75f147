import type { Response } from 'supertest'
import { define, setUp } from '../../support/api'
import { expectError } from '../../support/expectations'
import { ACCEPT } from '../../support/follow-pages'
import { Log } from '../support/article-models'
import { RULES } from '../support/article-rules'
import { changed, newArticle, startArticles } from '../support/articles'

// What JSON:API takes from HTTP: https://www.rfc-editor.org/rfc/rfc9110

const SECRET = 'select the secret from /etc/keys'

const failingLogs = define(Log, {
  serialize(): never {
    throw new Error(SECRET)
  },
})

const reported: unknown[] = []
const report = (error: unknown) => reported.push(error)
const definitions = [...RULES, failingLogs]
const api = setUp(() => startArticles({ definitions, onError: report, limits: { bodySize: 2000 } }))
const PER_RESPONSE = ['date', 'connection', 'keep-alive']
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PER_RESPONSE.includes(name)))

it.each([
  ...['/articles?page[size]=2&sort=-title', '/articles/1?include=author', '/articles/1/author', '/articles/2/author'],
  ...['/articles/1/comments', '/articles/1/relationships/comments', '/articles/1/relationships/author'],
  ...['/articles/999', '/articles?nope=1', '/articles/1/nope', '/nowhere'],
])('HT-1, FR-9 returns the headers of GET for HEAD, without the body: %s', async (path) => {
  for (const headers of [{}, ACCEPT, { accept: 'text/html' }]) {
    const [get, head] = [await api.get(path).set(headers), await api.request('HEAD', path).set(headers)]
    expect([head.status, headersOf(head), head.text]).toEqual([get.status, headersOf(get), '']) // anchor: R/A-10
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
  }
})

it.each([
  ['PUT', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['DELETE', '/articles', 'GET, HEAD, POST, OPTIONS'],
  ['PATCH', '/articles', 'GET, HEAD, POST, OPTIONS'],
  ['POST', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['PATCH', '/articles/1/author', 'GET, HEAD, OPTIONS'],
])('HT-2, CR-19, UP-2 returns 405 with Allow for %s %s', async (method, path, allowed) => {
  const answer = await api.unchanged(() => api.request(method, path).send({ data: null }))
  expectError(answer, 405, undefined, 'url.method-not-allowed')
  expect(answer.headers.allow).toBe(allowed)
})

it.each([
  ['GET', '/nope'],
  ['GET', '/'],
  ['POST', '/nope/1'],
  ['GET', '/articles/1/relationships/author/more'],
])('HT-3 returns 404 for an unknown route: %s %s', async (method, path) => {
  const answer = await api.request(method, path)
  expectError(answer, 404)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
})

it.each([
  [204, 'PATCH', '/people/3', changed('3', { attributes: { name: 'Ash' } }, 'people')],
  [204, 'PATCH', '/articles/3/relationships/author', { data: null }],
  [204, 'DELETE', '/articles/30', undefined],
  [204, 'OPTIONS', '/articles', undefined],
  [304, 'GET', '/articles/1', undefined],
])('HT-4 %i has no body and no Content-Type: %s %s', async (status, method, path, body) => {
  const sent = { ...(status === 304 && { 'if-none-match': '*' }) }
  const response = await api.request(method, path, { headers: sent, body })
  expect([response.status, response.text, response.headers['content-type']]).toEqual([status, '', undefined])
  expect(Number(response.headers['content-length'] ?? 0)).toBe(0)
  expect(response.headers['transfer-encoding']).toBeUndefined()
})

it('HT-5 returns 413 for a body that is too large, and 400 for broken JSON', async () => {
  const large = newArticle({ title: 'Ash', body: 'x'.repeat(2000) })
  expectError(await api.unchanged(() => api.post('/articles').send(large)), 413)
  expectError(await api.unchanged(() => api.post('/articles').send('{ "data": ')), 400)
})

it('HT-6 returns 500 without detail when a rule fails', async () => {
  const { status, body, text } = await api.get('/logs')
  expect([status, body.errors]).toEqual([500, [UNEXPECTED]])
  expect(text).not.toMatch(/secret|\bat \w/i)
  expect(reported.map(String)).toEqual([`Error: ${SECRET}`])
})

it('HT-7 returns 304 for a current ETag, and 412 for an outdated one', async () => {
  const etag = (await api.get('/articles/4')).headers.etag ?? ''
  const again = await api.get('/articles/4').set({ 'if-none-match': etag })
  expect([again.status, again.headers.vary, again.headers.etag]).toEqual([304, 'Accept', etag])
  const patch = (title: string) => {
    const sent = changed('4', { attributes: { title } })
    return api.patch('/articles/4').set('if-match', etag).send(sent)
  }
  await patch('Ash').expect(200)
  expectError(await api.unchanged(() => patch('Yew')), 412, 'If-Match')
  await api.get('/articles/4').set({ 'if-none-match': etag }).expect(200)
})

it.each([
  ['/articles', 'GET, HEAD, POST, OPTIONS'],
  ['/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['/articles/1/comments', 'GET, HEAD, OPTIONS'],
  ['/articles/1/relationships/comments', 'GET, HEAD, PATCH, POST, DELETE, OPTIONS'],
  ['/logs', 'GET, HEAD, OPTIONS'],
  ['/operations', 'POST, OPTIONS'],
])('HT-8 returns the methods for OPTIONS: %s', async (path, allowed) => {
  const { status, headers } = await api.request('OPTIONS', path)
  expect([status, headers.allow]).toEqual([204, allowed])
})

it.each([
  ['POST', '/articles', newArticle({ title: 'Ash' })],
  ['PATCH', '/articles/1', changed('1', { attributes: { title: 'Ash' } })],
  ['PATCH', '/articles/1/relationships/author', { data: null }],
  ['DELETE', '/articles/2', undefined],
])('HT-9 checks Accept and the query string before it writes: %s %s', async (method, path, body) => {
  const headers = { accept: 'text/html' }
  expectError(await api.unchanged(() => api.request(method, path, { body, headers })), 406, 'Accept')
  expectError(await api.unchanged(() => api.request(method, `${path}?foo=1`, { body })), 400, 'foo')
})

const UNEXPECTED = { status: '500', code: 'server.error', title: expect.any(String) }
