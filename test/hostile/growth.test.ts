import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EFFORT } from '../properties/support/random'
import { ref, setUp } from '../support/api'
import { Article, Blog, startBlogs } from '../support/blogs'
import { sendBytes } from '../support/raw-http'

// Caches are bounded: requests that never repeat do not increase memory without limit. They are sent without supertest, which needs memory too.

jest.setTimeout(120_000 * Math.max(1, EFFORT))

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Returns the bytes of the heap after two collections: finalizers of the first can free more. */
function heapSize(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const FIELDS = ['title', 'subtitle', 'views', 'likes', 'bytes', 'price', 'rating', 'status', 'token', 'readAt']
const SORTS = ['title', 'views', 'likes', 'price', 'rating', 'blog.title', 'count(tags)', 'count(comments)']

/** By kind, the n-th URL; no two have the same text or plan. */
const REQUESTS: readonly (readonly [name: string, path: (n: number) => string])[] = [
  ['filters', (n) => `/articles?filter=${nthFilter(n)}`],
  ['filters and sorts', (n) => `/articles?sort=title&filter=${nthFilter(n)}`],
  ['filters of included resources', (n) => `/blogs?include=articles&filter[articles]=${nthFilter(n)}`],
  ['literals', (n) => `/articles?filter=equals(title,'${'x'.repeat(200)}${n}')`],
  ['lists', (n) => `/articles?filter=any(id,${Array.from({ length: (n % 200) + 2 }, (_, at) => `'${at + n}'`)})`],
  [
    'sorts',
    (n) => `/articles?sort=${digits(n, SORTS.length).map((at, place) => `${(n >> place) & 1 ? '-' : ''}${SORTS[at]}`)}`,
  ],
  ['fieldsets', (n) => `/articles?fields[articles]=${FIELDS.filter((_, at) => (n >> at) & 1)}&page[number]=${n + 1}`],
  ['pages', (n) => `/articles?page[size]=${(n % 90) + 1}&page[number]=${n + 1}`],
  ['mistakes', (n) => `/articles?filter=equals(nothing${n},'a')`],
  ['parameters', (n) => `/articles?nothing${n}=1`],
  ['ids', (n) => `/articles/${n + 1000}?include=blog&x=${n}`.replace(/&x=\d+/, '')],
  ['types', (n) => `/nothing${n}`],
  [
    'scopes',
    (n) => `/articles?include=comments&filter[comments]=${nthFilter(n).replaceAll(/title|views|likes/g, 'body')}`,
  ],
]
const HEADERS = ['accept', 'content-type', 'if-match', 'if-none-match', 'prefer', 'x-forwarded-host', 'host']
const api = setUp(startBlogs)

beforeAll(async () => {
  await api.add(Blog, { title: 'A' })
  await api.add(Article, { title: 'A', blog: ref('1') })
})

/** The number of requests of a round; `STEMMA_RUNS` raises it. */
const ROUND = EFFORT < 1 ? 100 : 500 * EFFORT
const FILLING = Math.max(2000, 5 * ROUND)
/** The bytes that a round may add. A statement that is never evicted takes about 10 kB. */
const MAX_GROWTH = 4_000 * Math.min(ROUND, 500)

it('URLs that never repeat do not increase memory', () =>
  expectNoGrowth([FILLING, ROUND], async (n) => {
    const [, path = () => ''] = REQUESTS[n % REQUESTS.length] ?? []
    await sendBytes(api.url, { method: 'GET', path: path(n) })
  }))

it('headers that never repeat do not increase memory', () =>
  expectNoGrowth([FILLING / 4, ROUND], async (n) => {
    const name = HEADERS[n % HEADERS.length] ?? ''
    await sendBytes(api.url, { method: 'GET', path: '/articles/1', headers: { [name]: `a${n}.${'x'.repeat(200)}` } })
  }))

it('writes that never repeat do not increase memory', () =>
  expectNoGrowth([FILLING / 4, ROUND], async (n) => {
    const attributes = Object.fromEntries(FIELDS.filter((_, at) => (n >> at) & 1).map((field) => [field, null]))
    const body = JSON.stringify({
      data: { type: 'articles', id: '1', attributes: { ...attributes, title: `${n}`, [`x${n}`]: n } },
    })
    await sendBytes(api.url, { method: 'PATCH', path: '/articles/1', body })
  }))

/** Fills the caches first, and expects that later rounds do not increase memory. */
async function expectNoGrowth(
  [filling, size]: readonly [filling: number, size: number],
  send: (n: number) => Promise<void>,
): Promise<void> {
  let count = 0
  const round = async (length: number) => {
    for (const end = count + length; count < end; count += 1) await send(count)
    return heapSize()
  }
  const filled = await round(filling)
  const after = [await round(size), await round(size)]
  expect(Math.min(...after) - filled).toBeLessThan(MAX_GROWTH)
}

/** Returns the n-th filter, such as `or(equals(title,'0'),not(contains(subtitle,'1')))`: digits of `n` choose functions and fields. */
function nthFilter(n: number): string {
  const terms = digits(24 ** 7 + ((n * 104_729) % 24 ** 6), 24).map((digit, at) => {
    const field = ['title', 'subtitle', 'status'][digit % 3] ?? 'title'
    const text = field === 'status' ? "'draft'" : `'${at}'`
    const name = ['equals', 'contains', 'startsWith', 'endsWith'][(digit >> 1) % 4] ?? 'equals'
    const call = field === 'status' ? `equals(${field},${text})` : `${name}(${field},${text})`
    return digit >= 12 ? `not(${call})` : call
  })
  const [first = ''] = terms
  return terms.length === 1 ? first : `or(${terms.join(',')})`
}

function digits(n: number, base: number): readonly number[] {
  const found = [n % base]
  for (let rest = Math.floor(n / base); rest > 0; rest = Math.floor(rest / base)) found.push(rest % base)
  return found
}
