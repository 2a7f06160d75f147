import { createJsonApi, JsonApiError } from 'stemma'
import { crawl } from 'stemma/testing'
import supertest from 'supertest'
import { Human, type HumansApi, Man, startHumans, Woman } from '../../support/humans'

// The document is not JSON:API, so plain supertest requests it.

let api: HumansApi | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

async function start(options: Parameters<typeof startHumans>[0]): Promise<HumansApi> {
  api = await startHumans(options)
  return api
}

function fetchDocument({ url }: HumansApi, path = '/openapi.json', headers: Readonly<Record<string, string>> = {}) {
  return supertest(url).get(path).set(headers)
}

it('is neither served nor linked by default', async () => {
  const humans = await start({ explorer: 'off' })
  await humans.get('/openapi.json').expect(404)
  expect((await humans.get('/men')).body.links).not.toHaveProperty('describedby')
})

it('is served as JSON', async () => {
  const { status, headers, text } = await fetchDocument(await start({ openApi: 'on' }))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json')
  const expected = { openapi: '3.1.1', info: { title: 'JSON:API', version: '1.0.0' }, servers: [{ url: '/' }] }
  expect(JSON.parse(text)).toMatchObject(expected)
})

it('contains what the option says about the API', async () => {
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
  const openApi = {
    title: 'Family',
    version: '2.1.0',
    description: 'Who is whose.',
    servers: [{ url: 'https://api.example.com' }],
    securitySchemes,
    security: [{ bearer: [] }],
  }
  expect(JSON.parse((await fetchDocument(await start({ openApi }))).text)).toMatchObject({
    info: { title: 'Family', version: '2.1.0', description: 'Who is whose.' },
    servers: [{ url: 'https://api.example.com' }],
    security: [{ bearer: [] }],
    components: { securitySchemes },
  })
})

it('is linked from every document, including errors', async () => {
  const humans = await start({ openApi: 'on' })
  expect((await humans.get('/men')).body.links.describedby).toBe('/openapi.json')
  expect((await humans.get('/men/1')).body.links.describedby).toBe('/openapi.json')
  expect((await humans.get('/nothing')).body.links).toEqual({ describedby: '/openapi.json' })
})

it('is served at the linked URL', async () => {
  const humans = await start({ openApi: 'on' })
  await humans.addMan({ name: 'Adam' })
  const { findings, urls } = await crawl(fetch, [`${humans.url}/men`])
  expect(findings).toEqual([])
  expect(urls).toContain(`${humans.url}/openapi.json`)
})

it('gives way to the link of the option describedBy', async () => {
  const humans = await start({ openApi: 'on', describedBy: '/docs' })
  expect((await humans.get('/men')).body.links.describedby).toBe('/docs')
})

it('is served below the mount path', async () => {
  const humans = await start({ openApi: 'on', mountPath: '/v1' })
  const { text } = await fetchDocument(humans, '/v1/openapi.json')
  expect(JSON.parse(text).servers).toEqual([{ url: '/v1' }])
  expect((await humans.get('/v1/men')).body.links.describedby).toBe('/v1/openapi.json')
})

it.each([
  ['request', '/', /^http:\/\/127\.0\.0\.1:\d+\/openapi\.json$/],
  ['https://api.example.com/v1', 'https://api.example.com/v1', /^https:\/\/api\.example\.com\/v1\/openapi\.json$/],
])('uses the link base %s', async (base, server, link) => {
  const humans = await start({ openApi: 'on', links: { base } })
  expect(JSON.parse((await fetchDocument(humans)).text).servers).toEqual([{ url: server }])
  expect((await humans.get('/men')).body.links.describedby).toMatch(link)
})

it('returns 304 for its ETag', async () => {
  const humans = await start({ openApi: 'on' })
  const etag = (await fetchDocument(humans)).headers.etag ?? ''
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  const again = await fetchDocument(humans, '/openapi.json', { 'if-none-match': `W/${etag}` })
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
  expect((await fetchDocument(humans, '/openapi.json', { 'if-none-match': '*' })).status).toBe(304)
  expect((await fetchDocument(humans, '/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

it('answers HEAD', async () => {
  const { url } = await start({ openApi: 'on' })
  const { status, text, headers } = await supertest(url).head('/openapi.json')
  expect([status, text]).toEqual([200, undefined])
  expect(Number(headers['content-length'])).toBeGreaterThan(1000)
})

it('returns 405 for other methods', async () => {
  const humans = await start({ openApi: 'on' })
  const refused = await humans.delete('/openapi.json')
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(refused.body.errors).toMatchObject([{ code: 'url.method-not-allowed' }])
  const asked = await humans.request('OPTIONS', '/openapi.json')
  expect([asked.status, asked.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

it('is not served when the context refuses the request', async () => {
  const humans = await start({
    openApi: 'on',
    context: () => {
      throw new JsonApiError({ status: 401, code: 'unknown', title: 'Say who you are.' })
    },
  })
  await humans.get('/openapi.json').expect(401)
})

it('is available without being served', async () => {
  const { dataSource } = await start({})
  const resources = [Human, Man, Woman]
  const described = createJsonApi({ dataSource, resources, openApi: { served: 'off', title: 'Family' } }).openApi()
  expect(described.info).toEqual({ title: 'Family', version: '1.0.0' })
  expect(Object.keys(described.paths)).toContain('/humans/{id}/relationships/bestFriend')
})
