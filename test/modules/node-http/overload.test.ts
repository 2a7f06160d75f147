import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import express, { type RequestHandler, type Response as ServerResponse } from 'express'
import { createJsonApi, JsonApiError } from 'stemma'
import type { Response } from 'supertest'
import { type ApiOptions, define, setUp, startApiOn, type TestApi, useApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { openDatabase, type TestDatabase } from '../../support/database'
import { expectError, singleError } from '../../support/expectations'
import { LARGER_THAN_BUFFERS } from '../../support/larger-than-buffers'
import { connectTo, openRaw } from '../../support/raw-http'
import { type EntryPoint, type RequestOptions, serve } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { until } from '../../support/until'

// Requests for which there is no time are sent away before anything of them is looked at.

interface Overloaded extends TestApi {
  /** Until so many requests with the header `x-kept` are held at `context`, the first thing that an application is asked. */
  holds(count: number): Promise<void>
  /** Sends a request that is held, and waits until it is. */
  keep(how?: string): Promise<{ readonly answer: Promise<Response> }>
  /** Lets the first of them go. */
  letGo(): void
}

const overload = { maxConcurrency: 2, queueTimeout: null }

/** It holds one blog, before and after each test. */
const database = setUp(async () => {
  const opened = await openDatabase(BLOGS)
  await opened.dataSource.getRepository(Blog).insert({ title: 'Trees' })
  return opened
})

const limits = setUp(() => watchTimeLimits(DURATION))

/** Requests that are held, and what happens to them then: `kept`, `refused` or `broken`. */
function keeper() {
  const held: (() => void)[] = []
  const context = async ({ headers }: IncomingMessage): Promise<void> => {
    const { 'x-kept': how } = headers
    if (how === undefined) return
    await new Promise<void>((resolve) => held.push(resolve))
    if (how === 'refused') throw new JsonApiError({ title: 'No.', status: 403 })
    if (how === 'broken') throw new Error('Broken.')
  }
  const holds = (count: number) => until('the requests are held', () => held.length >= count)
  return { context, held, holds, letGo: () => held.shift()?.() }
}

async function start(options: ApiOptions = {}, on: TestDatabase = database): Promise<Overloaded> {
  const { context, held, ...keeping } = keeper()
  const api = await startApiOn(on, { resources: BLOGS, loadShedding: overload, onError: () => {}, context, ...options })
  const keep = async (how = 'kept') => {
    const count = held.length + 1
    const answer = api.get('/blogs').set({ 'x-kept': how }).start()
    await keeping.holds(count)
    return { answer }
  }
  return { ...api, ...keeping, keep }
}

/** Runs while both places are taken, by requests that are answered afterwards. */
async function whileFull(api: Overloaded, work: () => Promise<unknown>): Promise<void> {
  const kept = [await api.keep(), await api.keep()]
  await work()
  for (const { answer } of kept) {
    api.letGo()
    expect((await answer).body.meta.total).toBe(1)
  }
}

/** There is one place, and it is taken or not. */
async function expectPlace(api: TestApi, status: 200 | 503): Promise<void> {
  await api.get('/blogs/1').expect(status)
}

/** Work that has ended is noticed in the turns of the process that follow. */
async function expectPlaceSoon(api: TestApi): Promise<void> {
  await until('there is a place', async () => (await api.get('/blogs/1')).status === 200)
}

const ONE = { loadShedding: { maxConcurrency: 1, queueTimeout: null } }

describe.each<EntryPoint>(['router', 'listener'])('through the %s', (entryPoint) => {
  const api = setUp(() => start({ entryPoint, loadShedding: { ...overload, retryAfter: 7 } }))

  it('returns 503 with Retry-After when loadShedding.maxConcurrency requests are in progress', async () => {
    await whileFull(api, async () => {
      const response = await api.get('/blogs')
      expectError(response, 503, undefined, 'server.overloaded')
      expect(singleError(response).detail).toBe('Nothing was done. Send it again after a while.')
      expect(response.headers).toMatchObject({ 'retry-after': '7', 'content-type': 'application/vnd.api+json' })
    })
    const { answer } = await api.keep()
    await api.get('/blogs').expect(200)
    api.letGo()
    await answer
  })

  it('returns 503 for every kind of request', async () => {
    const data = { type: 'blogs', attributes: { title: 'No' } }
    const operations = { 'atomic:operations': [{ op: 'add', data }] }
    const atomic = { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
    const asked: [string, string, RequestOptions?][] = [
      ['HEAD', '/blogs'],
      ['OPTIONS', '/blogs'],
      ['POST', '/blogs', { body: { data } }],
      ['DELETE', '/blogs/1'],
      ['POST', '/operations', { body: operations, headers: atomic }],
      ['GET', '/nowhere'],
      ['GET', `/blogs?filter=${'('.repeat(9000)}`],
    ]
    await whileFull(api, async () => {
      for (const [method, path, sending] of asked) {
        const { status, headers } = await api.request(method, path, sending)
        expect([method, status, headers['retry-after']]).toEqual([method, 503, '7'])
      }
    })
  })

  it('refuses a request without waiting for its body', async () => {
    await whileFull(api, async () => {
      const { socket, answer } = writeOn(api, `POST /blogs HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{`)
      expect(await answer).toMatch(/^HTTP\/1.1 503 /)
      socket.destroy()
    })
  })
})

it('shares the limit between router and listener', async () => {
  await useApi(start(), async ({ dataSource }) => {
    const { context, holds, letGo } = keeper()
    const common = { dataSource, resources: BLOGS, startupLog: false, explorer: false } as const
    const { listener, router } = createJsonApi({ ...common, ...ONE, context })
    const entryPoints = await Promise.all([serve(listener as RequestListener), serve(express().use(router))])
    for (const [one, other] of [entryPoints, entryPoints.toReversed()]) {
      const answer = one?.get('/blogs').set({ 'x-kept': 'kept' }).start()
      await holds(1)
      expect((await other?.get('/blogs'))?.status).toBe(503)
      letGo()
      expect((await answer)?.status).toBe(200)
    }
    await Promise.all(entryPoints.map((entryPoint) => entryPoint.close()))
  })
})

describe('a slot is released', () => {
  it.each([
    ['kept', 200],
    ['refused', 403],
    ['broken', 500],
  ])('after a request that is %s', async (how, expected) => {
    await useApi(start(ONE), async (api) => {
      const { answer } = await api.keep(how)
      await expectPlace(api, 503)
      api.letGo()
      expect((await answer).status).toBe(expected)
      await expectPlace(api, 200)
    })
  })

  it('when the work for a disconnected client ends, not before', async () => {
    await useApi(start(ONE), async (api) => {
      const { socket } = writeOn(api, 'GET /blogs HTTP/1.1\r\nHost: a\r\nX-Kept: kept\r\n\r\n')
      await api.holds(1)
      socket.destroy()
      await closed(socket)
      await expectPlace(api, 503)
      api.letGo()
      await expectPlaceSoon(api)
    })
  })

  it('while a client sends a body slowly, and after it has disconnected', async () => {
    await useApi(start(ONE), async (api) => {
      const head = 'POST /blogs HTTP/1.1\r\nHost: a\r\nX-Kept: kept\r\nContent-Length: 100\r\n\r\n{'
      const { socket } = writeOn(api, head)
      await api.holds(1)
      await expectPlace(api, 503)
      api.letGo()
      await expectPlaceSoon(api)
      socket.destroy()
      await closed(socket)
      await expectPlace(api, 200)
      const { answer } = await api.keep()
      await expectPlace(api, 503)
      api.letGo()
      await answer
    })
  })

  it('once after a request that timed out before its body arrived', async () => {
    let late: IncomingMessage | undefined
    const before: RequestHandler = (request, _response, next) => {
      late ??= request
      next()
    }
    await useApi(start({ ...ONE, before, limits: { timeout: DURATION } }), async (api) => {
      const head = 'POST /blogs HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{'
      const { socket, answer } = writeOn(api, head)
      await until('the server reads the body', () => late?.readableFlowing === true)
      limits.passAll()
      expect(await answer).toMatch(/^HTTP\/1.1 408 .+document\.timeout/s)
      socket.write('}')
      await expectPlaceSoon(api)
      await expectPlace(api, 200)
      socket.destroy()
      await closed(socket)
      await expectPlace(api, 200)
    })
  })

  it('a body that arrives too late does not take the slot again, and gets 503', async () => {
    await useApi(start(ONE), async (api) => {
      const body = JSON.stringify({ data: { type: 'blogs', attributes: { title: 'Late' } } })
      const type = 'Content-Type: application/vnd.api+json'
      const head = `POST /blogs HTTP/1.1\r\nHost: a\r\n${type}\r\nX-Kept: kept\r\nContent-Length: ${body.length}\r\n\r\n`
      const { socket, answer: late } = writeOn(api, head)
      await api.holds(1)
      api.letGo()
      await expectPlaceSoon(api)
      const { answer } = await api.keep()
      socket.write(body)
      expect(await late).toMatch(/^HTTP\/1.1 503 .+server\.overloaded/s)
      socket.destroy()
      api.letGo()
      await answer
      expect((await api.get('/blogs')).body.meta.total).toBe(1)
    })
  })
})

describe('a streamed response', () => {
  const MANY = 200
  const long = define(Blog, { meta: () => ({ filler: 'z'.repeat(LARGER_THAN_BUFFERS / MANY) }) })
  const manyBlogs = setUp(async () => {
    const opened = await openDatabase(BLOGS)
    const blogs = Array.from({ length: MANY }, (_, index) => ({ title: `Blog ${index}` }))
    await opened.dataSource.getRepository(Blog).insert(blogs)
    return opened
  })
  const page = { size: null, maxSize: null }
  const startLong = (options: ApiOptions): Promise<Overloaded> =>
    start({ ...options, page, streamThreshold: 10_000, definitions: [long] }, manyBlogs)

  const api = setUp(() => startLong(ONE))

  it.each<[string, (response: IncomingMessage) => unknown]>([
    ['complete', (response) => new Promise((resolve) => response.resume().on('end', resolve))],
    ['cut off', (response) => response.destroy()],
  ])('keeps its slot until it is %s', async (_how, end) => {
    const response = await openRaw(`${api.url}/blogs`)
    await expectPlace(api, 503)
    await end(response)
    await expectPlaceSoon(api)
  })

  it('keeps its slot while it waits behind another one on its connection', async () => {
    await useApi(startLong({ loadShedding: overload }), async (two) => {
      const one = 'GET /blogs/1 HTTP/1.1\r\nHost: a\r\n'
      const { socket } = writeOn(two, `${one}X-Kept: kept\r\n\r\n${one.replace('/1', '')}\r\n`)
      await two.holds(1)
      await expectPlace(two, 503)
      socket.destroy()
      await closed(socket)
      await expectPlaceSoon(two)
      two.letGo()
    })
  })

  it('times out behind a response that the client does not read', async () => {
    const reported: unknown[] = []
    const responses: ServerResponse[] = []
    const options = {
      ...ONE,
      before: inFront(responses),
      limits: { timeout: DURATION },
      onError: (error: unknown) => reported.push(error),
    }
    await useApi(startLong(options), async (one) => {
      const socket = connectTo(one)
      socket.write('GET /front HTTP/1.1\r\nHost: a\r\n\r\nGET /blogs HTTP/1.1\r\nHost: a\r\n\r\n')
      await until('the list waits', () => responses[1]?.writableNeedDrain === true)
      limits.passAll()
      await until('the list is reported', () => reported.length > 0)
      const message = 'GET /blogs was truncated: the client stopped reading.'
      expect(reported).toEqual([expect.objectContaining({ message })])
      await expectPlaceSoon(one)
      let length = 0
      socket.on('data', (data) => (length += data.length))
      await closed(socket)
      expect(length).toBeGreaterThan(FRONT.length)
    })
  })

  it('adds one listener to its connection for all that wait', async () => {
    const responses: ServerResponse[] = []
    await useApi(startLong({ loadShedding: false, before: inFront(responses) }), async (two) => {
      const socket = connectTo(two)
      const list = 'GET /blogs HTTP/1.1\r\nHost: a\r\n\r\n'
      socket.write(list.replace('blogs', 'front') + list.repeat(12))
      // As many as there are connections to a database server by default.
      const countWaiting = () => responses.slice(1).filter(({ writableNeedDrain }) => writableNeedDrain).length
      await until('ten lists wait', () => countWaiting() >= 10)
      expect(responses[0]?.req.socket.listenerCount('close')).toBeLessThan(10)
      socket.destroy()
    })
  })
})

/** Served outside the API: a body larger than the socket buffers. */
const FRONT = Buffer.alloc(LARGER_THAN_BUFFERS)
/** Also keeps the responses to all requests, in their order. */
const inFront =
  (responses: ServerResponse[]): RequestHandler =>
  ({ url }, response, next) => {
    responses.push(response)
    if (url === '/front') response.end(FRONT)
    else next()
  }

describe('middleware that sends no response head', () => {
  const before: RequestHandler = ({ headers }, response, next) => {
    if (headers['x-broken'] !== undefined)
      response.writeHead = () => {
        throw new Error('No head.')
      }
    next()
  }
  const broken = { 'x-broken': 'yes' }

  it.each<[string, ApiOptions]>([
    ['there is time for everybody', { loadShedding: false }],
    ['there is not', ONE],
    ['it is looked at', { ...ONE, serverTiming: true }],
    ['it would be sent while it is made', { ...ONE, streamThreshold: 10 }],
  ])('leaves only its own requests without a response, with %s', async (_where, options) => {
    const reported: unknown[] = []
    await useApi(start({ ...options, before, onError: (error) => reported.push(error) }), async (api) => {
      await expect(api.get('/blogs').set(broken)).rejects.toThrow()
      expect(reported).toContainEqual(new Error('No head.'))
      await expectPlace(api, 200)
    })
  })

  it.each([{ queueTimeout: null }, { queueTimeout: 1000 }])(
    'releases the slots of refused requests: %p',
    async (turns) => {
      await useApi(start({ loadShedding: { maxConcurrency: 1, ...turns }, before }), async (api) => {
        const { answer } = await api.keep()
        await expect(api.get('/blogs').set(broken)).rejects.toThrow()
        await expectPlace(api, 503)
        api.letGo()
        expect((await answer).status).toBe(200)
        await expectPlace(api, 200)
      })
    },
  )
})

describe('a request that has waited in the event loop', () => {
  const BLOCKED = 60
  let now: number
  /** Nothing else happens in the process meanwhile, as while a database that is a file is read; and else there is no time that passes. */
  const block = ({ headers }: IncomingMessage) => {
    if (headers['x-blocking'] !== undefined) now += BLOCKED
  }
  beforeEach(() => {
    now = performance.now()
    performance.now = () => now
  })
  afterEach(() => Reflect.deleteProperty(performance, 'now'))

  /** All of these are there before the first of them is looked at: they come in one piece. */
  async function sendAtOnce(api: TestApi, count: number): Promise<string[]> {
    const socket = connectTo(api)
    socket.write('GET /blogs HTTP/1.1\r\nHost: a\r\nX-Blocking: 1\r\n\r\n'.repeat(count))
    let text = ''
    for await (const piece of socket.setEncoding('utf8')) {
      text += piece
      const statuses = [...text.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status = '']) => status)
      if (statuses.length === count) return statuses
    }
    throw new Error(`It hung up: ${text}`)
  }

  it('is refused after loadShedding.queueTimeout', async () => {
    await useApi(
      start({ loadShedding: { maxConcurrency: null, queueTimeout: BLOCKED / 2 }, context: block }),
      async (api) => {
        // The second has its turn when the first has ended, and then the others have waited for the second.
        expect(await sendAtOnce(api, 4)).toEqual(['200', '200', '503', '503'])
        expect(await sendAtOnce(api, 1)).toEqual(['200'])
        expect(await sendAtOnce(api, 1)).toEqual(['200'])
      },
    )
  })

  it('is served without loadShedding.queueTimeout', async () => {
    for (const loadShedding of [{ maxConcurrency: null, queueTimeout: null }, false] as const) {
      const expectAll = async (api: TestApi) => expect(await sendAtOnce(api, 4)).toEqual(Array(4).fill('200'))
      await useApi(start({ loadShedding, context: block }), expectAll)
    }
  })
})

function writeOn(api: TestApi, text: string): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connectTo(api)
  socket.on('error', () => {})
  socket.write(text)
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
  return { socket, answer }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))
}
