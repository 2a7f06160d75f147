import { setUp } from '../../support/api'
import { startBlogs } from '../../support/blogs'
import { ATOMIC, operate } from '../../support/operate'

// A parser that is not linear needs minutes for these texts. The tests then exceed their timeout.

const api = setUp(() => startBlogs())
const LONG = 150_000
const zeros = '0'.repeat(LONG)

const TEXTS: readonly (readonly [string, string])[] = [
  ['zeros', zeros],
  ['zeros and something else', `${zeros}x`],
  ['zeros and a one', `${zeros}1`],
  ['a fraction of zeros', `0.${zeros}1`],
  ['a time with a fraction of zeros', `00:00:00.${zeros}1`],
  ['a moment with a fraction of zeros', `2024-01-01T00:00:00.${zeros}1Z`],
  ['an exponent', `1e${'9'.repeat(LONG)}`],
  ['blanks', `${' '.repeat(LONG)}x`],
  ['commas', ','.repeat(LONG)],
  ['colons', `${'1:'.repeat(LONG / 2)}x`],
  ['backslashes', '\\'.repeat(LONG / 2)],
]

/** A body has room for five of the texts. */
const ATTRIBUTES = [
  ['title', 'views', 'bytes', 'price', 'rating'],
  ['publishedAt', 'releasedOn', 'readAt', 'status', 'token'],
]

it.each(TEXTS)('answers in time to a value of each type that is %s', async (_what, text) => {
  for (const names of ATTRIBUTES) {
    const attributes = { title: 'A', ...Object.fromEntries(names.map((name) => [name, text])) }
    const { status, body } = await api.post('/articles').send({ data: { type: 'articles', attributes } })
    const pointers = body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)
    expect([status, pointers]).toEqual([422, names.map((name) => `/data/attributes/${name}`)])
  }
})

it.each(TEXTS)('answers in time to an id, a type, a local id and names that are %s', async (_what, text) => {
  const bodies = [
    { data: { type: 'articles', id: text } },
    { data: { type: text } },
    { data: { type: 'articles', attributes: { [text]: 1 } } },
    { data: { type: 'articles', relationships: { blog: { data: { type: 'blogs', id: text } } } } },
    { data: { type: 'articles', relationships: { tags: { data: [{ type: 'tags', id: text }] } } } },
  ]
  for (const body of bodies) expect((await api.post('/articles').send(body)).status).toBeLessThan(500)
  const operations = [
    [{ op: 'add', data: { type: 'blogs', lid: text, attributes: { title: 'A' } } }],
    [{ op: 'remove', href: text }],
    [{ op: 'remove', ref: { type: 'blogs', id: text } }],
  ]
  for (const list of operations) {
    const { status } = await operate(api, ...list)
    expect(status).toBeLessThan(500)
  }
})

it.each([
  ['no JSON', '{"a":'.repeat(50) + '1'.repeat(LONG)],
  ['a text without an end', `{"data":"${'x'.repeat(LONG)}`],
  ['a text of escapes', `{"data":"${'\\u0000'.repeat(LONG / 6)}`],
  ['blanks', ' '.repeat(LONG)],
  ['a list of numbers', `{"data":[${'1,'.repeat(LONG / 2)}`],
])('answers a body that is %s', (_what, rawBody) => api.post('/articles').send(rawBody).expect(400))

/** As long as a body may be. */
const MEGABYTE = 1024 * 1024
const numbers = `[${'1,'.repeat(MEGABYTE / 2 - 40)}1]`
const manyNames = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`x${n}`, 1])))

/** Of errors that are too many, the last one shown says that there are more. */
function expectCut({ errors }: { readonly errors: readonly { readonly detail: string; readonly meta?: object }[] }) {
  expect(errors.length).toBe(100)
  expect(errors.flatMap(({ meta }, index) => (meta !== undefined && 'hasMore' in meta ? [index] : []))).toEqual([99])
  const more = 'There are more errors than these 100. Correct them and send the request again.'
  expect(errors[99]?.detail.endsWith(more)).toBe(true)
}

it.each([
  ['identifiers', 'PATCH', '/articles/1/relationships/tags', `{"data":${numbers}}`],
  ['members to add', 'POST', '/articles/1/relationships/tags', `{"data":${numbers}}`],
  ['included resources', 'POST', '/articles', `{"data":{"type":"articles"},"included":${numbers}}`],
  ['attributes', 'POST', '/articles', `{"data":{"type":"articles","attributes":${manyNames}}}`],
  ['relationships', 'PATCH', '/articles/1', `{"data":{"type":"articles","id":"1","relationships":${manyNames}}}`],
])('answers a body of nothing but wrong %s, with the first hundred errors', async (_what, method, path, rawBody) => {
  const { status, body } = await api.request(method, path).send(rawBody)
  expect([400, 422]).toContain(status)
  expectCut(body)
})

it('answers in time to many mistakes in a relationship with a very long name, and names it once', async () => {
  const relationships = `{"${'x'.repeat(MEGABYTE / 2)}":{"data":[${'1,'.repeat(100_000)}1]}}`
  const rawBody = `{"data":{"type":"articles","id":"1","relationships":${relationships}}}`
  const { status, body, text } = await api.patch('/articles/1').send(rawBody)
  const [{ code, source }] = body.errors
  expect([status, code, source]).toEqual([400, 'document.shape', { pointer: '/data/relationships' }])
  expect(text.length).toBeLessThan(2000)
})

/** Each takes two places of a string. */
const faces = '😀'.repeat(300)

it.each([
  ['behind it', faces],
  ['behind it, moved', `a${faces}`],
  ['before it', `equals(title,'${faces}')x`],
  ['before it, moved', `equals(title,'${faces}a')x`],
])('cuts no character in two that stands near a mistake, %s', async (_where, filter) => {
  const { status, body, text } = await api.get(`/articles?filter=${encodeURIComponent(filter)}`)
  expect([status, body.errors[0].detail]).toEqual([400, expect.stringContaining('...')])
  // A half alone would be escaped.
  expect(text).not.toMatch(/\\ud[89a-f]/i)
})

it.each([
  ['names no type', `/${'<'.repeat(MEGABYTE / 2)}`, 404],
  ['has too many parts', `/articles/1/2/3/${'x'.repeat(MEGABYTE / 2)}`, 404],
  ['is no UTF-8', `/articles/${'%ff'.repeat(MEGABYTE / 4)}`, 400],
])('answers an operation whose URL is half of the body and %s, without repeating it', async (_what, href, expected) => {
  const { status, body, text } = await operate(api, { op: 'remove', href })
  expect([status, body.errors[0].source]).toEqual([expected, { pointer: '/atomic:operations/0/href' }])
  expect(text.length).toBeLessThan(2000)
})

it.each([
  ['/nothing', 404],
  ['/articles/1/2/3/', 404],
  ['/%ff', 404],
  ['/articles/%ff', 400],
])('answers a URL that begins with %s and is very long, without repeating it', async (start, expected) => {
  const { text } = await api.get(`${start}${'x'.repeat(7000)}`).expect(expected)
  expect(text.length).toBeLessThan(2000)
})

it('answers in time to a URL of many filters in another syntax', async () => {
  const names = Array.from({ length: 500 }, (_, n) => `filter[t${n}]`)
  const { body } = await api.get(`/articles?${names.map((name) => `${name}=1`).join('&')}`).expect(400)
  const shown = names.slice(0, 100).map((parameter) => ({ parameter }))
  expect(body.errors.map(({ source }: { source: object }) => source)).toEqual(shown)
  expectCut(body)
})

it.each([
  ['GET', '/articles'],
  ['DELETE', '/articles/1'],
])('answers a thousand unknown parameters with the first hundred: %s %s', async (method, path) => {
  const query = Array.from({ length: 1000 }, (_, n) => `u${n}=1`).join('&')
  const { body } = await api.request(method, `${path}?${query}`).expect(400)
  expect(body.errors[99].source).toEqual({ parameter: 'u99' })
  expectCut(body)
})

it('answers a thousand identifiers of missing resources with the first hundred', async () => {
  const data = Array.from({ length: 1000 }, (_, n) => ({ type: 'tags', id: `missing ${n}` }))
  const resource = { type: 'articles', attributes: { title: 'A' }, relationships: { tags: { data } } }
  const { body } = await api.post('/articles').send({ data: resource }).expect(404)
  expect(body.errors[99].source).toEqual({ pointer: '/data/relationships/tags/data/99' })
  expectCut(body)
})

it('shows a hundred errors as they are', async () => {
  const query = Array.from({ length: 100 }, (_, n) => `u${n}=1`).join('&')
  const { errors } = (await api.get(`/articles?${query}`).expect(400)).body
  expect([errors.length, errors[99].meta]).toEqual([100, { position: 1 }])
  expect(errors[99].detail).not.toContain('more')
})

it('answers in time to invalid operations, with the first hundred errors', async () => {
  const data = `[${'1,'.repeat(2000)}1]`
  const operation = `{"op":"add","ref":{"type":"articles","id":"1","relationship":"tags"},"data":${data}}`
  const rawBody = `{"atomic:operations":[${Array.from({ length: 100 }, () => operation).join()}]}`
  const { status, body } = await api.post('/operations').send(rawBody).set({ 'content-type': ATOMIC, accept: ATOMIC })
  expect(status).toBe(400)
  expectCut(body)
})

/** With all other headers they stay below what Node takes. Reading one in cubic time would take minutes. */
const HEADER = 4_000
const PIECES = [
  ...[' ', ',', ';', '"', '\\', 'a=', ' ;', 'a;', 'a;a=', '",'],
  ...['W/"x",', 'W/"', '*/*;', '"a" ', 'q=0.', '\t,'],
]

it.each(['accept', 'content-type', 'if-match', 'if-none-match', 'prefer', 'content-encoding', 'idempotency-key'])(
  'answers a header %s without end',
  async (name) => {
    const texts = PIECES.flatMap((piece) => {
      const text = piece.repeat(HEADER / piece.length)
      return [
        text,
        `x${text}`,
        `return=${text}x="`,
        `application/vnd.api+json;${text}`,
        `application/vnd.api+json; ext="${text}`,
      ]
    })
    for (const text of texts) {
      const body = { data: { type: 'blogs', id: '1', attributes: { title: 'A' } } }
      const { status } = await api.patch('/blogs/1').send(body).set(name, text)
      expect(status).toBeLessThan(500)
    }
  },
)
