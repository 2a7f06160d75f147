import { setUp } from '../support/api'
import { startBlogs, Tag } from '../support/blogs'
import { ATOMIC } from '../support/operate'
import { sendLines } from '../support/raw-http'
import { headerText } from './support/injection-points'
import { PAYLOADS } from './support/payloads'

// Headers of answers hold ids (Location, Content-Location), URLs, states (ETag) and names of extensions. None of them ends its line early, and
// none holds more than it should: Location is in texts.test.ts. Requests are sent, and answers looked at, byte by byte.

const api = setUp(() => startBlogs({ links: { base: 'request' }, etags: 'all', clientGeneratedIds: 'allowed' }))
beforeAll(() => api.add(Tag, { id: 'first' }))

const NAMES = new Set([
  ...['x-powered-by', 'vary', 'content-type', 'content-length', 'location', 'etag', 'connection', 'date', 'allow'],
  ...['content-location', 'preference-applied', 'keep-alive', 'retry-after', 'cache-control', 'transfer-encoding'],
])

/** Sends a request and returns the response headers by name. Fails if one is unknown or has an illegal character. */
async function headOf(line: string, headers: readonly string[] = [], body = ''): Promise<Map<string, string>> {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const text = await sendLines(api.url, { line, headers: [...headers, ...length], body })
  const [head = ''] = text.split('\r\n\r\n', 1)
  const [status = '', ...lines] = head.split('\r\n')
  const found = new Map(
    lines.map((each) => [each.split(':', 1)[0]?.toLowerCase() ?? '', each.replace(/^[^:]*: */, '')]),
  )
  const wrong = [
    ...[status].filter((each) => !/^HTTP\/1\.1 [2-4]\d\d [ -~]+$/.test(each)),
    ...lines.filter((each) => !/^[\w-]+: [ -~]*$/.test(each)),
    ...[...found.keys()].filter((name) => !NAMES.has(name)),
  ]
  expect(wrong).toEqual([])
  return found
}

it.each(
  PAYLOADS.flatMap(([name, text]) => (headerText(text) === undefined ? [] : [[name, headerText(text) ?? ''] as const])),
)('a request header with %s adds no response header', async (_name, text) => {
  const lines = [
    `Accept: application/vnd.api+json;profile="${text}"`,
    `Accept: application/vnd.api+json;ext="${text}"`,
    `Prefer: return=${text}`,
    `If-None-Match: "${text}"`,
    `X-Forwarded-Host: ${text}`,
    `X-Request-Id: ${text}`,
  ]
  const heads = await Promise.all(lines.map((line) => headOf('GET /tags/first', [line])))
  expect(heads.map((head) => head.get('content-type'))).toEqual(lines.map(() => 'application/vnd.api+json'))
})

it('line breaks in a path, a query string and a body add no headers', async () => {
  for (const line of [
    'GET /tags/%0d%0aSet-Cookie:%20a=b',
    'GET /tags?filter=equals(id,%27%0d%0aSet-Cookie:%20a=b%27)',
    'GET /%0d%0aSet-Cookie:%20a=b',
    'GET /tags?page[size]=%0d%0a1',
    'OPTIONS /tags/%0d%0aSet-Cookie:%20a=b',
    'PUT /tags/%0d%0aSet-Cookie:%20a=b',
  ])
    expect((await headOf(line)).get('set-cookie')).toBe(undefined)
  const operations = { 'atomic:operations': [{ op: 'add', data: { type: 'tags', id: 'a\r\nX-B: c' } }] }
  await headOf('POST /operations', [`Content-Type: ${ATOMIC}`, `Accept: ${ATOMIC}`], JSON.stringify(operations))
})
