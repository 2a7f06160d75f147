import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import fc from 'fast-check'
import { createJsonApi, type JsonApiOptions } from 'stemma'
import { holdsFor, TIME_LIMIT } from '../properties/support/random'
import { ref, refs, setUp } from '../support/api'
import { Article, BLOGS, Blog, startBlogs, Tag } from '../support/blogs'
import { getRaw, sendLines } from '../support/raw-http'
import { type EntryPoint, serve, type TestServer } from '../support/server'

// Path confusion: dots, slashes, semicolons, their encodings, hosts and mount paths. Middleware that guards a path sees every request that
// the API serves for that path, however the target is spelt.

jest.setTimeout(TIME_LIMIT)
const api = setUp(() => startBlogs({ clientGeneratedIds: 'allowed' }))
const below: Readonly<Record<EntryPoint, TestServer>> = {
  router: setUp(() => openBelow('router')),
  listener: setUp(() => openBelow('listener')),
}
const guarding: typeof below = {
  router: setUp(() => openGuarded('router')),
  listener: setUp(() => openGuarded('listener')),
}

beforeAll(async () => {
  await api.add(Blog, { title: 'A' })
  for (const id of ['a', 'a/b', 'a;b', 'a%2fb', 'a\\b', 'a?b']) await api.add(Tag, { id })
  await api.add(Article, { title: 'A', blog: ref('1'), tags: refs('a', 'a/b') })
})

/** The API under a path, and an application that answers everything else. */
function openBelow(entryPoint: EntryPoint): Promise<TestServer> {
  const { [entryPoint]: handler } = create({ explorer: false, links: { base: 'request' } })
  const app = express().use('/api', handler as RequestHandler)
  const document = { jsonapi: { version: '1.1' }, meta: { at: 'the application' } }
  return serve(app.use((_request, response) => void response.status(418).json(document)))
}

/** The status of a response to a request line that is sent byte by byte. */
async function statusOf(url: string, line: string, ...headers: readonly string[]): Promise<number> {
  return Number((await sendLines(url, { line, headers })).slice(9, 12))
}

it.each([
  ['a dot', '/./articles/1', 404],
  ['two dots', '/tags/../articles/1', 404],
  ['two dots that are encoded', '/tags/%2e%2e/articles/1', 404],
  ['two dots that are half encoded', '/tags/.%2e/articles', 404],
  ['two dots at the end', '/articles/1/..', 404],
  ['a dot at the end', '/articles/.', 404],
  ['two dots as an id', '/tags/%2e%2e', 404],
  ['two slashes', '//articles/1', 404],
  ['two slashes within', '/articles//1', 404],
  ['a slash at the end', '/articles/1/', 200],
  ['two slashes at the end', '/articles/1//', 404],
  ['a slash that is encoded, in a type', '/articles%2f1', 404],
  ['a slash that is encoded, in a relationship', '/articles/1%2frelationships/blog', 404],
  ['a slash that is encoded, in an id', '/tags/a%2fb', 200],
  ['a slash that is encoded, in capitals', '/tags/a%2Fb', 200],
  ['a slash that is encoded twice', '/tags/a%252fb', 200],
  ['a slash that is overlong', '/tags/a%c0%afb', 400],
  ['a semicolon', '/articles/1;v=1', 404],
  ['a semicolon behind a type', '/articles;v=1/1', 404],
  ['a semicolon of an id', '/tags/a;b', 200],
  ['a backslash', '/articles\\1', 404],
  ['a backslash of an id', '/tags/a%5cb', 200],
  ['a question mark of an id', '/tags/a%3fb', 200],
  ['NUL', '/articles/1%00', 404],
  ['NUL behind a type', '/articles%00/1', 404],
  ['a type in capitals', '/Articles/1', 404],
  ['a letter that is encoded', '/%61rticles/1', 404],
  ['a word of a relationship in capitals', '/articles/1/Relationships/blog', 404],
  ['a word of a relationship that is encoded', '/articles/1/%72elationships/blog', 404],
  ['a relationship with a letter that is encoded', '/articles/1/blo%67', 404],
  ['a letter of an id that is encoded', '/tags/%61', 200],
  ['a plus', '/tags/a+', 404],
  ['a type with a K of Kelvin', '/boo%E2%84%AA', 404],
  ['a full-width letter', '/%EF%BD%81rticles/1', 404],
])('%s in a path is not normalized', async (_name, path, status) => {
  const { status: found, body } = await getRaw(api.url, path)
  expect([found, 'data' in body]).toEqual([status, status === 200])
})

it.each([
  ['a proxy with a user', 'GET http://me@evil.example/articles/1', 404],
  ['a proxy with an illegal host, by Node', 'GET http://evil\\example/articles/1', 400],
  ['a proxy of another scheme', 'GET ftp://evil.example/articles/1', 404],
  ['a proxy without a host', 'GET http:///articles/1', 404],
  ['a star', 'GET *', 404],
  ['a host alone', 'GET //evil.example', 404],
  ['a script, by Node', 'GET javascript:alert(1)', 400],
  ['a path without its slash, by Node', 'GET articles/1', 400],
])('a request line for %s gets an error', async (_name, line, status) => {
  const text = await sendLines(api.url, { line })
  expect([Number(text.slice(9, 12)), text.includes('evil.example/articles/1/')]).toEqual([status, false])
})

// https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
it.each([
  ['http://evil.example/articles/1', 200],
  ['HTTP://EVIL.EXAMPLE/articles/1', 200],
  ['https://evil.example:8443/articles/1?include=blog', 200],
  ['http://[::1]:80/articles/1', 200],
  ['http://evil.example/articles/99', 404],
  ['http://evil.example', 404],
  ['http://evil.example?include=blog', 404],
])('an absolute target is served as its path is: %s', async (target, status) => {
  const text = await sendLines(api.url, { line: `GET ${target}` })
  expect([Number(text.slice(9, 12)), text.toLowerCase().includes('evil')]).toEqual([status, false])
  expect(text.includes('"self":"/articles/1')).toBe(status === 200)
})

// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.7
it('OPTIONS with a star names the methods of the whole API', async () => {
  const text = await sendLines(api.url, { line: 'OPTIONS *' })
  expect(text).toMatch(/^HTTP\/1.1 204 /)
  expect(text).toContain('\r\nallow: GET, HEAD, POST, PATCH, DELETE, OPTIONS\r\n')
})

it('CONNECT is not served', async () => {
  expect(await sendLines(api.url, { line: 'CONNECT evil.example:443' })).not.toContain('200')
})

describe.each<EntryPoint>(['router', 'listener'])('below a mount path, through the %s', (entryPoint) => {
  it.each([
    ['/api/articles/1', 200],
    ['/api/../articles/1', 404],
    ['/api/%2e%2e/articles', 404],
    ['/api/..%2farticles', 404],
    ['//api/articles/1', 418],
    ['/api//articles/1', 404],
    ['/api/./articles/1', 404],
    ['/api;/articles/1', 418],
    ['/api%2farticles/1', 418],
    ['/apiarticles/1', 418],
    ['/x/../api/articles/1', 418],
    ['http://evil.example/api/articles/1', 200],
    ['http://evil.example/api', 404],
    ['http://evil.example/articles/1', 418],
    ['http://evil.example/api/%61rticles/1', 404],
  ])('%s answers %i', async (path, status) => expect(await statusOf(below[entryPoint].url, `GET ${path}`)).toBe(status))

  it('the host of an absolute target overrides Host in links', async () => {
    const text = await sendLines(below[entryPoint].url, { line: 'GET http://other.example:81/api/articles/1' })
    expect(text).toContain('"self":"http://other.example:81/api/articles/1"')
    expect(text).not.toContain('api.example.com')
  })

  it.each([
    ...['evil.example', 'evil.example:99', 'a@evil.example', 'evil.example/x', 'evil.example#', 'evil.example?'],
    ...['"><script>', '[::1', 'a b', 'é', 'evil.example\\'],
  ])('a host %j makes links of this API without a foreign host', async (host) => {
    const headers = { host: Buffer.from(host).toString('latin1') }
    const { body } = await below[entryPoint].get('/api/articles/1').set(headers).expect(200)
    expect(body.links.self).toMatch(/^(?:http:\/\/[\w.-]+(?::\d+)?)?\/api\/articles\/1$/)
  })

  it.each([
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'javascript'],
    ['x-forwarded-prefix', '/evil'],
    ['forwarded', 'host=evil.example;proto=javascript'],
    ['x-original-url', '/evil'],
    ['x-rewrite-url', '/evil'],
    ['x-http-method-override', 'DELETE'],
    ['origin', 'http://evil.example'],
    ['referer', 'http://evil.example'],
  ])('%s changes nothing without trust proxy', async (name, value) => {
    const plain = await below[entryPoint].get('/api/articles/1')
    const response = await below[entryPoint].get('/api/articles/1').set({ [name]: value })
    expect([response.status, response.text]).toEqual([200, plain.text])
    expect(response.headers['access-control-allow-origin']).toBe(undefined)
  })
})

const GUARDED = [
  ...['/api/tags', '/api/tags/a', '/api/articles/1/tags', '/api/articles/1/blog', '/api/openapi.json'],
  ...['/api/articles/1/relationships/tags', '/api/operations'],
]

const GUARDED_API = { openApi: true, explorer: true } as const

const guard: RequestHandler = (_request, response) => {
  response.status(401).type('application/vnd.api+json').send('{ "errors": [{ "status": "401" }] }')
}

function openGuarded(entryPoint: EntryPoint): Promise<TestServer> {
  const app = express()
    .use('/api/tags', guard)
    .use(['/api/articles/:id/tags', '/api/articles/:id/blog', '/api/articles/:id/relationships'], guard)
    .use(['/api/operations', '/api/openapi.json'], guard)
  return serve(app.use('/api', create(GUARDED_API)[entryPoint] as RequestHandler))
}

function create(options: Pick<JsonApiOptions, 'openApi' | 'explorer' | 'links'>) {
  return createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startupLog: false, ...options })
}

describe.each<EntryPoint>(['router', 'listener'])('in front of the %s', (entryPoint) => {
  it.each([
    ['a type with an encoded letter', '/api/%74ags', 404],
    ['a type with an encoded letter, and an id', '/api/tag%73/a', 404],
    ['a type that is encoded twice', '/api/%2574ags', 404],
    ['a type whose encoding is broken', '/api/%7ags', 404],
    ['a relationship with an encoded letter', '/api/articles/1/ta%67s', 404],
    ['a relationship with an encoded letter, of linkage', '/api/articles/1/relationships/ta%67s', 401],
    ["'relationships' with an encoded letter", '/api/articles/1/%72elationships/tags', 404],
    ['the OpenAPI document with an encoded letter', '/api/openapi%2ejson', 404],
    ['a type in capitals', '/api/TAGS', 401],
    ['a mount path in capitals', '/API/tags', 401],
    ['a slash at the end', '/api/tags/', 401],
    ['an absolute target', 'http://api.example.com/api/tags', 401],
    ['an absolute target in capitals', 'HTTP://API.EXAMPLE.COM/api/tags', 401],
    ['an absolute target with an encoded letter', 'http://api.example.com/api/%74ags', 404],
    ['an absolute target whose host has a backslash, by Node', 'http://x\\y/api/tags', 400],
    ['an absolute target whose host has a tilde', 'http://x~/api/tags', 401],
    ['an absolute target with a port that is no number', 'http://x:9y/api/tags', 404],
    ['an absolute target of a user', 'http://x@y/api/tags', 401],
    ['an id with an encoded slash', '/api/articles/1%2ftags', 404],
  ])('serves nothing for %s', async (_what, target, status) => {
    expect(await statusOf(guarding[entryPoint].url, `GET ${target}`)).toBe(status)
  })

  it('serves no operations at an encoded path', async () => {
    expect(await statusOf(guarding[entryPoint].url, 'POST /api/%6fperations')).toBe(404)
    expect(await statusOf(guarding[entryPoint].url, 'POST /api/operations')).toBe(401)
  })

  it('shows the explorer as found at guarded paths only as they are spelt', async () => {
    expect(await statusOf(guarding[entryPoint].url, 'GET /api/%61rticles', 'Accept: text/html')).toBe(404)
  })

  it('still serves what is not guarded', async () => {
    expect(await statusOf(guarding[entryPoint].url, 'GET /api/articles/%31')).toBe(200)
    expect(await statusOf(guarding[entryPoint].url, 'GET http://api.example.com/api/articles/1')).toBe(200)
  })

  it('serves no spelling of a guarded target', () =>
    holdsFor(spelling, 600, async ({ url }) => {
      expect([400, 401, 404, 405]).toContain(await statusOf(guarding[entryPoint].url, `GET ${url}`))
    }))
})

const STARTS = ['http://h', 'HTTP://h:80', 'http://h.', 'https://[::1]', 'http://x\\y', 'http://x~', 'http://x:y']
const INSERTED = [
  ...['/', '/.', '/..', '/x/..', '\\', ';', ';x=1', '%2f', '%2e', '%00', '#', '?', '@', ':', '%', '+', '%20'],
]

/** A guarded target with some of its characters written otherwise, and texts put in between. */
const spelling = fc
  .record({
    target: fc.constantFrom(...GUARDED),
    start: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...STARTS, 'http:', '//h')),
    changes: fc.array(
      fc.record({
        at: fc.nat({ max: 60 }),
        how: fc.constantFrom('encode', 'encodeTwice', 'capital', 'insert'),
        text: fc.constantFrom(...INSERTED),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ target, start, changes }) => ({ url: start + changes.reduce(spellOtherwise, target) }))

function spellOtherwise(target: string, { at, how, text }: { at: number; how: string; text: string }): string {
  const place = 1 + (at % target.length)
  const [before, letter, after] = [target.slice(0, place), target.charAt(place), target.slice(place + 1)]
  const encoded = letter === '' ? '' : `%${letter.charCodeAt(0).toString(16)}`
  if (how === 'encode') return before + encoded + after
  if (how === 'encodeTwice') return before + encoded.replace('%', '%25') + after
  if (how === 'capital') return before + letter.toUpperCase() + after
  return before + text + letter + after
}

// As docs/guide/protecting-endpoints.md shows.
const guarded = setUp(() => {
  const { listener } = create(GUARDED_API)
  return serve(((request: IncomingMessage, response) => {
    const { url = '/' } = request
    const pathname = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : undefined
    if (pathname === undefined) response.writeHead(400).end()
    else if (pathname === '/tags' || pathname.startsWith('/tags/')) response.writeHead(403).end()
    else listener(request, response)
  }) as RequestListener)
})

it.each([
  ['/tags', 403],
  ['/tags/', 403],
  ['/%74ags', 404],
  ['http://h/tags', 403],
  ['http://h:80/tags?page[size]=1', 403],
  ['//h/tags', 403],
  ['/./tags', 403],
  ['/TAGS', 404],
  ['//', 400],
  ['http://[1:2]/tags', 400],
  ['http://999.1.1.1/tags', 400],
  ['http://a:99999/tags', 400],
  ['/articles', 200],
])('in front of the listener, by the path of the target %s answers %i', async (target, status) => {
  expect(await statusOf(guarded.url, `GET ${target}`)).toBe(status)
})
