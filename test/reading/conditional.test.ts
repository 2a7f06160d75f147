import { createHash } from 'node:crypto'
import { ConfigurationError, createJsonApi } from 'stemma'
import { Human, type HumansApi, Man, startHumans, Woman } from '../support/humans'
import type { ServerOptions } from '../support/server'

// https://www.rfc-editor.org/rfc/rfc9110#section-13

let api: HumansApi
let adam: string
const running: HumansApi[] = []

async function start(options: Partial<ServerOptions> = {}): Promise<HumansApi> {
  const server = await startHumans(options)
  running.push(server)
  await server.addMan({ name: 'Adam' })
  return server
}

async function etagOf(path: string): Promise<string> {
  return (await api.get(path)).headers.etag ?? ''
}

beforeAll(async () => {
  api = await startHumans()
  running.push(api)
  adam = await api.addMan({ name: 'Adam' })
  const eve = await api.addWoman({ name: 'Eve', maidenName: 'E' })
  await api.link(adam, 'bestFriend', eve)
  await api.link(adam, 'children', [eve])
})
afterAll(async () => {
  for (const server of running) await server.close()
})

describe('an ETag', () => {
  it.each([
    ['/humans/1', 'the state and'],
    ['/men/1', 'the state and'],
    ['/men/1/bestFriend', ''],
    ['/men/1/wife', ''],
    ['/men/1/relationships/bestFriend', 'the state and'],
    ['/men/1/relationships/children', 'the state and'],
  ])('is on %s, made of %s the bytes: H-01', async (path, state) => {
    const { headers, text } = await api.get(path)
    const bytes = createHash('sha1').update(text).digest('base64url')
    expect(headers.etag).toMatch(new RegExp(`^"${state === '' ? '' : '[\\w-]{16}\\.'}${bytes}"$`))
    expect((await api.get(path)).headers.etag).toBe(headers.etag)
  })

  it.each(['/humans', '/men/1/children', '/men/99', '/men/99/wife', '/nothing', '/men/1?sort=name'])(
    'is not on %s: H-01',
    async (path) => {
      expect((await api.get(path)).headers).not.toHaveProperty('etag')
    },
  )

  it('is another one when what is shown changes', async () => {
    const before = await etagOf('/men/1')
    await api.patch('/men/1').send({ data: { type: 'men', id: '1', attributes: { name: 'Abel' } } })
    expect(await etagOf('/men/1')).not.toBe(before)
    await api.patch('/men/1').send({ data: { type: 'men', id: '1', attributes: { name: 'Adam' } } })
    expect(await etagOf('/men/1')).toBe(before)
    expect(await etagOf('/men/1?fields[men]=name')).not.toBe(before)
  })

  it('is on collections by option', async () => {
    const all = await start({ etags: 'all' })
    for (const path of ['/humans', '/men/1/children', '/men/1']) {
      const etag = (await all.get(path)).headers.etag
      expect(etag).toMatch(/^"([\w-]{16}\.)?[\w-]{27}"$/)
      await all
        .get(path)
        .set({ 'if-none-match': etag ?? '' })
        .expect(304)
    }
  })

  it('is nowhere by option, and nothing is compared', async () => {
    const off = await start({ etags: 'off' })
    const { headers } = await off.get('/men/1').set({ 'if-none-match': '*' }).expect(200)
    expect(headers).not.toHaveProperty('etag')
  })
})

describe('If-None-Match', () => {
  it.each([
    ['the ETag', (etag: string) => etag],
    ['a list with the ETag', (etag: string) => `"a,b" , , W/"c",${etag}`],
    ['the ETag as a weak one', (etag: string) => `W/${etag}`],
    ['any', () => '*'],
    ['any, with spaces', () => ' * '],
  ])('of %s answers 304 without a body: H-02', async (_, header) => {
    const etag = await etagOf('/men/1')
    const { status, headers, text } = await api.get('/men/1').set({ 'if-none-match': header(etag) })
    expect({ status, text }).toEqual({ status: 304, text: '' })
    expect(headers.etag).toBe(etag)
    expect(headers.vary).toBe('Accept')
    expect(headers).not.toHaveProperty('content-type')
  })

  it.each([
    ['another', () => '"another"'],
    ['a longer one', (etag: string) => etag.replace(/"$/, 'x"')],
    ['the ETag without quotes', (etag: string) => etag.replaceAll('"', '')],
    ['the ETag behind a broken one', (etag: string) => `"open, ${etag}`],
    ['the ETag with nothing between it and another', (etag: string) => `${etag} ${etag}`],
    ['a weak one in small letters', (etag: string) => `w/${etag}`],
    ['any among others', (etag: string) => `${etag.replace(/"$/, 'x"')}, *`],
    ['nothing', () => ''],
  ])('of %s answers 200', async (_, header) => {
    const { headers } = await api
      .get('/men/1')
      .set({ 'if-none-match': header(await etagOf('/men/1')) })
      .expect(200)
    expect(headers.etag).toBe(await etagOf('/men/1'))
  })

  it('is read in time that grows with its length', async () => {
    const started = performance.now()
    await api
      .get('/men/1')
      .set({ 'if-none-match': '\t, '.repeat(3000) })
      .expect(200)
    await api
      .get('/men/1')
      .set({ 'if-none-match': 'W/"'.repeat(3000) })
      .expect(200)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('does not hide a mistake', async () => {
    await api.get('/men/99').set({ 'if-none-match': '*' }).expect(404)
    await api.get('/men/1?sort=name').set({ 'if-none-match': '*' }).expect(400)
    await api.get('/men/1').set({ 'if-none-match': '*', accept: 'text/html' }).expect(406)
  })
})

describe('HEAD', () => {
  it.each(['/humans', '/men/1', '/men/1/wife', '/men/1/relationships/children', '/men/99', '/nothing', '/men?x=1'])(
    'of %s is a GET without its body: HT-1',
    async (path) => {
      const get = await api.get(path)
      const head = await api.request('HEAD', path)
      expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' })
      for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
      }
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
    },
  )

  it('answers 304 too: H-05', async () => {
    const headers = { 'if-none-match': await etagOf('/men/1') }
    await api.request('HEAD', '/men/1').set(headers).expect(304)
  })
})

describe('Cache-Control', () => {
  it('is not there unless the application says it', async () => {
    expect((await api.get('/men/1')).headers).not.toHaveProperty('cache-control')
  })

  it('is on 200 and 304 of what is read, and nowhere else', async () => {
    const cached = await start({ cacheControl: 'private, max-age=60' })
    const etag = (await cached.get('/men/1')).headers.etag ?? ''
    const controls = await Promise.all([
      cached.get('/men/1'),
      cached.get('/men/1').set({ 'if-none-match': etag }),
      cached.get('/men'),
      cached.request('HEAD', '/men'),
      cached.get('/men/99'),
      cached.post('/men').send({ data: { type: 'men', attributes: { name: 'Bert' } } }),
      cached.request('OPTIONS', '/men'),
    ])
    expect(controls.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [200, 'private, max-age=60'],
      [304, 'private, max-age=60'],
      [200, 'private, max-age=60'],
      [200, 'private, max-age=60'],
      [404, undefined],
      [201, undefined],
      [204, undefined],
    ])
  })

  it('can be decided by request and kind', async () => {
    const asked: string[] = []
    const cached = await start({
      cacheControl({ method, path }, kind) {
        asked.push(`${method} ${path} ${kind}`)
        return kind === 'collection' ? undefined : `max-age=${kind.length}`
      },
    })
    const of = async (path: string) => (await cached.get(path)).headers['cache-control']
    expect(await of('/men?page[size]=1')).toBeUndefined()
    expect(await of('/men/1/children')).toBeUndefined()
    expect(await of('/men/1')).toBe('max-age=10')
    expect(await of('/men/1/wife')).toBe('max-age=10')
    expect(await of('/men/1/relationships/children')).toBe('max-age=12')
    expect(asked).toEqual([
      'GET /men collection',
      'GET /men/1/children collection',
      'GET /men/1 individual',
      'GET /men/1/wife individual',
      'GET /men/1/relationships/children relationship',
    ])
  })
})

it.each([
  [{ streamFrom: -1 }, 'its streamFrom is -1. Give a number of characters, or null.'],
  [{ streamFrom: 'always' }, "its streamFrom is 'always'. Give a number of characters, or null."],
  [{ etags: 'some' }, "its etags is 'some'. Give one of 'individuals', 'all', 'off'."],
  [{ cacheControl: 60 }, 'its cacheControl is 60. Give a function, or leave it out.'],
])('createJsonApi refuses %j', (options, mistake) => {
  const { dataSource } = api
  const start = () => createJsonApi({ dataSource, resources: [Human, Man, Woman], ...(options as object) })
  expect(start).toThrow(ConfigurationError)
  expect(start).toThrow(`createJsonApi: ${mistake}`)
})
