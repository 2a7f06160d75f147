import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Span } from '@opentelemetry/sdk-trace-base'
import type { RequestHandler, Response } from 'express'
import { getEntityManager, type ResourceWrite } from 'stemma'
import { define, setUp, type TestApi, useApi } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { deferred } from '../../support/deferred'
import { newResource } from '../../support/documents'
import { ATOMIC } from '../../support/operate'
import { connectTo } from '../../support/raw-http'
import { insertRows } from '../../support/rows'
import type { RequestOptions } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { someTurns, until } from '../../support/until'
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
    // The write that the hook belongs to ends in the turns that follow.
    await someTurns()
    expect(names()).toEqual([])
  })
})

describe('a list that waits for an earlier response on its connection', () => {
  /** The response to the latest request. */
  let response: Response | undefined
  const before: RequestHandler = ({ path }, current, next) => {
    response = current
    if (path === '/front') current.end(Buffer.alloc(64 * 1024 * 1024))
    else next()
  }
  const list = { telemetry: true, streamThreshold: 1000, page: { size: null, maxSize: null }, before } as const

  /** Sends two pipelined requests, and waits until the response to the second one, a list, waits for the first. */
  async function request(api: TestApi, front: string): Promise<Socket> {
    await insertRows(
      api.dataSource,
      Blog,
      Array.from({ length: 1000 }, (_, index) => ({ title: `Blog ${index}` })),
    )
    const socket = connectTo(api).on('error', () => {})
    socket.write(`GET ${front} HTTP/1.1\r\nHost: a\r\n\r\nGET /blogs HTTP/1.1\r\nHost: a\r\n\r\n`)
    const isStarted = () => names().includes('GET /blogs') && names().includes('document')
    await until('the list waits', () => isStarted() && response?.writableNeedDrain === true)
    return socket
  }

  it('ends its spans when the connection closes', async () => {
    const { promise: pending, resolve: finish } = deferred()
    const context = ({ path }: { readonly path: string }) => (path === '/blogs/1' ? pending : undefined)
    await useApi(startBlogs({ ...list, context }), async (api) => {
      const socket = await request(api, '/blogs/1')
      socket.destroy()
      await until('the span of the list has ended', () => !names().includes('GET /blogs'))
      finish()
      await until('all spans have ended', () => open.size === 0)
    })
  })

  it('ends its spans when it times out', async () => {
    const options = { ...list, limits: { timeout: DURATION }, onError: () => {} }
    await useApi(startBlogs(options), async (api) => {
      const socket = await request(api, '/front')
      limits.passAll()
      await until('all spans have ended', () => open.size === 0)
      expect(socket.closed).toBe(false)
      socket.destroy()
    })
  })
})
