import { request as httpRequest } from 'node:http'
import { Attribute, ConfigurationError, createJsonApi, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'

// https://jsonapi.org/format/1.1/#content-negotiation

const JA = 'application/vnd.api+json'
const A = 'https://example.com/ext/audit'
const B = 'https://example.com/ext/bulk'
const X = 'https://example.com/ext/nope'

@Resource('articles')
@Entity()
class Article {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
  @ToMany() @OneToMany('Comment', 'article') comments: Comment[]
}

@Resource('comments')
@Entity()
class Comment {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Article', 'comments', { nullable: true }) article: Article | null
}

const RESOURCES = [Article, Comment]
const ARTICLE = { data: { type: 'articles', attributes: { title: 'Oaks' } } }

let api: TestApi
let extended: TestApi
const running: TestApi[] = []

async function start(options: ApiOptions = {}): Promise<TestApi> {
  const server = await startApi(RESOURCES, options)
  running.push(server)
  await server.add(Article, { title: 'Elms' })
  return server
}

beforeAll(async () => {
  api = await start()
  extended = await start({
    extensions: [{ uri: A }, { uri: B, endpoints: ['createResource', 'getCollection'] }],
    meta: ({ extensions }) => ({ extensions }),
  })
})
afterAll(async () => {
  for (const server of running) await server.close()
})

const accepting = (accept: string, server = api) => server.get('/articles', { accept })
const sendingAs = (type: string, server = api) =>
  server.unchanged(() => server.send('POST', '/articles', { body: ARTICLE, headers: { 'content-type': type } }))

function expectRefused(answer: { status: number; headers: Headers; document: unknown }, status: 406 | 415): void {
  const header = status === 415 ? 'Content-Type' : 'Accept'
  expect(answer.status).toBe(status)
  // CN-20, C-08
  expect(answer.document).toEqual({
    jsonapi: { version: '1.1' },
    errors: [expect.objectContaining({ status: String(status), source: { header } })],
  })
  expect(answer.headers.get('content-type')).toBe(JA)
}

describe('every answer', () => {
  class Failing extends ResourceDefinition<Comment> {
    readonly resource = Comment
    override filter(): never {
      throw new Error('no filter')
    }
  }

  it.each([
    ['200', 'GET', '/articles', {}],
    ['201', 'POST', '/articles', { body: ARTICLE }],
    ['204 to OPTIONS', 'OPTIONS', '/articles', {}],
    ['304', 'GET', '/articles/1', { headers: { 'if-none-match': '*' } }],
    ['400', 'GET', '/articles?x=1', {}],
    ['400 to broken JSON', 'POST', '/articles', { rawBody: '{' }],
    ['404', 'GET', '/articles/99', {}],
    ['404 to an unknown route', 'GET', '/nowhere/at/all/or/here', {}],
    ['405', 'PUT', '/articles/1', {}],
    ['406', 'GET', '/articles', { headers: { accept: 'text/html' } }],
    ['413', 'POST', '/articles', { rawBody: ' '.repeat(3000) }],
    ['415', 'POST', '/articles', { rawBody: '{}', headers: { 'content-type': 'text/plain' } }],
    ['422', 'POST', '/articles', { body: { data: { type: 'articles', attributes: { titel: '' } } } }],
    ['500', 'GET', '/comments', {}],
  ])('with status %s is JSON:API and varies by Accept: CN-1, CN-16, MT-1', async (name, method, path, sending) => {
    const failing = await start({ definitions: [new Failing()], report: () => {}, maximumBodySize: 2000 })
    const { status, headers, text } = await failing.send(method, path, sending)
    expect(String(status)).toBe(name.slice(0, 3))
    expect(headers.get('vary')).toBe('Accept')
    expect(headers.get('content-type')).toBe(text === '' ? null : JA)
  })

  it('keeps what others have said of what it varies by: CN-16', async () => {
    const before: ApiOptions['before'] = (_request, response, next) => {
      response.vary('Origin')
      next()
    }
    const { headers } = await (await start({ before })).get('/articles')
    expect(headers.get('vary')?.split(', ').sort()).toEqual(['Accept', 'Origin'])
  })
})

describe('Content-Type', () => {
  it.each([[`${JA};charset=utf-8`], [`${JA};version=1`], [`${JA};ext="${A}";q=1`]])(
    '%s is refused: CN-4',
    async (type) => {
      expectRefused(await sendingAs(type), 415)
      for (const method of ['GET', 'DELETE']) {
        const headers = { 'content-type': type }
        expectRefused(await api.unchanged(() => api.send(method, '/articles/1', { headers })), 415)
      }
    },
  )

  it.each([[`${JA};ext="${X}"`], [`${JA};ext="${A} ${X}"`], [`${JA};ext="${X}";profile="${A}"`]])(
    '%s is refused, whatever is known: CN-5',
    async (type) => {
      expectRefused(await sendingAs(type), 415)
      const refused = await sendingAs(type, extended)
      expect(refused.status).toBe(415)
    },
  )

  it.each([['application/json'], ['text/plain'], ['']])('%p of a body is refused: CN-18', async (type) => {
    expectRefused(await sendingAs(type), 415)
  })

  it('is demanded of a body: CN-18', async () => {
    const answer = await api.unchanged(() =>
      api.send('POST', '/articles', { rawBody: Buffer.from('{}'), headers: { 'content-type': '' } }),
    )
    expectRefused(answer, 415)
  })

  it('of another type means nothing without a body', async () => {
    expect((await api.get('/articles', { 'content-type': 'text/html' })).status).toBe(200)
  })

  it.each([['Application/VND.API+JSON'], [`${JA} ; PROFILE="${X}"`], [`${JA};profile="${X} ${A}"`]])(
    '%s is accepted: MT-3, CN-15',
    async (type) => {
      const { status, headers } = await api.send('POST', '/articles', {
        body: ARTICLE,
        headers: { 'content-type': type },
      })
      expect(status).toBe(201)
      expect(headers.get('content-type')).toBe(JA)
    },
  )

  it('alone says what is applied, not the document: CN-17', async () => {
    const body = { jsonapi: { version: '1.1', ext: [A] }, ...ARTICLE }
    const { status, headers, document } = await extended.post('/articles', body)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe(JA)
    expect(document.jsonapi).toEqual({ version: '1.1' })
  })
})

describe('Accept', () => {
  it.each([
    ['CN-6', `${JA};charset=utf-8, ${JA}`],
    ['CN-10', `${JA};ext="${X}", ${JA};q=0.1`],
    ['CN-11', `${JA};q=0.5`],
    ['CN-11', `${JA};profile="${X}";q=0.2, ${JA}`],
    ['CN-12', '*/*'],
    ['CN-12, C-03', 'application/*;q=0.1'],
    ['CN-15', `${JA};profile="${X}"`],
    ['CN-21', `${JA};profile="https://example.com/a,b;c"`],
    ['MT-3', `Application/VND.API+JSON ; PROFILE="${X}"`],
    ['C-04', `text/html, ${JA};charset=utf-8, ${JA}`],
  ])('%s: %s is answered with the plain media type', async (_, accept) => {
    const { status, headers } = await accepting(accept)
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: JA })
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
  ])('%s: %s is refused', async (_, accept) => {
    expectRefused(await accepting(accept), 406)
    const post = () => api.send('POST', '/articles', { body: ARTICLE, headers: { accept } })
    expectRefused(await api.unchanged(post), 406)
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('may be %s: CN-12, C-02', async (_, accept) => {
    const { statusCode, headers } = await rawGet(api, accept === undefined ? {} : { accept })
    expect([statusCode, headers['content-type']]).toEqual([200, JA])
  })

  it('may come in several lines: CN-21', async () => {
    const { statusCode } = await rawGet(api, { accept: [`${JA};charset=utf-8`, JA] })
    expect(statusCode).toBe(200)
  })

  it('is looked at before query string, body and rows: C-10, HT-9', async () => {
    for (const path of ['/articles?x=1', '/articles/99']) {
      expectRefused(await api.get(path, { accept: 'text/html' }), 406)
    }
    const headers = { accept: 'text/html', 'content-type': 'text/plain' }
    expectRefused(await api.send('POST', '/articles?x=1', { rawBody: '{', headers }), 415)
  })
})

describe('an extension of an application', () => {
  it('is applied when it is asked for: CN-2, CN-19, JA-3, DS-10, C-01, C-09', async () => {
    const { status, headers, document } = await accepting(`${JA};ext="${A}"`, extended)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(`${JA};ext="${A}"`)
    expect(document.jsonapi).toEqual({ version: '1.1', ext: [A] })
    expect(document.links.self).toEqual({ href: '/articles', type: `${JA};ext="${A}"` })
    expect(document.meta.extensions).toEqual([A])
  })

  it('is not applied when it is not: CN-16', async () => {
    const { headers, document } = await accepting(JA, extended)
    expect(headers.get('content-type')).toBe(JA)
    expect(headers.get('vary')).toBe('Accept')
    expect(document.meta.extensions).toEqual([])
  })

  it('is applied with others, each once, in one list: MT-2', async () => {
    const { headers, document } = await accepting(`${JA};ext="${B} ${A} ${B}"`, extended)
    expect(headers.get('content-type')).toBe(`${JA};ext="${B} ${A}"`)
    expect(document.jsonapi.ext).toEqual([B, A])
  })

  it('is refused where it can not be applied: CN-5, CN-19', async () => {
    expect((await extended.get('/articles/1', { accept: `${JA};ext="${B}"` })).status).toBe(406)
    expect((await extended.get('/articles/1', { 'content-type': `${JA};ext="${B}"` })).status).toBe(415)
    const body = { data: { type: 'articles', id: '1', attributes: { title: 'Ash' } } }
    const headers = { 'content-type': `${JA};ext="${B}"` }
    const answer = await extended.unchanged(() => extended.send('PATCH', '/articles/1', { body, headers }))
    expect(answer.status).toBe(415)
    expect(answer.document.errors[0].detail).toBe(`Expected no extension but '${A}', found the extension '${B}'.`)
  })

  it.each([[undefined], ['*/*'], [JA], [`${JA};ext="${A}"`], [`${JA};ext="${B} ${A}"`], [`${JA};ext="${B}", ${JA}`]])(
    'of what is sent holds for the answer, with Accept %s: C-07',
    async (accept) => {
      const headers = { 'content-type': `${JA};ext="${A}"`, ...(accept !== undefined && { accept }) }
      const { status, document } = await extended.send('POST', '/articles', { body: ARTICLE, headers })
      expect(status).toBe(201)
      expect(document.jsonapi.ext).toContain(A)
    },
  )

  it('of what is sent can not be left out of the answer: C-07', async () => {
    const headers = { 'content-type': `${JA};ext="${A}"`, accept: `${JA};ext="${B}"` }
    const answer = await extended.unchanged(() => extended.send('POST', '/articles', { body: ARTICLE, headers }))
    expect(answer.status).toBe(406)
    expect(answer.document.errors[0].detail).toContain(`ext with '${A}'`)
  })

  it.each([
    [`${JA};ext="${A}";q=0.2, ${JA}`, JA],
    [`${JA}, ${JA};ext="${A}"`, `${JA};ext="${A}"`],
    [`${JA};ext="${A}", ${JA};ext="${B} ${A}"`, `${JA};ext="${B} ${A}"`],
    [`${JA};ext="${A}";q=0.9, ${JA};ext="${B} ${A}";q=0.8`, `${JA};ext="${A}"`],
  ])('is preferred by weight, then by number: C-05: %s', async (accept, type) => {
    expect((await accepting(accept, extended)).headers.get('content-type')).toBe(type)
  })

  it('is applied to the mistakes that are found then', async () => {
    const { headers, document } = await extended.get('/articles?x=1', { accept: `${JA};ext="${A}"` })
    expect(headers.get('content-type')).toBe(`${JA};ext="${A}"`)
    expect(document.jsonapi.ext).toEqual([A])
  })

  it('makes another ETag', async () => {
    const plain = (await extended.get('/articles/1')).headers.get('etag')
    const applied = (await extended.get('/articles/1', { accept: `${JA};ext="${A}"` })).headers.get('etag')
    expect(applied).not.toBe(plain)
  })

  it.each([
    [[{ uri: 'audit' }], "its extension 'audit' has no URI. Give an absolute URI."],
    [[{ uri: 'https://example.com/a b' }], "its extension 'https://example.com/a b' has no URI. Give an absolute URI."],
    [
      [{ uri: A }, { uri: A }],
      `its extension '${A}' is there more than once. Name it once, with all of its endpoints.`,
    ],
    [[{ uri: A, endpoints: ['fetch'] }], `its extension '${A}' has the endpoint 'fetch'. Give some of getCollection, `],
  ])('is refused by createJsonApi when it is %j', (extensions, mistake) => {
    const { dataSource } = api
    const start = () => createJsonApi({ dataSource, resources: RESOURCES, extensions: extensions as [] })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(`createJsonApi: ${mistake}`)
  })
})

/** Sends no header of its own accord. */
function rawGet(
  { url }: TestApi,
  headers: Record<string, string | string[]>,
): Promise<{ statusCode: number | undefined; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/articles`, { headers }, (response) => {
      response.resume()
      resolve({ statusCode: response.statusCode, headers: response.headers })
    })
    sent.on('error', reject).end()
  })
}
