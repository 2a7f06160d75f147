import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { crawl, createLintingFetch } from 'stemma/testing'
import type { RunningProgram } from './running-program'

const MEDIA_TYPE = 'application/vnd.api+json'
const checkedFetch = createLintingFetch(fetch)

export interface ProgramUnderTest {
  readonly start: () => Promise<RunningProgram>
  /** The response of the framework to a URL that is not one of the API. */
  readonly notFound: string
}

/** Defines the tests that each framework and each runtime has to pass. */
export function describeApi({ start, notFound }: ProgramUnderTest): void {
  let program: RunningProgram
  beforeAll(async () => {
    program = await start()
  })
  afterAll(() => program?.terminate())

  async function send(method: string, path: string, body?: unknown, type = MEDIA_TYPE) {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': type, connection: 'close' }
    const response = await checkedFetch(program.url + path, {
      method,
      ...(body !== undefined && { headers, body: sent }),
    })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  it('creates a resource, whose links start with the path of the API', async () => {
    const { status, headers, body } = await send('POST', '/api/notes', note('Wäter'))
    expect([status, headers.get('location'), headers.get('content-type')]).toEqual([201, '/api/notes/1', MEDIA_TYPE])
    expect(JSON.parse(body)).toEqual({
      jsonapi: { version: '1.1' },
      links: { self: '/api/notes/1' },
      data: { type: 'notes', id: '1', attributes: { text: 'Wäter' }, links: { self: '/api/notes/1' } },
    })
  })

  it('returns a collection', async () => {
    const { status, body } = await send('GET', "/api/notes?filter=equals(text,'Wäter')&page[size]=2")
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ data: [{ type: 'notes', id: '1' }], meta: { total: 1 } })
  })

  it('returns a response without a body', async () => {
    const { status, body } = await send('PATCH', '/api/notes/1', { data: { ...note('Water').data, id: '1' } })
    expect([status, body]).toEqual([204, ''])
  })

  it('returns the headers of GET for HEAD', async () => {
    const [get, head] = [await send('GET', '/api/notes/1'), await send('HEAD', '/api/notes/1')]
    const headersOf = ({ headers }: typeof get) =>
      ['content-type', 'content-length', 'etag', 'vary'].map((name) => headers.get(name))
    expect(head.status).toBe(200)
    expect(headersOf(head)).toEqual(headersOf(get))
    expect(headersOf(get)).not.toContain(null)
  })

  it.each<Mistake>([
    { of: 'an unknown type', method: 'GET', path: '/api/novels', code: 'url.not-found', status: 404 },
    { of: 'an unknown resource', method: 'GET', path: '/api/notes/99', code: 'resource.not-found', status: 404 },
    { of: 'another method', method: 'PUT', path: '/api/notes', code: 'url.method-not-allowed', status: 405 },
    { of: 'a body that is not JSON', body: '{ data', code: 'document.syntax', status: 400 },
    { of: 'an unknown attribute', body: note('x', 'txt'), code: 'attribute.unknown', status: 422 },
    { of: 'a body that is too large', body: note('x'.repeat(1024 * 1024)), code: 'document.too-large', status: 413 },
    { of: 'another media type', body: note('x'), type: 'application/json', code: 'header.content-type', status: 415 },
  ])(
    'returns an error document for $of',
    async ({ method = 'POST', path = '/api/notes', body, type, code, status }) => {
      const response = await send(method, path, body, type)
      expect(response.status).toBe(status)
      const { errors } = JSON.parse(response.body)
      expect(errors).toContainEqual(expect.objectContaining({ status: String(status), code }))
    },
  )

  it('leaves other URLs to the framework', async () => {
    const answers = ['/health', '/missing'].map(async (path) => {
      const response = await fetch(program.url + path, { headers: { connection: 'close' } })
      return [response.status, await response.text()]
    })
    expect(await Promise.all(answers)).toEqual([
      [200, 'fine'],
      [404, notFound],
    ])
  })

  it('returns a response that is larger than the buffers of the connection', async () => {
    const operations = Array.from({ length: 100 }, () => ({ op: 'add', data: note('☃'.repeat(80)).data }))
    const type = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
    const added = await send('POST', '/api/operations', { 'atomic:operations': operations }, type)
    expect(added.status).toBe(200)
    const { data } = JSON.parse((await send('GET', '/api/notes?page[size]=100&sort=-id')).body)
    expect(data).toHaveLength(100)
    expect(data[99].attributes.text).toBe('☃'.repeat(80))
  })

  it('has no broken links and no violations of JSON:API', async () => {
    const { findings, isComplete } = await crawl(checkedFetch, [`${program.url}/api/notes?page[size]=40`])
    expect({ findings, isComplete }).toEqual({ findings: [], isComplete: true })
  })

  it('completes a running request before it ends', async () => {
    const body = JSON.stringify(note('Late'))
    const headers = { 'content-type': MEDIA_TYPE, 'content-length': body.length }
    const late = request(`${program.url}/api/notes`, { method: 'POST', headers })
    late.write(body.slice(0, 5))
    await once(late, 'socket')
    // The request has to arrive before the signal.
    await new Promise((resolve) => setTimeout(resolve, 300))
    program.terminate()
    const refused = await waitUntilRefused(program.url)
    late.end(body.slice(5))
    const [response] = await once(late, 'response')
    expect([refused, response.statusCode, response.headers.connection]).toEqual([true, 201, 'close'])
    expect(JSON.parse(await text(response))).toMatchObject({ data: { attributes: { text: 'Late' } } })
    expect(await program.waitForEnd()).toBe(0)
  })
}

interface Mistake {
  readonly of: string
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly type?: string
  readonly code: string
  readonly status: number
}

function note(content: string, attribute = 'text') {
  return { data: { type: 'notes', attributes: { [attribute]: content } } }
}

/** Returns true once the server accepts no new connections. */
async function waitUntilRefused(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await (await fetch(`${url}/health`, { headers: { connection: 'close' } })).text()
    } catch {
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
