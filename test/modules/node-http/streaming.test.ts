import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip, type Gzip } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import type { ResourceDefinition } from 'stemma'
import { type ApiOptions, apiOver, type TestApi, using } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { define } from '../../support/define'
import { MORE_THAN_KEPT } from '../../support/more-than-kept'
import type { Door } from '../../support/server'
import { setUp } from '../../support/set-up'
import { startServerOn } from '../../support/start-server-on'
import { open } from './support/slow-reading'

// Documents that are longer than streamFrom are sent while they are made.

const COUNT = 1000

/** A definition that is told of each record when its text is made. */
function watched(note: (id: string) => undefined, meta = {}): ResourceDefinition<Blog> {
  return define(Blog, { serialize: ({ id }) => note(id), meta: () => meta })
}

/** One that fails at a record. */
function failingAt(broken: number): ResourceDefinition<Blog> {
  return watched((id) => {
    if (id === String(broken)) throw new Error('One is broken.')
    return undefined
  })
}

const database = setUp(async () => {
  const opened = await openDatabase(BLOGS)
  const titles = Array.from({ length: COUNT }, (_, index) => ({ title: `Blog ${index} of “many”` }))
  await opened.dataSource.getRepository(Blog).insert(titles)
  return opened
})

async function start(options: ApiOptions): Promise<TestApi> {
  const all = { page: { size: null, maximumSize: null }, etags: 'all', ...options } as const
  const server = await startServerOn(database, { resources: BLOGS, ...all })
  return apiOver(database, server, server.close)
}

describe.each<Door>(['router', 'listener'])('through the %s', (door) => {
  const api = setUp(() => start({ door, streamFrom: 10_000, cacheControl: 'no-cache' }))

  it('has the same text as in one piece', async () => {
    const streamed = await api.get('/blogs')
    const { body, headers } = streamed
    expect(body.data.length).toBe(COUNT)
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', 'cache-control': 'no-cache' })
    expect([headers.etag, headers['content-length']]).toEqual([undefined, undefined])
    await using(start({ door, streamFrom: null }), async (whole) => {
      const { text, headers: all } = await whole.get('/blogs')
      expect(streamed.text === text).toBe(true)
      expect(all['content-length']).toBe(String(Buffer.byteLength(text)))
      expect(all.etag).toMatch(/^".+"$/)
    })
  })

  it('is not used for a short response', async () => {
    const { headers, text } = await api.get('/blogs?page[size]=10')
    expect([headers['content-length'], text.length < 10_000]).toEqual([String(Buffer.byteLength(text)), true])
    expect(headers.etag).not.toBeUndefined()
  })

  it('has the same headers for HEAD', async () => {
    const { status, headers } = await api.request('HEAD', '/blogs')
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
    expect([headers.etag, headers['content-length']]).toEqual([undefined, undefined])
  })

  it('has no ETag to compare with a condition', async () => {
    await api.get('/blogs').set({ 'if-none-match': '*' }).expect(200)
    await api.get('/blogs').set({ 'if-match': '"1"' }).expect(412)
  })

  it('is used for GET only', async () => {
    const data = { type: 'articles', attributes: { title: 'x'.repeat(80), extra: 'y'.repeat(20_000) } }
    const { status, headers } = await api.post('/articles').send({ data })
    expect([status, Number(headers['content-length']) > 20_000]).toEqual([201, true])
  })
})

it('has the same bytes when several are made at once', async () => {
  const options = { etags: 'off', streamFrom: null } as const
  await using(start(options), async (whole) => {
    const paths = ['/blogs', '/blogs?sort=-title', '/blogs?page[size]=700', '/blogs?page[size]=10']
    const expected = await Promise.all(paths.map(async (path) => (await whole.get(path)).text))
    expect(expected.map((text) => text.length > 70_000)).toEqual([true, true, true, false])
    const again = await Promise.all([...paths, ...paths].map(async (path) => (await whole.get(path)).text))
    expect(again).toEqual([...expected, ...expected])
    await using(start({ ...options, streamFrom: 70_000 }), async (streaming) => {
      const streamed = await Promise.all(paths.map(async (path) => (await streaming.get(path)).text))
      expect(streamed).toEqual(expected)
    })
  })
})

it('is cut off after an error in the middle', async () => {
  const reported: unknown[] = []
  const report = (error: unknown) => reported.push(error)
  await using(start({ definitions: [failingAt(COUNT - 1)], streamFrom: 10_000, report }), async (api) => {
    await expect(api.get('/blogs').then(({ status }) => status)).rejects.toThrow('aborted')
    expect(reported).toEqual([new Error('One is broken.')])
    await api.get('/blogs/1').expect(200)
  })
})

it('returns 500 after an error before the first byte', async () => {
  await using(start({ definitions: [failingAt(10)], streamFrom: 10_000, report: () => {} }), async (api) => {
    await api.get('/blogs').expect(500)
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
  await using(start({ before: packing(packers), streamFrom: 10_000 }), async ({ url }) => {
    const { data } = (await (await fetch(`${url}/blogs`)).json()) as { readonly data: readonly unknown[] }
    expect(data.length).toBe(COUNT)
    expect(packers.map((each) => each.listenerCount('drain'))).toEqual([0])
  })
})

describe('a slow client', () => {
  const made: string[] = []
  const reported: unknown[] = []
  const definitions = [watched((id) => void made.push(id), { filler: 'z'.repeat(MORE_THAN_KEPT / COUNT) })]
  let served: Response
  const before: RequestHandler = (_request, response, next) => {
    served = response
    next()
  }
  const options = { definitions, before, streamFrom: 10_000, report: (error: unknown) => reported.push(error) }
  const api = setUp(() => start(options))
  beforeEach(() => {
    made.length = 0
  })

  it('is waited for', async () => {
    const response = await open(`${api.url}/blogs`)
    while (!served.writableNeedDrain) await nextTurn()
    const begun = made.length
    expect([begun > 0, begun < COUNT]).toEqual([true, true])
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    expect(made.length).toBe(COUNT)
    expect(JSON.parse(Buffer.concat(pieces).toString()).data.length).toBe(COUNT)
  })

  it('stops the response when it disconnects', async () => {
    const response = await open(`${api.url}/blogs`)
    while (!served.writableNeedDrain) await nextTurn()
    response.destroy()
    if (!served.destroyed) await once(served, 'close')
    // All of it would be made in fewer.
    for (let turns = 0; turns < 200; turns += 1) await nextTurn()
    expect(made.length).toBeLessThan(COUNT)
    expect(reported).toEqual([])
  })
})
