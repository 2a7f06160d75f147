import { once } from 'node:events'
import { type ApiOptions, using } from '../../support/api'
import { startBlogs } from '../../support/blogs'
import { connectTo } from './support/slow-reading'

// Bodies that come more slowly than a request may last.

/** What is answered to a body of which there is only the start. */
async function answerTo(start: readonly string[], options: ApiOptions): Promise<string> {
  const limits = { duration: 150, bodySize: 1000 }
  let answer = ''
  await using(startBlogs({ limits, report: () => {}, ...options }), async (api) => {
    const socket = connectTo(api).on('error', () => {})
    socket.write(`POST /blogs HTTP/1.1\r\nHost: a\r\n${start.join('\r\n')}`)
    const [text] = await once(socket, 'data')
    answer = String(text)
    socket.destroy()
  })
  return answer
}

describe.each<[string, ApiOptions]>([
  ['for everybody', {}],
  ['where not all have a place', { overload: { concurrent: 5, wait: null } }],
])('%s', (_which, options) => {
  it.each([
    ['says that it is', ['Content-Length: 5000', '', 'x']],
    ['is found to be', ['Content-Length: 2000', 'Content-Encoding: identity', '', 'x'.repeat(1500)]],
    ['is found to be, without a length', ['Transfer-Encoding: chunked', '', '5dc', 'x'.repeat(1500), '']],
  ])('a body that %s too large gets 413 without Retry-After', async (_how, start) => {
    const answer = await answerTo(start, options)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain('"document.too-large"')
    expect(answer).not.toMatch(/retry-after/i)
  })

  it('a valid but slow body gets 408, and nothing is reported', async () => {
    const reported: unknown[] = []
    const report = (error: unknown) => reported.push(error)
    for (const start of [
      ['Content-Length: 900', '', '{'],
      ['Transfer-Encoding: chunked', '', '1', '{', ''],
      ['Content-Length: 900', 'Content-Encoding: gzip', '', '\x1f'],
    ]) {
      const [head = '', body = ''] = (await answerTo(start, { ...options, report })).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1.1 408 /)
      expect(head).toMatch(/^Connection: close$/im)
      expect(head).not.toMatch(/retry-after/i)
      expect(JSON.parse(body).errors).toEqual([
        {
          status: '408',
          code: 'document.timeout',
          title: 'The body did not come in time.',
          detail: 'Send all of it without a pause, or less at once.',
        },
      ])
    }
    expect(reported).toEqual([])
  })
})
