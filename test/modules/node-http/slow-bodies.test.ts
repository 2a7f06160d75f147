import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, RequestHandler } from 'express'
import { type ApiOptions, setUp, startApiOn } from '../../support/api'
import { BLOGS } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { connectTo } from '../../support/raw-http'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { until } from '../../support/until'

// Bodies that come more slowly than a request may last.

const limits = setUp(() => watchTimeLimits(DURATION))
const database = setUp(() => openDatabase(BLOGS))

describe.each<[string, ApiOptions]>([
  ['for everybody', {}],
  ['where not all have a place', { loadShedding: { maxConcurrency: 5, queueTimeout: null } }],
])('%s', (_which, options) => {
  const reported: unknown[] = []
  let served: Request | undefined
  const before: RequestHandler = (request, _response, next) => {
    served = request
    next()
  }
  const limited = { limits: { timeout: DURATION, bodySize: 1000 }, onError: (error: unknown) => reported.push(error) }
  const api = setUp(() => startApiOn(database, { resources: BLOGS, before, ...limited, ...options }))
  beforeEach(() => {
    reported.length = 0
  })

  /** All that was sent, which is looked at as it comes. */
  async function isRead(bytes: number): Promise<void> {
    const isBehind = ({ socket, readableFlowing, readableLength }: Request) =>
      socket.bytesRead < bytes || readableFlowing !== true || readableLength > 0
    await until('the body is read', () => served !== undefined && !isBehind(served))
    await nextTurn()
  }

  /** What is answered to a body of which there is only the start. */
  async function answerTo(start: readonly string[]): Promise<string> {
    served = undefined
    const socket = connectTo(api).on('error', () => {})
    try {
      const text = `POST /blogs HTTP/1.1\r\nHost: a\r\n${start.join('\r\n')}`
      socket.write(text)
      await isRead(Buffer.byteLength(text))
      limits.passAll()
      const [answer] = await once(socket, 'data')
      return String(answer)
    } finally {
      socket.destroy()
    }
  }

  it.each([
    ['says that it is', ['Content-Length: 5000', '', 'x']],
    ['is found to be', ['Content-Length: 2000', 'Content-Encoding: identity', '', 'x'.repeat(1500)]],
    ['is found to be, without a length', ['Transfer-Encoding: chunked', '', '5dc', 'x'.repeat(1500), '']],
  ])('a body that %s too large gets 413 without Retry-After', async (_how, start) => {
    const answer = await answerTo(start)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain('"document.too-large"')
    expect(answer).not.toMatch(/retry-after/i)
  })

  it('a valid but slow body gets 408, and nothing is reported', async () => {
    for (const start of [
      ['Content-Length: 900', '', '{'],
      ['Transfer-Encoding: chunked', '', '1', '{', ''],
      ['Content-Length: 900', 'Content-Encoding: gzip', '', '\x1f'],
    ]) {
      const [head = '', body = ''] = (await answerTo(start)).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1.1 408 /)
      expect(head).toMatch(/^Connection: close$/im)
      expect(head).not.toMatch(/retry-after/i)
      expect(JSON.parse(body).errors).toEqual([
        {
          status: '408',
          code: 'document.timeout',
          title: 'The body did not arrive in time.',
          detail: 'Send the body without pauses, or send a smaller one.',
        },
      ])
    }
    expect(reported).toEqual([])
  })
})
