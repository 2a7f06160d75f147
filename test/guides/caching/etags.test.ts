import { createHash } from 'node:crypto'
import { closeAfterAll, setUp } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { type HumansApi, startHumans } from '../../support/humans'
import { operateWith } from '../../support/operate'
import type { ServerOptions } from '../../support/server'

// https://www.rfc-editor.org/rfc/rfc9110#section-13

async function startFamily(options: Partial<ServerOptions> = {}): Promise<HumansApi> {
  const server = await startHumans(options)
  const adam = await server.addMan({ name: 'Adam' })
  const eve = await server.addWoman({ name: 'Eve', maidenName: 'E' })
  await server.link(adam, 'bestFriend', eve)
  await server.link(adam, 'children', [eve])
  return server
}

const api = setUp(startFamily)
const keep = closeAfterAll()
const start = (options: Partial<ServerOptions>) => keep(startFamily(options))
const getEtag = async (path: string, server: HumansApi = api) => (await server.get(path)).headers.etag ?? ''

describe('an ETag', () => {
  it.each([
    ['/humans/1', 'version and hash'],
    ['/men/1', 'version and hash'],
    ['/men/1/relationships/bestFriend', 'version and hash'],
    ['/men/1/relationships/children', 'version and hash'],
    ['/men/1/bestFriend', 'hash'],
    ['/men/1/wife', 'hash'],
  ])('of %s has %s', async (path, parts) => {
    const { headers, text } = await api.get(path) // anchor: R/H-01
    const hash = createHash('sha1').update(text).digest('base64url')
    expect(headers.etag).toMatch(new RegExp(`^"${parts === 'hash' ? '' : '[\\w-]{16}\\.'}${hash}"$`))
    expect(await getEtag(path)).toBe(headers.etag)
  })

  const WITHOUT = ['/humans', '/men/1/children', '/men/99', '/men/99/wife', '/nothing', '/men/1?sort=name']
  it.each(WITHOUT)('the response to GET %s has no ETag', async (path) => {
    expect((await api.get(path)).headers).not.toHaveProperty('etag') // anchor: R/H-01
  })

  it('depends on what the response shows', async () => {
    const rename = (name: string) => api.patch('/men/1').send({ data: { type: 'men', id: '1', attributes: { name } } })
    const before = await getEtag('/men/1')
    await rename('Abel')
    expect(await getEtag('/men/1')).not.toBe(before)
    await rename('Adam')
    expect(await getEtag('/men/1')).toBe(before)
    expect(await getEtag('/men/1?fields[men]=name')).not.toBe(before) // anchor: R/H-01
    expect(await getEtag('/humans/1')).not.toBe(before)
  })

  it("is on collections with { etags: 'all' }", async () => {
    const all = await start({ etags: 'all' })
    for (const path of ['/humans', '/men/1/children', '/men/1']) {
      const etag = await getEtag(path, all) // anchor: R/H-01
      expect(etag).toMatch(/^"([\w-]{16}\.)?[\w-]{27}"$/)
      await all.get(path).set({ 'if-none-match': etag }).expect(304)
    }
    expect((await all.delete('/men/1').expect(204)).headers).not.toHaveProperty('etag')
  })

  it('is on no response with { etags: false }, which ignores If-None-Match', async () => {
    const off = await start({ etags: false })
    const { headers } = await off.get('/men/1').set({ 'if-none-match': '*' }).expect(200)
    expect(headers).not.toHaveProperty('etag')
    const unchanged = { data: { type: 'men', id: '1' } }
    await off.patch('/men/1').send(unchanged).set({ 'if-none-match': '*' }).expect(204)
    await operateWith(off, { 'if-none-match': '*' }, { op: 'update', ...unchanged }).expect(204)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['the ETag', '<etag>', 'R/H-02'],
    ['a list with the ETag', '"a,b" , , W/"c",<etag>', 'R/H-02'],
    ['the ETag as a weak one', 'W/<etag>', 'R/H-03'],
    ['an asterisk', '*', 'R/H-03'],
    ['an asterisk between spaces', ' * ', 'R/H-03'],
  ])('returns 304 without a body for %s', async (_what, header) => {
    const etag = await getEtag('/men/1')
    const sent = { 'if-none-match': header.replace('<etag>', etag) }
    const { status, headers, text } = await api.get('/men/1').set(sent)
    expect([status, text, headers.etag, headers.vary]).toEqual([304, '', etag, 'Accept'])
    expect(headers).not.toHaveProperty('content-type')
    await api.request('HEAD', '/men/1').set(sent).expect(304) // anchor: R/H-05
  })

  it.each([
    ['other ETags', () => '"a", "b"'],
    ['a longer one', (etag: string) => etag.replace(/"$/, 'x"')],
    ['the ETag without quotes', (etag: string) => etag.replaceAll('"', '')],
    ['the ETag behind a broken one', (etag: string) => `"open, ${etag}`],
    ['the ETag without a comma before another', (etag: string) => `${etag} ${etag}`],
    ['a weak one in lower case', (etag: string) => `w/${etag}`],
    ['an asterisk in a list', (etag: string) => `${etag.replace(/"$/, 'x"')}, *`],
    ['an empty value', () => ''],
  ])('returns 200 for %s', async (_what, header) => {
    const etag = await getEtag('/men/1') // anchor: R/H-02
    const { headers } = await api.request('GET', '/men/1', { headers: { 'if-none-match': header(etag) } }).expect(200)
    expect(headers.etag).toBe(etag)
  })

  it('does not hide an error', async () => {
    await api.get('/men/99').set({ 'if-none-match': '*' }).expect(404)
    await api.get('/men/1?sort=name').set({ 'if-none-match': '*' }).expect(400)
    await api.get('/men/1').set({ 'if-none-match': '*', accept: 'text/html' }).expect(406)
  })
})

// That of writes: test/guides/concurrency/preconditions.
it.each([
  ['"a"', '412 precondition.failed If-Match'],
  ['W/<etag>', '412 precondition.failed If-Match'],
  ['"a", <etag>', '200'],
  ['*', '200'],
])('If-Match of a GET %s returns %s', async (header, expected) => {
  const sent = { 'if-match': header.replace('<etag>', await getEtag('/men/1')) }
  expect(outcomeOf(await api.get('/men/1').set(sent))).toBe(expected) // anchor: R/H-04
})

describe('Cache-Control', () => {
  it('is not sent by default', async () => {
    expect((await api.get('/men/1')).headers).not.toHaveProperty('cache-control')
  })

  it('is sent with 200 and 304 to a read, and with nothing else', async () => {
    const value = 'private, max-age=60'
    const cached = await start({ cacheControl: value })
    const etag = await getEtag('/men/1', cached)
    const responses = await Promise.all([
      cached.get('/men/1'),
      cached.get('/men/1').set({ 'if-none-match': etag }),
      cached.get('/men'),
      cached.request('HEAD', '/men'),
      cached.get('/men/99'),
      cached.post('/men').send({ data: { type: 'men', attributes: { name: 'Bert' } } }),
      cached.request('OPTIONS', '/men'),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 304, 200, 200, 404, 201, 204])
    const sent = responses.map(({ headers }) => headers['cache-control'])
    expect(sent).toEqual([value, value, value, value, undefined, undefined, undefined])
  })

  it('may depend on the request and the kind of document', async () => {
    const calls: string[] = []
    const cached = await start({
      cacheControl({ method, path }, kind) {
        calls.push(`${method} ${path} ${kind}`)
        return kind === 'collection' ? undefined : `max-age=${kind.length}`
      },
    })
    const valueAt = async (path: string) => (await cached.get(path)).headers['cache-control']
    expect(await valueAt('/men?page[size]=1')).toBeUndefined()
    expect(await valueAt('/men/1/children')).toBeUndefined()
    expect(await valueAt('/men/1')).toBe('max-age=10')
    expect(await valueAt('/men/1/wife')).toBe('max-age=10')
    expect(await valueAt('/men/1/relationships/children')).toBe('max-age=12')
    expect(calls).toEqual([
      ...['GET /men collection', 'GET /men/1/children collection', 'GET /men/1 individual'],
      ...['GET /men/1/wife individual', 'GET /men/1/relationships/children relationship'],
    ])
  })
})
