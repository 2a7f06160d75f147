import { request as httpRequest } from 'node:http'
import { ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import type { TestApi } from '../../support/api'
import { ACCEPT } from '../../support/walk'
import { Job, Log } from '../support/article-models'
import { RULES } from '../support/article-rules'
import { changed, newArticle, startArticles } from '../support/articles'
import { blamed } from '../support/blamed'

// What JSON:API takes from HTTP: https://www.rfc-editor.org/rfc/rfc9110

const SECRET = 'select the secret from /etc/keys'

class FailingLogs extends ResourceDefinition<Log> {
  readonly resource = Log
  override serialize(): never {
    throw new Error(SECRET)
  }
}

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  const report = (error: unknown) => void reported.push(error)
  api = await startArticles({ definitions: [...RULES, new FailingLogs()], report, limits: { bodySize: 2000 } })
})
afterAll(() => api.close())

const headersOf = ({ headers }: Pick<Response, 'headers'>) =>
  ['content-type', 'vary', 'etag', 'location', 'cache-control', 'allow'].map((name) => headers[name])

it.each([
  '/articles?page[size]=2&sort=-title',
  '/articles/1?include=author',
  '/articles/1/author',
  '/articles/2/author',
  '/articles/1/comments',
  '/articles/1/relationships/comments',
  '/articles/1/relationships/author',
  '/articles/999',
  '/articles?nope=1',
  '/nowhere',
])('HT-1 HEAD answers as GET does, without the body: %s', async (path) => {
  for (const headers of [{}, ACCEPT, { accept: 'text/html' }]) {
    const [get, head] = [await api.get(path).set(headers), await api.request('HEAD', path).set(headers)]
    expect([head.status, headersOf(head), head.text]).toEqual([get.status, headersOf(get), ''])
  }
})

it.each([
  ['PUT', '/articles/1', 'GET, HEAD, OPTIONS, PATCH, DELETE'],
  ['DELETE', '/articles', 'GET, HEAD, OPTIONS, POST'],
  ['PATCH', '/articles', 'GET, HEAD, OPTIONS, POST'],
  ['POST', '/articles/1', 'GET, HEAD, OPTIONS, PATCH, DELETE'],
  ['PATCH', '/articles/1/author', 'GET, HEAD, OPTIONS'],
])('HT-2 405 names what is allowed: %s %s', async (method, path, allowed) => {
  const answer = await api.unchanged(() => api.request(method, path).send({ data: null }))
  expect(blamed(answer)).toEqual(['405'])
  expect(answer.headers.allow?.split(', ').sort()).toEqual(allowed.split(', ').sort())
})

it.each([
  ['GET', '/nope'],
  ['GET', '/'],
  ['POST', '/nope/1'],
  ['GET', '/articles/1/relationships/author/more'],
])('HT-3 404 for a route that is not known: %s %s', async (method, path) => {
  const answer = await api.request(method, path)
  expect(blamed(answer)).toEqual(['404'])
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
})

describe('answers without a body', () => {
  it.each([
    [204, 'PATCH', '/people/3', changed('3', { attributes: { name: 'Ash' } }, 'people')],
    [204, 'PATCH', '/articles/3/relationships/author', { data: null }],
    [204, 'DELETE', '/articles/30', undefined],
    [204, 'OPTIONS', '/articles', undefined],
    [304, 'GET', '/articles/1', undefined],
  ])('HT-4 %i has neither body nor Content-Type: %s %s', async (status, method, path, body) => {
    const sent = { ...(status === 304 && { 'if-none-match': '*' }) }
    const answer = await raw(method, path, sent, body)
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([status, '', undefined])
    expect(Number(answer.headers['content-length'] ?? 0)).toBe(0)
    expect(answer.headers['transfer-encoding']).toBeUndefined()
  })
})

it.each([
  ['broken JSON', 400, '{ "data": '],
  ['no JSON', 400, 'data=1'],
  ['too large', 413, JSON.stringify(newArticle({ title: 'Ash', body: 'x'.repeat(2000) }))],
])('HT-5 a body that is %s is refused with %i', async (_what, status, rawBody) => {
  expect(blamed(await api.unchanged(() => api.post('/articles').send(rawBody)))).toEqual([String(status)])
})

it('HT-6 what fails in a rule is 500 without detail', async () => {
  const { status, body, text } = await api.get('/logs')
  expect([status, body.errors]).toEqual([500, [UNEXPECTED]])
  expect(text).not.toMatch(/secret|\bat \w/i)
  expect(reported.map(String)).toEqual([`Error: ${SECRET}`])
})

it('HT-7 ETags spare what the client has, and keep what others have written', async () => {
  const first = await api.get('/articles/4')
  const etag = first.headers.etag ?? ''
  const again = await api.get('/articles/4').set({ 'if-none-match': etag })
  expect([again.status, again.headers.vary, again.headers.etag]).toEqual([304, 'Accept', etag])
  const patch = (title: string) =>
    api
      .patch('/articles/4')
      .send(changed('4', { attributes: { title } }))
      .set({ 'if-match': etag })
  await patch('Ash').expect(200)
  expect(blamed(await api.unchanged(() => patch('Yew')))).toEqual(['412 of If-Match'])
  await api.get('/articles/4').set({ 'if-none-match': etag }).expect(200)
})

it.each([
  ['/articles', 'GET, HEAD, OPTIONS, POST'],
  ['/articles/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['/articles/1/comments', 'GET, HEAD, OPTIONS'],
  ['/articles/1/relationships/comments', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
  ['/logs', 'GET, HEAD, OPTIONS'],
])('HT-8 OPTIONS tells the methods: %s', async (path, allowed) => {
  const { status, headers } = await api.request('OPTIONS', path)
  expect([status, headers.allow?.split(', ').sort().join(', ')]).toEqual([204, allowed])
})

describe('before anything is written', () => {
  const sending = [
    ['POST', '/articles', newArticle({ title: 'Ash' })],
    ['PATCH', '/articles/1', changed('1', { attributes: { title: 'Ash' } })],
    ['PATCH', '/articles/1/relationships/author', { data: null }],
    ['DELETE', '/articles/2', undefined],
  ] as const

  it.each(sending)('HT-9 Accept is looked at: %s %s', async (method, path, body) => {
    const send = () => api.request(method, path, { ...(body && { body }), headers: { accept: 'text/html' } })
    expect(blamed(await api.unchanged(send))).toEqual(['406 of Accept'])
  })

  it.each(sending)('HT-9 the query string is looked at: %s %s', async (method, path, body) => {
    const send = () => api.request(method, `${path}?foo=1`, body && { body })
    expect(blamed(await api.unchanged(send))).toEqual(['400 in foo'])
  })
})

// The last one: the database is broken for good.
it('HT-6 what fails in the database is 500 without detail', async () => {
  const { manager, driver } = api.dataSource
  const table = manager.connection
    .getMetadata(Job)
    .tablePath.split('.')
    .map((name) => driver.escape(name))
  await manager.query(`drop table ${table.join('.')}`)
  const { status, body, text } = await api.get('/jobs')
  expect([status, body.errors]).toEqual([500, [UNEXPECTED]])
  expect(text).not.toMatch(/select|table|jobs'/i)
})

const UNEXPECTED = { status: '500', code: 'server.error', title: expect.any(String) }

/** Headers as they come, of which `fetch` makes up some. */
function raw(method: string, path: string, headers: Record<string, string>, body: unknown) {
  return new Promise<{ status: number | undefined; text: string; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const type = { ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }) }
      const sent = httpRequest(`${api.url}${path}`, { method, headers: { ...headers, ...type } }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode, text, headers: response.headers })
      })
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    },
  )
}
