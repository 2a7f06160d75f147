import { createJsonApi, JsonApiError } from 'stemma'
import supertest, { type Response } from 'supertest'
import { Human, type HumansApi, Man, startHumans, Woman } from '../../support/humans'
import { serve, type TestServer } from '../../support/server'

// The page is no JSON:API, so that it is asked for past the linter. What it does in a browser is for test/browser.

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let api: HumansApi | undefined
let unasked: TestServer | undefined
const environment = process.env.NODE_ENV
afterEach(async () => {
  await unasked?.close()
  unasked = undefined
  await api?.close()
  api = undefined
  process.env.NODE_ENV = environment
})

async function start(options: Parameters<typeof startHumans>[0] = {}): Promise<HumansApi> {
  api = await startHumans({ explorer: 'on', ...options })
  return api
}

/** As it is where nothing is said of it. */
async function startUnasked(): Promise<TestServer> {
  const { dataSource } = await start()
  const { listener } = createJsonApi({ dataSource, resources: [Human, Man, Woman], startUp: 'quiet' })
  unasked = await serve(listener)
  return unasked
}

function ask(
  { url }: Pick<TestServer, 'url'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return supertest(url)
    .get(path)
    .set({ accept: BROWSER, ...headers })
}

/** The paths of what the page loads. */
function assetsOf({ text }: Response): readonly string[] {
  return [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
}

describe('a browser', () => {
  it.each(['/', '/humans', '/men/1', '/men/1/wife', '/men/1/relationships/wife', '/humans?filter=nonsense'])(
    'gets a page at %s',
    async (path) => {
      const { status, headers, text } = await ask(await start(), path)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toMatch(/^<!doctype html>/)
      expect(headers.vary).toBe('Accept')
    },
  )

  it.each(['/nothing', '/men/1/2/3', '/men/%FF', '/operations'])(
    'is told by 404 that nothing can be read at %s',
    async (path) => {
      const { status, headers } = await ask(await start(), path)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )

  it.each(['router', 'listener'] as const)('gets it through the %s, and its files', async (door) => {
    const humans = await start({ door })
    const page = await ask(humans, '/humans')
    expect(assetsOf(page).length).toBeGreaterThan(3)
    for (const path of assetsOf(page)) expect((await ask(humans, path)).status).toBe(200)
  })

  it.each<[Parameters<typeof startHumans>[0] & object, string]>([
    [{ mountPath: '/api' }, '/api/explorer.page/'],
    [{ links: { base: 'https://api.example.com/v1' } }, '/v1/explorer.page/'],
    [{ mountPath: '/api', links: { base: 'request' } }, '/api/explorer.page/'],
  ])('finds the files of the page where the API is: %j', async (options, folder) => {
    const page = await ask(await start(options), `${options.mountPath ?? ''}/men`)
    expect(assetsOf(page).every((path) => path.startsWith(folder))).toBe(true)
  })

  it('gets the page before anybody is asked who it is', async () => {
    const humans = await start({
      context: () => {
        throw new JsonApiError({ status: 401, title: 'Say who you are.' })
      },
    })
    expect((await ask(humans, '/men')).status).toBe(200)
    await humans.get('/men').expect(401)
    await humans.get('/openapi.json').expect(401)
  })

  it('writes, and asks what may be written, as all others', async () => {
    const { url } = await start()
    const body = JSON.stringify({ data: { type: 'men', attributes: { name: 'Adam' } } })
    const headers = { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/vnd.api+json' }
    const created = await supertest(url).post('/men').set(headers).send(body)
    expect([created.status, created.headers['content-type']]).toEqual([201, 'application/vnd.api+json'])
    expect((await supertest(url).options('/men').set(headers)).status).toBe(204)
  })
})

describe('a client of JSON:API', () => {
  it.each([
    '*/*',
    'application/vnd.api+json',
    'application/vnd.api+json, text/html',
    'text/html, application/vnd.api+json',
    'text/html;q=0.5, application/vnd.api+json',
    'text/html;q=0.8, */*',
    'text/html, application/*',
    'text/html;q=0, */*;q=0.1',
    'application/json, text/plain, */*',
  ])('gets a document for %s', async (accept) => {
    const { status, headers } = await ask(await start(), '/men', { accept })
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
  })

  it.each([
    'text/html',
    'TEXT/HTML',
    'text/html, application/vnd.api+json;q=0.9',
    'text/html;q=0.9, text/*, */*;q=0.8',
  ])('gets a page for %s', async (accept) => {
    const { headers } = await ask(await start(), '/men', { accept })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('sees no other documents than without the explorer', async () => {
    const humans = await start()
    expect((await humans.get('/men')).body.links).toEqual(
      expect.not.objectContaining({ describedby: expect.anything() }),
    )
    expect((await ask(humans, '/openapi.json', { accept: '*/*' })).status).toBe(200)
  })
})

describe('the page', () => {
  it('lets nothing run, load or frame that is not its own', async () => {
    const { headers, text } = await ask(await start(), '/men')
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
  })

  it('has nothing of the request in it', async () => {
    const humans = await start()
    const { text } = await ask(humans, '/%22%3E%3Cscript%3E?"><script>')
    expect(text).toBe((await ask(humans, '/men')).text)
  })

  it('can be asked for its headers alone', async () => {
    const { url } = await start()
    const { status, text, headers } = await supertest(url).head('/men').set({ accept: BROWSER })
    expect([status, text, headers['content-type']]).toEqual([200, undefined, 'text/html; charset=utf-8'])
    expect(Number(headers['content-length'])).toBeGreaterThan(300)
  })

  it('is not sent again to those who have it', async () => {
    const humans = await start()
    const { headers } = await ask(humans, '/men')
    const again = await ask(humans, '/women', { 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers['cache-control']).toBe('no-cache')
    expect((await ask(humans, '/women', { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

describe('a file of the page', () => {
  async function startWithFolder(): Promise<{
    readonly humans: HumansApi
    readonly folder: string
    readonly script: string
  }> {
    const humans = await start()
    const script = assetsOf(await ask(humans, '/')).find((path) => path.endsWith('.mjs')) ?? ''
    return { humans, script, folder: script.slice(0, script.lastIndexOf('/') + 1) }
  }

  it('is kept for good, under a URL that names its version', async () => {
    const { humans, script } = await startWithFolder()
    const { headers, status } = await ask(humans, script)
    expect(script).toMatch(/^\/explorer\.page\/\w{10}\/main\.mjs$/)
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect((await ask(humans, script, { 'if-none-match': headers.etag ?? '' })).status).toBe(304)
  })

  it('is of the type that its name tells', async () => {
    const { humans, folder } = await startWithFolder()
    expect((await ask(humans, `${folder}base.css`)).headers['content-type']).toBe('text/css; charset=utf-8')
    expect((await ask(humans, `${folder}icon.svg`)).headers['content-type']).toBe('image/svg+xml')
  })

  it.each([
    'nothing.mjs',
    'types.d.ts',
    '../assets.ts',
    '..%2Fassets.ts',
    '%2e%2e/assets.ts',
    '/etc/passwd',
    'main.mjs/',
    'main.mjs%00',
    '__proto__',
    'constructor',
    '',
  ])('is nothing but what is in its folder: %j is not', async (name) => {
    const { humans, folder } = await startWithFolder()
    const { status, headers } = await ask(humans, folder + name, { accept: '*/*' })
    expect([status, headers['content-type']]).toEqual([404, 'application/vnd.api+json'])
  })

  it('of another version is not there', async () => {
    const { humans } = await startWithFolder()
    expect((await ask(humans, '/explorer.page/0123456789/main.mjs', { accept: '*/*' })).status).toBe(404)
  })
})

describe('the option', () => {
  it('is off in production', async () => {
    process.env.NODE_ENV = 'production'
    const humans = await startUnasked()
    expect((await ask(humans, '/men')).headers['content-type']).toBe('application/vnd.api+json')
    expect((await ask(humans, '/openapi.json', { accept: '*/*' })).status).toBe(404)
  })

  it('is on elsewhere', async () => {
    expect((await ask(await startUnasked(), '/men')).headers['content-type']).toMatch(/html/)
  })

  it('can be on in production', async () => {
    process.env.NODE_ENV = 'production'
    expect((await ask(await start({ explorer: 'on' }), '/men')).headers['content-type']).toMatch(/html/)
  })

  it('can be off elsewhere, with all that belongs to the page', async () => {
    const on = await start()
    const [script = ''] = assetsOf(await ask(on, '/men')).filter((path) => path.endsWith('.mjs'))
    await on.close()
    const humans = await start({ explorer: 'off' })
    expect((await ask(humans, '/men')).headers['content-type']).toBe('application/vnd.api+json')
    expect((await ask(humans, script)).status).toBe(404)
  })

  it('is refused where it is neither', async () => {
    await expect(start({ explorer: 'yes' as never })).rejects.toThrow(
      "createJsonApi: its explorer is 'yes'. Give one of 'on', 'off'.",
    )
  })
})
