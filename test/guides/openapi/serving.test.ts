import { crawl } from 'stemma/testing'
import { setUp, useApi } from '../../support/api'
import { type HumansApi, startHumans } from '../../support/humans'

const served = setUp(() => startHumans({ openApi: true }))

function fetchDocument(server: HumansApi, path = '/openapi.json', headers: Readonly<Record<string, string>> = {}) {
  return server.get(path).set(headers).unchecked()
}

it('is neither served nor linked by default', () =>
  useApi(startHumans({ explorer: false }), async (humans) => {
    await humans.get('/openapi.json').expect(404)
    expect((await humans.get('/men')).body.links).not.toHaveProperty('describedby')
  }))

it('is served as JSON', async () => {
  const { status, headers, text } = await fetchDocument(served)
  expect([status, headers['content-type']]).toEqual([200, 'application/json'])
  const expected = { openapi: '3.1.1', info: { title: 'JSON:API', version: '1.0.0' }, servers: [{ url: '/' }] }
  expect(JSON.parse(text)).toMatchObject(expected)
})

it('contains what the option says about the API', async () => {
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
  const info = { title: 'Family', version: '2.1.0', description: 'Who is whose.' }
  const others = { servers: [{ url: 'https://api.example.com' }], security: [{ bearer: [] }] }
  await useApi(startHumans({ openApi: { ...info, ...others, securitySchemes } }), async (humans) => {
    const document = JSON.parse((await fetchDocument(humans)).text)
    expect(document).toMatchObject({ info, ...others, components: { securitySchemes } })
  })
})

it('is linked from every document, including errors, and served at the linked URL', async () => {
  expect((await served.get('/men')).body.links.describedby).toBe('/openapi.json')
  expect((await served.get('/men/1')).body.links.describedby).toBe('/openapi.json')
  expect((await served.get('/nothing')).body.links).toEqual({ describedby: '/openapi.json' })
  await served.addMan({ name: 'Adam' })
  const { findings, urls } = await crawl(fetch, [`${served.url}/men`])
  expect(findings).toEqual([])
  expect(urls).toContain(`${served.url}/openapi.json`)
})

it('gives way to the link of the option describedBy', () =>
  useApi(startHumans({ openApi: true, describedBy: '/docs' }), async (humans) => {
    expect((await humans.get('/men')).body.links.describedby).toBe('/docs')
  }))

const EXAMPLE = 'https://api.example.com/v1'
it.each([
  [{ mountPath: '/v1' }, '/v1', '/v1', /^\/v1\/openapi\.json$/],
  [{ links: { base: 'request' } }, '', '/', /^http:\/\/127\.0\.0\.1:\d+\/openapi\.json$/],
  [{ links: { base: EXAMPLE } }, '', EXAMPLE, /^https:\/\/api\.example\.com\/v1\/openapi\.json$/],
])('is served and linked below the base of links: %j', (options, path, server, link) =>
  useApi(startHumans({ openApi: true, ...options }), async (humans) => {
    expect(JSON.parse((await fetchDocument(humans, `${path}/openapi.json`)).text).servers).toEqual([{ url: server }])
    expect((await humans.get(`${path}/men`)).body.links.describedby).toMatch(link)
  }),
)

it('returns 304 for its ETag', async () => {
  const etag = (await fetchDocument(served)).headers.etag ?? ''
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  const again = await fetchDocument(served, '/openapi.json', { 'if-none-match': `W/${etag}` })
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
  expect((await fetchDocument(served, '/openapi.json', { 'if-none-match': '*' })).status).toBe(304)
  expect((await fetchDocument(served, '/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

it('answers HEAD and OPTIONS, and 405 for other methods', async () => {
  const { status, text, headers } = await served.request('HEAD', '/openapi.json').unchecked()
  expect([status, text]).toEqual([200, ''])
  expect(Number(headers['content-length'])).toBeGreaterThan(1000)
  const refused = await served.delete('/openapi.json')
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(refused.body.errors).toMatchObject([{ code: 'url.method-not-allowed' }])
  const asked = await served.request('OPTIONS', '/openapi.json/')
  expect([asked.status, asked.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
})
