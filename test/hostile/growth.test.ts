import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EFFORT } from '../properties/support/random'
import { ref, setUp } from '../support/api'
import { Article, Blog, startBlogs } from '../support/blogs'
import { sendBytes } from '../support/raw-http'

// What is kept to be fast is kept within bounds: requests of ever new shapes leave nothing behind that grows with them.

jest.setTimeout(120_000 * Math.max(1, EFFORT))

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes, after two collections: what one frees can hold another. */
function held(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const FIELDS = ['title', 'subtitle', 'views', 'likes', 'bytes', 'price', 'rating', 'status', 'token', 'readAt']
const SORTS = ['title', 'views', 'likes', 'price', 'rating', 'blog.title', 'count(tags)', 'count(comments)']

/** The n-th of requests of which no two are of one shape, nor one text. */
const ASK: readonly (readonly [name: string, path: (n: number) => string])[] = [
  ['filters', (n) => `/articles?filter=${shapeOf(n)}`],
  ['filters and sorts', (n) => `/articles?sort=title&filter=${shapeOf(n)}`],
  ['filters of what is included', (n) => `/blogs?include=articles&filter[articles]=${shapeOf(n)}`],
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
    (n) => `/articles?include=comments&filter[comments]=${shapeOf(n).replaceAll(/title|views|likes/g, 'body')}`,
  ],
]
const HEADERS = ['accept', 'content-type', 'if-match', 'if-none-match', 'prefer', 'x-forwarded-host', 'host']

const api = setUp(startBlogs)

beforeAll(async () => {
  await api.add(Blog, { title: 'A' })
  await api.add(Article, { title: 'A', blog: ref('1') })
})

/** Of requests. With `STEMMA_RUNS`, as CI has it, there are more. */
const ROUND = EFFORT < 1 ? 100 : 500 * EFFORT
/** Requests that fill what is bounded. */
const FILLING = Math.max(2000, 5 * ROUND)
/** Bytes: what is left by a round of requests that leave 4 kB each. Statements that are kept for ever leave ten. */
const ROOM = 4_000 * Math.min(ROUND, 500)

it('URLs of new shapes leave no memory behind', () =>
  leavesNothing([FILLING, ROUND], async (n) => {
    const [, path = () => ''] = ASK[n % ASK.length] ?? []
    await sendBytes(api.url, { method: 'GET', path: path(n) })
  }))

it('headers of new values leave no memory behind', () =>
  leavesNothing([FILLING / 4, ROUND], async (n) => {
    const name = HEADERS[n % HEADERS.length] ?? ''
    await sendBytes(api.url, { method: 'GET', path: '/articles/1', headers: { [name]: `a${n}.${'x'.repeat(200)}` } })
  }))

it('writes of new shapes leave no memory behind', () =>
  leavesNothing([FILLING / 4, ROUND], async (n) => {
    const attributes = Object.fromEntries(FIELDS.filter((_, at) => (n >> at) & 1).map((field) => [field, null]))
    const body = JSON.stringify({
      data: { type: 'articles', id: '1', attributes: { ...attributes, title: `${n}`, [`x${n}`]: n } },
    })
    await sendBytes(api.url, { method: 'PATCH', path: '/articles/1', body })
  }))

/** What is bounded is filled first; after that a round adds nothing. */
async function leavesNothing(
  [filling, size]: readonly [filling: number, size: number],
  ask: (n: number) => Promise<void>,
): Promise<void> {
  let count = 0
  const round = async (length: number) => {
    for (const end = count + length; count < end; count += 1) await ask(count)
    return held()
  }
  const filled = await round(filling)
  const after = [await round(size), await round(size)]
  expect(Math.min(...after) - filled).toBeLessThan(ROOM)
}

/** `and(equals(title,'a'),not(lessThan(views,'1')))`: the digits of a number say which functions and fields. */
function shapeOf(n: number): string {
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
