import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip, type Gzip } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import { type ApiOptions, define, setUp, startApiOn, type TestApi, useApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { LARGER_THAN_BUFFERS } from '../../support/larger-than-buffers'
import { openRaw } from '../../support/raw-http'
import type { EntryPoint } from '../../support/server'
import { until } from '../../support/until'

// Documents that are longer than streamThreshold are sent while they are made, and lists that are too long for memory while they are read.

/** More rows than are read at once: src/store/typeorm/reading/read-at-once-or-streaming.ts. */
const ALL = 5_115
/** So many are. */
const COUNT = 1000
const FEW = `/blogs?page[size]=${COUNT}`

const database = setUp(async () => {
  // What is in memory is read at once.
  const opened = await (DATABASE === 'sqlite' ? openFile(BLOGS) : openDatabase(BLOGS))
  const titles = Array.from({ length: ALL }, (_, index) => ({ title: `Blog ${index} of “many”` }))
  const blogs = opened.dataSource.getRepository(Blog)
  for (let from = 0; from < ALL; from += 1000) await blogs.insert(titles.slice(from, from + 1000))
  return opened
})

function start(options: ApiOptions): Promise<TestApi> {
  const all = { page: { size: null, maxSize: null }, totals: false, etags: 'all', ...options } as const
  return startApiOn(database, { resources: BLOGS, ...all })
}

const idsIn = (document: { data: readonly { id: string }[] }) => document.data.map(({ id }) => id)

describe.each<EntryPoint>(['router', 'listener'])('through the %s', (entryPoint) => {
  const api = setUp(() => start({ entryPoint, streamThreshold: 10_000, cacheControl: 'no-cache' }))

  it('has the same text as in one piece', async () => {
    const streamed = await api.get(FEW)
    const { body, headers } = streamed
    expect(body.data.length).toBe(COUNT)
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', 'cache-control': 'no-cache' })
    expect([headers.etag, headers['content-length']]).toEqual([undefined, undefined])
    await useApi(start({ entryPoint, streamThreshold: null }), async (whole) => {
      const held = await whole.get(FEW)
      expect(streamed.text === held.text).toBe(true)
      expect(held.headers['content-length']).toBe(String(Buffer.byteLength(held.text)))
      expect(held.headers.etag).toMatch(/^".+"$/)
    })
  })

  it('is not used for a short response', async () => {
    const short = await api.get('/blogs?page[size]=10')
    expect(short.headers['content-length']).toBe(String(Buffer.byteLength(short.text)))
    expect([short.text.length < 10_000, short.headers.etag]).toEqual([true, expect.any(String)])
  })

  it('has the same headers for HEAD', async () => {
    const { status, headers } = await api.request('HEAD', FEW)
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
    expect([headers.etag, headers['content-length']]).toEqual([undefined, undefined])
  })

  it('has no ETag to compare with a condition', async () => {
    await api.get(FEW).set({ 'if-none-match': '*' }).expect(200)
    await api.get(FEW).set({ 'if-match': '"1"' }).expect(412)
  })

  it('is used for GET only', async () => {
    const data = { type: 'articles', attributes: { title: 'x'.repeat(80), extra: 'y'.repeat(20_000) } }
    const { status, headers } = await api.post('/articles').send({ data })
    expect([status, Number(headers['content-length']) > 20_000]).toEqual([201, true])
  })
})

it('has the same bytes when several are made at once', async () => {
  const options = { etags: false, streamThreshold: null } as const
  await useApi(start(options), async (whole) => {
    const paths = [FEW, `${FEW}&sort=-title`, '/blogs?page[size]=700', '/blogs?page[size]=10']
    const expected = await Promise.all(paths.map(async (path) => (await whole.get(path)).text))
    expect(expected.map((text) => text.length > 70_000)).toEqual([true, true, true, false])
    const again = await Promise.all([...paths, ...paths].map(async (path) => (await whole.get(path)).text))
    expect(again).toEqual([...expected, ...expected])
    await useApi(start({ ...options, streamThreshold: 70_000 }), async (streaming) => {
      const streamed = await Promise.all(paths.map(async (path) => (await streaming.get(path)).text))
      expect(streamed).toEqual(expected)
    })
  })
})

/** As the package `compression` does: all that is written goes through a stream, whose `drain` is given out as that of the response. */
function packing(packers: Gzip[]): RequestHandler {
  return (_request, response, next) => {
    const { write, end, on } = response
    const packer = createGzip()
    packers.push(packer)
    packer.on('data', (piece) => {
      if (!Reflect.apply(write, response, [piece])) packer.pause()
    })
    packer.on('end', () => Reflect.apply(end, response, []))
    response.on('drain', () => packer.resume()).setHeader('content-encoding', 'gzip')
    Object.assign(response, {
      write: (piece: string) => packer.write(piece),
      end: () => packer.end(),
      on: (event: string, listener: () => void) =>
        event === 'drain' ? packer.on(event, listener) : Reflect.apply(on, response, [event, listener]),
    })
    next()
  }
}

it('leaves no listener behind with middleware that compresses', async () => {
  const packers: Gzip[] = []
  await useApi(start({ before: packing(packers), streamThreshold: 10_000 }), async (server) => {
    expect((await server.get(FEW).unchecked()).body.data.length).toBe(COUNT)
    expect(packers.map((each) => each.listenerCount('drain'))).toEqual([0])
  })
})

describe('a slow client', () => {
  const made: string[] = []
  const reported: unknown[] = []
  const meta = { filler: 'z'.repeat(LARGER_THAN_BUFFERS / COUNT) }
  const definitions = [define(Blog, { serialize: ({ id }) => void made.push(id), meta: () => meta })]
  let served: Response
  const before: RequestHandler = (_request, response, next) => {
    served = response
    next()
  }
  const options = { definitions, before, streamThreshold: 10_000, onError: (error: unknown) => reported.push(error) }
  const api = setUp(() => start(options))
  beforeEach(() => {
    made.length = 0
  })

  it('stops the response when it disconnects', async () => {
    const response = await openRaw(api.url + FEW)
    await until('the client has to read', () => served.writableNeedDrain)
    response.destroy()
    if (!served.destroyed) await once(served, 'close')
    // All of it would be made in fewer.
    for (let turns = 0; turns < 200; turns += 1) await nextTurn()
    expect(made.length).toBeLessThan(COUNT)
    expect(reported).toEqual([])
  })
})

describe('a list that is too long for memory', () => {
  const api = setUp(() => start({ streamThreshold: 10_000 }))
  const whole = setUp(() => start({ streamThreshold: null }))

  it.each([
    '/blogs',
    '/blogs?include=',
    '/blogs?sort=-title&fields[blogs]=title',
    "/blogs?filter=not(equals(title,'Blog 7 of “many”'))",
    '/blogs?page[size]=2000&page[number]=1',
    '/blogs?page[size]=2000&page[number]=2',
    '/blogs?page[size]=2000&page[number]=3',
    `/blogs?page[size]=${ALL}`,
    `/blogs?page[size]=${ALL - 1}`,
  ])('is the same text as in one piece: %s', async (url) => {
    // The next test but one holds all of them against JSON:API.
    const [streamed, held] = [await openRaw(api.url + encodeURI(url)), await openRaw(whole.url + encodeURI(url))]
    const length = streamed.headers['content-length']
    expect([streamed.statusCode, length, held.statusCode]).toEqual([200, undefined, 200])
    expect((await text(streamed)) === (await text(held))).toBe(true)
  })

  it('is one snapshot, also with writes while it is sent', async () => {
    const response = await openRaw(`${api.url}/blogs`)
    const id = await api.dataSource.getRepository(Blog).insert({ title: 'Late' })
    const document = JSON.parse(await text(response))
    await api.dataSource.getRepository(Blog).delete(id.identifiers[0]?.id as never)
    expect([document.data.length, new Set(idsIn(document)).size]).toEqual([ALL, ALL])
  })

  it('has all of its resources for any threshold of streaming', async () => {
    await useApi(start({ streamThreshold: 0 }), async (all) => {
      const { status, body } = await all.get('/blogs')
      expect([status, new Set(idsIn(body)).size]).toEqual([200, ALL])
      // What is short is made of pieces alone.
      expect(idsIn((await all.get('/blogs?page[size]=2')).body).length).toBe(2)
    })
  })
})
