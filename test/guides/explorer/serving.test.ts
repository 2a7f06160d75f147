import { createJsonApi, JsonApiError } from 'stemma'
import supertest, { type Response } from 'supertest'
import { closeAfterAll, setUp } from '../../support/api'
import { Human, Man, startHumans, Woman } from '../../support/humans'
import { JSON_API_MEDIA_TYPE } from '../../support/request'
import { serve } from '../../support/server'

// The page is not JSON:API, so plain supertest requests it. test/browser tests what it does in a browser.

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const HTML = 'text/html; charset=utf-8'
type Options = NonNullable<Parameters<typeof startHumans>[0]>
const shared = setUp(() => startHumans({ explorer: true }))
const keep = closeAfterAll()
const start = (options: Options) => keep(startHumans({ explorer: true, ...options }))

/** Sends GET with the Accept header of a browser. */
function browse(path: string, headers: Readonly<Record<string, string>> = {}, url = shared.url) {
  return supertest(url)
    .get(path)
    .set({ accept: BROWSER, ...headers })
}

/** The paths of what the page loads. */
function assetsOf({ text }: Response): readonly string[] {
  return [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
}

describe('a browser', () => {
  it.each([
    ...['/', '/humans', '/men/1', '/men/1/wife', '/men/1/relationships/wife', '/humans?filter=nonsense', '/operations'],
  ])('gets the page at %s', async (path) => {
    const { text, headers } = await browse(path).expect(200).expect('content-type', HTML)
    expect(text).toMatch(/^<!doctype html>/)
    expect(headers.vary).toBe('Accept')
  })

  it.each(['/nothing', '/men/1/2/3', '/men/%FF', '/operations/1'])('gets the page with 404 at %s', async (path) => {
    await browse(path).expect(404).expect('content-type', HTML)
  })

  it.each<[Options, string]>([
    [{ entryPoint: 'router' }, '/explorer.page/'],
    [{ entryPoint: 'listener' }, '/explorer.page/'],
    [{ mountPath: '/api', entryPoint: 'listener' }, '/api/explorer.page/'],
    [{ links: { base: 'https://api.example.com/v1' } }, '/v1/explorer.page/'],
    [{ mountPath: '/api', entryPoint: 'router', links: { base: 'request' } }, '/api/explorer.page/'],
  ])('loads the files of the page below the API: %j', async (options, folder) => {
    const api = await start(options)
    for (const path of ['', '/', '?x', '/?x', '/men', '/men?x=/men']) {
      const assets = assetsOf(await browse(`${options.mountPath ?? ''}${path}`, {}, api.url))
      expect([path, ...assets]).toEqual([path, ...Array(3).fill(expect.stringMatching(`^${folder}`))])
      // At `/v1`, a proxy would serve them.
      if (!folder.startsWith('/v1')) for (const asset of assets) await browse(asset, {}, api.url).expect(200)
    }
  })

  it('gets the page before the context option authenticates', async () => {
    const context = () => Promise.reject(new JsonApiError({ status: 401, title: 'Log in.' }))
    const api = await start({ context })
    await browse('/men', {}, api.url).expect(200)
    await api.get('/men').expect(401)
    await browse('/openapi.json', {}, api.url).expect(401).expect('content-type', JSON_API_MEDIA_TYPE)
  })

  it('gets JSON:API for POST and OPTIONS', async () => {
    const body = JSON.stringify({ data: { type: 'men', attributes: { name: 'Adam' } } })
    const headers = { accept: 'text/html,*/*;q=0.8', 'content-type': JSON_API_MEDIA_TYPE }
    const request = supertest(shared.url)
    await request.post('/men').set(headers).send(body).expect(201).expect('content-type', JSON_API_MEDIA_TYPE)
    await request.options('/men').set(headers).expect(204)
  })
})

it.each([
  ['*/*', JSON_API_MEDIA_TYPE],
  [`${JSON_API_MEDIA_TYPE}, text/html`, JSON_API_MEDIA_TYPE],
  [`text/html, ${JSON_API_MEDIA_TYPE}`, JSON_API_MEDIA_TYPE],
  [`text/html;q=0.5, ${JSON_API_MEDIA_TYPE}`, JSON_API_MEDIA_TYPE],
  ['text/html;q=0.8, */*', JSON_API_MEDIA_TYPE],
  ['text/html;q=0, */*;q=0.1', JSON_API_MEDIA_TYPE],
  ['text/html', HTML],
  ['TEXT/HTML', HTML],
  [`text/html, ${JSON_API_MEDIA_TYPE};q=0.9`, HTML],
  ['text/html;q=0.9, text/*, */*;q=0.8', HTML],
])('Accept: %s gets %s', (accept, type) => browse('/men', { accept }).expect(200).expect('content-type', type))

it('serves the OpenAPI document without linking it', async () => {
  expect((await shared.get('/men')).body.links).not.toHaveProperty('describedby')
  for (const accept of ['*/*', BROWSER]) {
    await browse('/openapi.json', { accept }).expect(200).expect('content-type', 'application/json')
  }
})

describe('the page', () => {
  it('allows only its own scripts, styles and connections', async () => {
    const { headers, text } = await browse('/men')
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
      ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
      "trusted-types 'none'",
    ])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
    // It contains nothing of the request.
    expect((await browse('/%22%3E%3Cscript%3E?"><script>')).text).toBe(text)
  })

  it('answers HEAD, and is revalidated by its ETag', async () => {
    const { status, text, headers } = await supertest(shared.url).head('/men').set({ accept: BROWSER })
    expect([status, text, headers['content-type']]).toEqual([200, undefined, HTML])
    expect(Number(headers['content-length'])).toBeGreaterThan(300)
    const response = await browse('/women', { 'if-none-match': headers.etag ?? '' }).expect(304)
    expect([response.text, response.headers['cache-control']]).toEqual(['', 'no-cache'])
    await browse('/women', { 'if-none-match': '"other"' }).expect(200)
  })
})

describe('a file of the page', () => {
  let script = ''
  let folder = ''
  beforeAll(async () => {
    script = assetsOf(await browse('/')).find((path) => path.endsWith('.mjs')) ?? ''
    folder = script.slice(0, script.lastIndexOf('/') + 1)
  })

  it('has the media type of its extension, and is immutable under a URL with its version', async () => {
    const { headers } = await browse(script).expect(200).expect('content-type', 'text/javascript; charset=utf-8')
    expect(script).toMatch(/^\/explorer\.page\/\w{10}\/main\.mjs$/)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['x-content-type-options']).toBe('nosniff')
    await browse(script, { 'if-none-match': headers.etag ?? '' }).expect(304)
    await browse('/explorer.page/0123456789/main.mjs', { accept: '*/*' }).expect(404)
    await browse(`${folder}page.css`).expect('content-type', 'text/css; charset=utf-8')
    await browse(`${folder}icon.svg`).expect('content-type', 'image/svg+xml')
  })

  it.each([
    ...['licenses.txt', '../assets.ts', '..%2Fassets.ts', '%2e%2e/assets.ts', '/etc/passwd', 'main.mjs/'],
    ...['main.mjs%00', '__proto__', 'constructor', ''],
  ])('returns 404 for %j', async (name) => {
    await browse(folder + name, { accept: '*/*' })
      .expect(404)
      .expect('content-type', JSON_API_MEDIA_TYPE)
  })
})

describe('the option explorer', () => {
  const { NODE_ENV } = process.env
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV
  })

  it.each([
    ['production', {}, JSON_API_MEDIA_TYPE, 404],
    ['production', { explorer: true }, HTML, 200],
    [NODE_ENV, {}, HTML, 200],
    [NODE_ENV, { explorer: false }, JSON_API_MEDIA_TYPE, 404],
  ])('with NODE_ENV=%s and %j: a browser gets %s, and %i for the files', async (environment, option, type, status) => {
    const [script = ''] = assetsOf(await browse('/men')).filter((path) => path.endsWith('.mjs'))
    process.env.NODE_ENV = environment
    const { dataSource } = shared
    const { listener } = createJsonApi({ dataSource, resources: [Human, Man, Woman], startupLog: false, ...option })
    const api = await keep(serve(listener))
    await browse('/men', {}, api.url).expect('content-type', type)
    await browse('/openapi.json', { accept: '*/*' }, api.url).expect(status)
    await browse(script, {}, api.url).expect(status)
  })
})
