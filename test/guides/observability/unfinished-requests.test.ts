import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Span } from '@opentelemetry/sdk-trace-base'
import type { RequestHandler } from 'express'
import { getEntityManager, type ResourceWrite } from 'stemma'
import { define, setUp, type TestApi, useApi } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { deferred } from '../../support/deferred'
import { newResource } from '../../support/documents'
import { ATOMIC } from '../../support/operate'
import type { RequestOptions } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { useOpenTelemetry } from './support/open-telemetry'

// Every started span is ended, also when a request times out or its connection is closed.

const open = new Map<string, Span>()
const names = () => [...open.values()].map(({ name }) => name)

useOpenTelemetry({
  onStart: (span) => void open.set(span.spanContext().spanId, span),
  onEnd: (span) => void open.delete(span.spanContext().spanId),
  forceFlush: async () => {},
  shutdown: async () => {},
})
beforeEach(() => open.clear())
const limits = setUp(() => watchTimeLimits(DURATION))
let answered: Promise<void>
let work: Promise<unknown>
/** Is aborted, and continues after the request was answered. */
const late = define(Blog, {
  async beforeWrite(write: ResourceWrite<Blog>) {
    work = once(write.signal, 'abort')
      .then(() => answered)
      .then(() => getEntityManager(write).count(Blog))
      .catch((error) => error)
    limits.passAll()
    await work
  },
})

const LATE = newResource('blogs', { title: 'Late' })

it.each<[string, RequestOptions]>([
  ['/blogs', { body: LATE }],
  ['/operations', { body: { 'atomic:operations': [{ op: 'add', ...LATE }] }, headers: { 'content-type': ATOMIC } }],
])('starts no span for statements of a hook after the request timed out: POST %s', async (path, sending) => {
  const options = { telemetry: true, limits: { timeout: DURATION }, definitions: [late], onError: () => {} } as const
  const { promise, resolve: goOn } = deferred()
  answered = promise
  await useApi(startBlogs(options), async (api) => {
    const { status } = await api.request('POST', path, sending)
    expect([status, names()]).toEqual([503, []])
    goOn()
    expect(await work).toMatchObject({ errors: [{ code: 'server.timeout' }] })
    await wait(10)
    expect(names()).toEqual([])
  })
})

describe('a list that waits for an earlier response on its connection', () => {
  const list = { telemetry: true, streamThreshold: 1000, page: { size: null, maxSize: null } } as const

  /** Sends two pipelined requests, and waits until the second one, for the list, has started. */
  async function request(api: TestApi, front: string): Promise<Socket> {
    const titles = Array.from({ length: 1000 }, (_, index) => ({ title: `Blog ${index}` }))
    for (let from = 0; from < 1000; from += 100)
      await api.dataSource.getRepository(Blog).insert(titles.slice(from, from + 100))
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(`GET ${front} HTTP/1.1\r\nHost: a\r\n\r\nGET /blogs HTTP/1.1\r\nHost: a\r\n\r\n`)
    while (!names().includes('GET /blogs') || !names().includes('document')) await wait(10)
    await wait(20)
    return socket
  }

  it('ends its spans when the connection closes', async () => {
    let finish: () => void = () => {}
    const pending = new Promise<void>((resolve) => (finish = resolve))
    const context = ({ path }: { readonly path: string }) => (path === '/blogs/1' ? pending : undefined)
    await useApi(startBlogs({ ...list, context }), async (api) => {
      const socket = await request(api, '/blogs/1')
      socket.destroy()
      while (names().includes('GET /blogs')) await wait(10)
      finish()
      while (open.size > 0) await wait(10)
    })
  })

  it('ends its spans when it times out', async () => {
    const before: RequestHandler = ({ path }, response, next) =>
      void (path === '/front' ? response.end(Buffer.alloc(64 * 1024 * 1024)) : next())
    const options = { ...list, before, limits: { timeout: DURATION }, onError: () => {} }
    await useApi(startBlogs(options), async (api) => {
      const socket = await request(api, '/front')
      limits.passAll()
      while (open.size > 0) await wait(10)
      expect(socket.closed).toBe(false)
      socket.destroy()
    })
  })
})
