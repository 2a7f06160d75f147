import { createJsonApi, JsonApiError } from 'stemma'
import { crawl } from 'stemma/testing'
import supertest from 'supertest'
import { Human, type HumansApi, Man, startHumans, Woman } from '../../support/humans'

// The document is no JSON:API, so that it is asked for past the linter.

let api: HumansApi | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

async function start(options: Parameters<typeof startHumans>[0]): Promise<HumansApi> {
  api = await startHumans(options)
  return api
}

function ask({ url }: HumansApi, path = '/openapi.json', headers: Readonly<Record<string, string>> = {}) {
  return supertest(url).get(path).set(headers)
}

it('is at no URL where nobody asks for it, and no document links to it', async () => {
  const humans = await start({ explorer: 'off' })
  await humans.get('/openapi.json').expect(404)
  expect((await humans.get('/men')).body.links).not.toHaveProperty('describedby')
})

it('is at its URL, as JSON', async () => {
  const { status, headers, text } = await ask(await start({ openApi: 'on' }))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json')
  expect(JSON.parse(text)).toMatchObject({
    openapi: '3.1.1',
    info: { title: 'JSON:API', version: '1.0.0' },
    servers: [{ url: '/' }],
  })
})

it('says of the API what the application says', async () => {
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
  const openApi = {
    title: 'Family',
    version: '2.1.0',
    description: 'Who is whose.',
    servers: [{ url: 'https://api.example.com' }],
    securitySchemes,
    security: [{ bearer: [] }],
  }
  expect(JSON.parse((await ask(await start({ openApi }))).text)).toMatchObject({
    info: { title: 'Family', version: '2.1.0', description: 'Who is whose.' },
    servers: [{ url: 'https://api.example.com' }],
    security: [{ bearer: [] }],
    components: { securitySchemes },
  })
})

it('is linked from every document, errors too', async () => {
  const humans = await start({ openApi: 'on' })
  expect((await humans.get('/men')).body.links.describedby).toBe('/openapi.json')
  expect((await humans.get('/men/1')).body.links.describedby).toBe('/openapi.json')
  expect((await humans.get('/nothing')).body.links).toEqual({ describedby: '/openapi.json' })
})

it('is what the links lead to', async () => {
  const humans = await start({ openApi: 'on' })
  await humans.addMan({ name: 'Adam' })
  const { findings, urls } = await crawl(fetch, [`${humans.url}/men`])
  expect(findings).toEqual([])
  expect(urls).toContain(`${humans.url}/openapi.json`)
})

it('leaves the link to what the application says instead', async () => {
  const humans = await start({ openApi: 'on', describedBy: '/docs' })
  expect((await humans.get('/men')).body.links.describedby).toBe('/docs')
})

it('is below the path of the API, and says so', async () => {
  const humans = await start({ openApi: 'on', mountPath: '/v1' })
  const { text } = await ask(humans, '/v1/openapi.json')
  expect(JSON.parse(text).servers).toEqual([{ url: '/v1' }])
  expect((await humans.get('/v1/men')).body.links.describedby).toBe('/v1/openapi.json')
})

it.each([
  ['request', '/', /^http:\/\/127\.0\.0\.1:\d+\/openapi\.json$/],
  ['https://api.example.com/v1', 'https://api.example.com/v1', /^https:\/\/api\.example\.com\/v1\/openapi\.json$/],
])('is linked with a base of %s as all else is', async (base, server, link) => {
  const humans = await start({ openApi: 'on', links: { base } })
  expect(JSON.parse((await ask(humans)).text).servers).toEqual([{ url: server }])
  expect((await humans.get('/men')).body.links.describedby).toMatch(link)
})

it('is not sent again to those who have it', async () => {
  const humans = await start({ openApi: 'on' })
  const etag = (await ask(humans)).headers.etag ?? ''
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  const again = await ask(humans, '/openapi.json', { 'if-none-match': `W/${etag}` })
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
  expect((await ask(humans, '/openapi.json', { 'if-none-match': '*' })).status).toBe(304)
  expect((await ask(humans, '/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

it('can be asked for its headers alone', async () => {
  const { url } = await start({ openApi: 'on' })
  const { status, text, headers } = await supertest(url).head('/openapi.json')
  expect([status, text]).toEqual([200, undefined])
  expect(Number(headers['content-length'])).toBeGreaterThan(1000)
})

it('is only read', async () => {
  const humans = await start({ openApi: 'on' })
  const refused = await humans.delete('/openapi.json')
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(refused.body.errors).toMatchObject([{ code: 'url.method-not-allowed' }])
  const asked = await humans.request('OPTIONS', '/openapi.json')
  expect([asked.status, asked.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

it('is kept from those whom the application turns away', async () => {
  const humans = await start({
    openApi: 'on',
    context: () => {
      throw new JsonApiError({ status: 401, code: 'unknown', title: 'Say who you are.' })
    },
  })
  await humans.get('/openapi.json').expect(401)
})

it('can be had without being served', async () => {
  const { dataSource } = await start({})
  const resources = [Human, Man, Woman]
  const described = createJsonApi({ dataSource, resources, openApi: { served: 'off', title: 'Family' } }).openApi()
  expect(described.info).toEqual({ title: 'Family', version: '1.0.0' })
  expect(Object.keys(described.paths)).toContain('/humans/{id}/relationships/bestFriend')
})
