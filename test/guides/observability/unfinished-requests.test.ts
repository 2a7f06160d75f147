import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, type Span } from '@opentelemetry/sdk-trace-base'
import type { RequestHandler } from 'express'
import { entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import { type TestApi, using } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import type { Sending } from '../../support/server'

// Each span that was begun is ended, also where a request ends in another way than others.

const open = new Map<string, Span>()
const names = () => [...open.values()].map(({ name }) => name)

beforeAll(() => {
  trace.disable()
  context.disable()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const processor = {
    onStart: (span: Span) => void open.set(span.spanContext().spanId, span),
    onEnd: (span: { spanContext(): { spanId: string } }) => void open.delete(span.spanContext().spanId),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
})
afterAll(() => {
  trace.disable()
  context.disable()
})
beforeEach(() => open.clear())

/** Goes on when its request has been given up already. */
class Late extends ResourceDefinition<Blog> {
  readonly resource = Blog
  static over: Promise<unknown> | undefined

  override async beforeWrite(write: ResourceWrite<Blog>): Promise<undefined> {
    const work = async () => {
      await once(write.signal, 'abort')
      await wait(50)
      await entityManagerOf(write).count(Blog)
    }
    Late.over = work().catch((error) => error)
    await Late.over
  }
}

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const data = { type: 'blogs', attributes: { title: 'Late' } }

it.each<[string, Sending]>([
  ['/blogs', { body: { data } }],
  ['/operations', { body: { 'atomic:operations': [{ op: 'add', data }] }, headers: { 'content-type': ATOMIC } }],
])('what a rule does after its request was given up belongs to no request: %s', async (path, sending) => {
  const options = { telemetry: 'on', limits: { duration: 100 }, definitions: [new Late()], report: () => {} } as const
  await using(startBlogs(options), async (api) => {
    const { status } = await api.request('POST', path, sending)
    expect([status, names()]).toEqual([503, []])
    expect(await Late.over).toMatchObject({ problems: [{ code: 'server.timeout' }] })
    await wait(50)
    expect(names()).toEqual([])
  })
})

describe('a list that waits behind another answer', () => {
  const list = { telemetry: 'on', streamFrom: 1000, page: { size: null, maximumSize: null } } as const

  /** Asks for something else, which is not answered yet, or not taken, and for the list, until that has begun. */
  async function ask(api: TestApi, front: string): Promise<Socket> {
    const titles = Array.from({ length: 1000 }, (_, index) => ({ title: `Blog ${index}` }))
    for (let from = 0; from < 1000; from += 100)
      await api.dataSource.getRepository(Blog).insert(titles.slice(from, from + 100))
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(`GET ${front} HTTP/1.1\r\nHost: a\r\n\r\nGET /blogs HTTP/1.1\r\nHost: a\r\n\r\n`)
    while (!names().includes('GET /blogs') || !names().includes('document')) await wait(10)
    await wait(50)
    return socket
  }

  it('ends with their connection', async () => {
    let go: () => void = () => {}
    const kept = new Promise<void>((resolve) => (go = resolve))
    const asking = ({ path }: { readonly path: string }) => (path === '/blogs/1' ? kept : undefined)
    await using(startBlogs({ ...list, context: asking }), async (api) => {
      const socket = await ask(api, '/blogs/1')
      socket.destroy()
      while (names().includes('GET /blogs')) await wait(10)
      go()
      while (open.size > 0) await wait(10)
    })
  })

  it('ends when it is given up, though their connection goes on', async () => {
    const before: RequestHandler = ({ path }, response, next) =>
      void (path === '/front' ? response.end(Buffer.alloc(64 * 1024 * 1024)) : next())
    const options = { ...list, before, limits: { duration: 500 }, report: () => {} }
    await using(startBlogs(options), async (api) => {
      const socket = await ask(api, '/front')
      while (open.size > 0) await wait(10)
      expect(socket.closed).toBe(false)
      socket.destroy()
    })
  })
})
