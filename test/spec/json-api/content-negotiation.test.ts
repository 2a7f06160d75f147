import type { Response } from 'supertest'
import { setUp } from '../../support/api'
import { expectError } from '../../support/expectations'
import { PROFILE } from '../../support/follow-pages'
import { ATOMIC } from '../../support/operate'
import { sendLines } from '../../support/raw-http'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'
import { RESOURCES } from '../support/article-models'
import { RULES } from '../support/article-rules'
import { newArticle, startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#jsonapi-media-type, https://jsonapi.org/format/1.1/#content-negotiation

const JA = 'application/vnd.api+json'
const A = 'https://example.com/ext/audit'
const B = 'https://example.com/ext/bulk'
const X = 'https://example.com/ext/nope'
const BODY = newArticle({ title: 'Oaks' })
const api = setUp(startArticles)
/** The same rows, with two extensions of an application. */
const extended = setUp(() =>
  startBeside({
    extensions: [{ uri: A }, { uri: B, endpoints: ['createResource', 'getCollection'] }],
    meta: ({ extensions }) => ({ extensions }),
  }),
)

function startBeside(options: Partial<ServerOptions>): Promise<TestServer> {
  return startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions: RULES, ...options })
}

const accepting = (accept: string, server: TestServer = api) => server.get('/articles?page[size]=2').set({ accept })
const posting = (headers: Record<string, string>, server: TestServer = api) =>
  server.post('/articles').send(BODY).set(headers)
const postingAs = (type: string, server: TestServer = api) => posting({ 'content-type': type }, server)

/** Without links and data: the client may not know this media type. */
function expectRefused(response: Response, status: 406 | 415): void {
  const [header, code] = status === 415 ? ['Content-Type', 'header.content-type'] : ['Accept', 'header.accept']
  expectError(response, status, header, code)
  expect(Object.keys(response.body)).toEqual(['jsonapi', 'errors'])
  expect(response.headers['content-type']).toBe(JA)
}

it('CN-16 keeps the values of Vary that the application sets', async () => {
  const before: ServerOptions['before'] = (_request, response, next) => {
    response.vary('Origin')
    next()
  }
  const varied = await startBeside({ before })
  const { headers } = await varied.get('/articles')
  await varied.close()
  expect(headers.vary?.split(', ').sort()).toEqual(['Accept', 'Origin'])
})

describe('Content-Type', () => {
  const WITH_PARAMETERS = [[`${JA};charset=utf-8`], [`${JA};version=1`], [`${JA};ext="${A}";q=1`]]
  it.each(WITH_PARAMETERS)('CN-4, CN-20 returns 415 for %s', async (type) => {
    expectRefused(await api.unchanged(() => postingAs(type)), 415) // anchor: R/C-06, R/C-08, W/A-04, W/A-05
    for (const method of ['GET', 'DELETE']) {
      expectRefused(await api.unchanged(() => api.request(method, '/articles/1').set({ 'content-type': type })), 415)
    }
  })

  const WITH_UNKNOWN = [[`${JA};ext="${X}"`], [`${JA};ext="${A} ${X}"`], [`${JA};ext="${X}";profile="${A}"`]]
  it.each(WITH_UNKNOWN)('CN-5 returns 415 for %s', async (type) => {
    expectRefused(await api.unchanged(() => postingAs(type)), 415)
    expect((await api.unchanged(() => postingAs(type, extended))).status).toBe(415)
  })

  it.each(['application/json', 'text/plain', ''])('CN-18 returns 415 for a body of %p', async (type) => {
    expectRefused(await api.unchanged(() => postingAs(type)), 415)
  })

  it('CN-18 Content-Type is required for a body', async () => {
    const before = await api.contents()
    const body = JSON.stringify(BODY)
    const headers = [`Content-Length: ${Buffer.byteLength(body)}`]
    expect(await sendLines(api.url, { line: 'POST /articles', headers, body })).toMatch(/^HTTP\/1.1 415 /)
    expect(await api.contents()).toEqual(before)
  })

  it('is ignored without a body when it is another media type', async () => {
    await api.get('/articles').set({ 'content-type': 'text/html' }).expect(200) // anchor: R/C-06
  })

  const UNKNOWN_PROFILES = [[`${JA};profile="${X}"`], [`${JA};profile="${X} ${A}"`], [`${JA} ; PROFILE="${X}"`]]
  it.each(UNKNOWN_PROFILES)('CN-15 ignores the unknown profiles of %s', async (type) => {
    const { status, headers } = await postingAs(type)
    expect([status, headers['content-type']]).toEqual([201, JA])
  })

  const SPELLINGS = [
    `Application/VND.API+JSON ; EXT="${A}"`,
    `application/vnd.api+JSON;Ext="${A}"`,
    `${JA};\text="${A}"`,
  ]
  it.each(SPELLINGS)('MT-3 reads %j like the canonical spelling', async (type) => {
    const { status, headers } = await postingAs(type, extended)
    expect([status, headers['content-type']]).toEqual([201, `${JA};ext="${A}"`])
  })

  it('CN-17, JA-4 Content-Type determines what is applied, and the document does not', async () => {
    const body = { jsonapi: { version: '1.1', ext: [A, X], profile: [PROFILE] }, ...BODY }
    const { status, headers, body: document } = await extended.post('/articles').send(body)
    expect([status, headers['content-type']]).toEqual([201, JA])
    expect(document.jsonapi).toEqual({ version: '1.1' })
  })
})

describe('Accept', () => {
  it.each([
    ['CN-6', `${JA};charset=utf-8, ${JA}`],
    ['CN-6', `text/html, ${JA};charset=utf-8, ${JA}`],
    ['CN-10', `${JA};ext="${X}", ${JA};q=0.1`],
    ['CN-11', `${JA};q=0.5`],
    ['CN-11', `${JA};profile="${PROFILE}";q=0.2, ${JA}`],
    ['CN-12', '*/*'],
    ['CN-12', 'application/*;q=0.1'],
    ['CN-15', `${JA};profile="${X}"`],
    ['CN-21', `${JA};profile="https://example.com/a,b;c"`],
    ['MT-3', `Application/VND.API+JSON ; PROFILE="${X}"`],
  ])('%s returns the plain media type for %s', async (_, accept) => {
    const { status, headers } = await accepting(accept)
    expect([status, headers['content-type']]).toEqual([200, JA]) // anchor: R/C-01, R/C-03, R/C-04
  })

  it.each([
    ['CN-7', `${JA};charset=utf-8`],
    ['CN-7', `${JA};a=1, ${JA};b=2`],
    ['CN-8', `${JA};ext="${X}"`],
    ['CN-8', `${JA};ext="${A} ${X}"`],
    ['CN-9', `${JA};charset=utf-8, ${JA};ext="${X}"`],
    ['CN-11', `${JA};q=0`],
    ['CN-13', 'text/html'],
    ['CN-22', `${JA};ext="${X}", */*`],
    ['CN-22', `${JA};charset=utf-8, */*`],
  ])('%s, CN-20 returns 406 for %s', async (_, accept) => {
    expectRefused(await accepting(accept), 406) // anchor: R/C-04, R/C-08, W/A-07
    expectRefused(await api.unchanged(() => posting({ accept })), 406)
  })

  it.each([
    ['CN-8', `${JA};ext="${A} ${X}"`],
    ['CN-8', `${JA};ext="${A} ${X}", ${JA};ext="${X}"`],
    ['CN-9', `${JA};charset=utf-8, ${JA};ext="${A} ${X}"`],
    ['CN-22', `${JA};ext="${X} ${A}", */*`],
  ])('%s returns 406 for %s when one of its extensions is known', async (_, accept) => {
    await accepting(`${JA};ext="${A}"`, extended).expect(200)
    await accepting(accept, extended).expect(406)
    expect((await api.unchanged(() => posting({ accept }, extended))).status).toBe(406)
  })

  it.each([[[]], [['Accept:']]])('CN-12 Accept may be left out or empty: %j', async (headers) => {
    const response = await sendLines(api.url, { line: 'GET /articles', headers }) // anchor: R/C-02
    expect(response).toMatch(/^HTTP\/1.1 200 .*content-type: application\/vnd\.api\+json\r\n/is)
  })

  it('CN-21 Accept may be sent in several lines', async () => {
    const headers = [`Accept: ${JA};charset=utf-8`, `Accept: ${JA}`]
    expect(await sendLines(api.url, { line: 'GET /articles', headers })).toMatch(/^HTTP\/1.1 200 /)
  })

  const PROFILES = [`${PROFILE}`, `https://example.com/p ${PROFILE}`, `${PROFILE} ${X}`]
  it.each(PROFILES)('CN-3, CN-14, MT-2 applies a profile: %s', async (profiles) => {
    const { status, headers, body } = await accepting(`${JA};profile="${profiles}"`)
    expect([status, headers['content-type']]).toEqual([200, `${JA};profile="${PROFILE}"`])
    expect(body.data[0].meta.page.cursor).toEqual(expect.any(String))
  })

  it('is checked after Content-Type, and before query string, body, rows and If-Match', async () => {
    for (const path of ['/articles?x=1', '/articles/99'])
      expectRefused(await api.get(path).set({ accept: 'text/html' }), 406)
    expectRefused(await posting({ accept: 'text/html', 'if-match': '"a"' }), 406)
    const headers = { accept: 'text/html', 'content-type': 'text/plain' }
    expectRefused(await api.post('/articles?x=1').send('{').set(headers), 415)
  }) // anchor: R/C-10
})

const PATHS = ['/articles', '/articles/1', '/articles/1/author', '/articles/1/relationships/author']
it.each(PATHS)(
  'CN-19 returns 406 for a document with data where Atomic Operations is accepted alone: %s',
  async (path) => {
    expectRefused(await api.get(path).set({ accept: ATOMIC }), 406)
  },
) // anchor: W/A-08

describe('an extension of an application', () => {
  it('CN-2, JA-3 an extension is applied on request, and named in the response', async () => {
    const { status, headers, body } = await accepting(`${JA};ext="${A}"`, extended)
    expect([status, headers['content-type']]).toEqual([200, `${JA};ext="${A}"`])
    expect(body.jsonapi).toEqual({ version: '1.1', ext: [A] }) // anchor: R/C-01, R/C-09
    expect(body.meta.extensions).toEqual([A])
    const plain = await accepting(JA, extended)
    expect([plain.headers['content-type'], plain.body.meta.extensions]).toEqual([JA, []])
  }) // anchor: W/A-08

  it('MT-2 an extension is applied once, beside others in one list', async () => {
    const { headers, body } = await accepting(`${JA};ext="${B} ${A} ${B}"`, extended)
    expect(headers['content-type']).toBe(`${JA};ext="${B} ${A}"`)
    expect(body.jsonapi.ext).toEqual([B, A]) // anchor: R/C-09
  })

  it('CN-19 returns 406 or 415 at an endpoint without it', async () => {
    const type = `${JA};ext="${B}"`
    await extended.get('/articles/1').set({ accept: type }).expect(406)
    const headers = { 'content-type': type }
    await extended.get('/articles/1').set(headers).expect(415)
    const body = { data: { type: 'articles', id: '1', attributes: { title: 'Ash' } } }
    const answer = await api.unchanged(() => extended.patch('/articles/1').send(body).set(headers))
    expect(answer.status).toBe(415)
    expect(answer.body.errors[0].detail).toContain(`found the extension '${B}'.`)
  }) // anchor: W/A-08

  const ACCEPTED = [undefined, '*/*', JA, `${JA};ext="${A}"`, `${JA};ext="${B} ${A}"`, `${JA};ext="${B}", ${JA}`]
  it.each(ACCEPTED)('of the request is applied to the response to Accept %s', async (accept) => {
    const headers = { 'content-type': `${JA};ext="${A}"`, ...(accept !== undefined && { accept }) }
    const { body } = await posting(headers, extended).expect(201)
    expect(body.jsonapi.ext).toContain(A) // anchor: R/C-07
  })

  it('of the request returns 406 when Accept leaves it out', async () => {
    const headers = { 'content-type': `${JA};ext="${A}"`, accept: `${JA};ext="${B}"` }
    const answer = await api.unchanged(() => posting(headers, extended))
    expect(answer.status).toBe(406) // anchor: R/C-07
    expect(answer.body.errors[0].detail).toContain(`ext with '${A}'`)
  })

  it.each([
    [`${JA};ext="${A}";q=0.2, ${JA}`, JA],
    [`${JA}, ${JA};ext="${A}"`, `${JA};ext="${A}"`],
    [`${JA};ext="${A}", ${JA};ext="${B} ${A}"`, `${JA};ext="${B} ${A}"`],
    [`${JA};ext="${A}";q=0.9, ${JA};ext="${B} ${A}";q=0.8`, `${JA};ext="${A}"`],
  ])('is selected by weight, then by number: %s', async (accept, type) => {
    expect((await accepting(accept, extended)).headers['content-type']).toBe(type) // anchor: R/C-05
  })

  it('is applied to errors, and changes the ETag', async () => {
    const sent = { accept: `${JA};ext="${A}"` }
    const { headers, body } = await extended.get('/articles?x=1').set(sent)
    expect([headers['content-type'], body.jsonapi.ext]).toEqual([sent.accept, [A]])
    const applied = (await extended.get('/articles/1').set(sent)).headers.etag
    expect(applied).not.toBe((await extended.get('/articles/1')).headers.etag)
  })
})
