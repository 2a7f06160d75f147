import { IdempotencyKey } from 'stemma'
import { EFFORT, SEED, TIME_LIMIT } from '../properties/support/random'
import { combineApi, refs, setUp, startServerOn } from '../support/api'
import { Article, BLOGS, Blog, Comment, Revision, Tag } from '../support/blogs'
import { openDatabase } from '../support/database'
import { ACCEPT } from '../support/follow-pages'
import { getRaw, sendRaw } from '../support/raw-http'
import { TRADE } from '../support/trade'
import { VEHICLES } from '../support/vehicles'
import { INJECTION_POINTS, type InjectionPoint, VICTIM } from './support/injection-points'
import { BROKEN_ENCODINGS, PAYLOADS } from './support/payloads'

// Sends every payload in every part of a request that holds text. The response is a document without a 500, each error has its source, and no row
// changes but those that the request names.

jest.setTimeout(TIME_LIMIT * 3)

const api = setUp(async () => {
  const resources = [...BLOGS, ...TRADE, ...VEHICLES]
  const database = await openDatabase([...resources, IdempotencyKey])
  const options = { resources, idempotency: { owner: () => '' }, clientGeneratedIds: 'allowed' } as const
  return combineApi(database, await startServerOn(database, options))
})
beforeAll(async () => {
  await api.add(Blog, { title: 'first' })
  for (const id of ['a', 'b', 'c', 'd']) await api.add(Tag, { id, rank: 1 })
  await api.add(Article, { title: 'a', views: 1, tags: refs('a', 'b', 'c', 'd'), blog: { id: 1 } })
  await api.add(Article, { title: VICTIM, subtitle: VICTIM })
  await api.add(Article, { title: 'c', rating: 0.5, price: '1.50', blog: { id: 1 } })
  await api.add(Comment, { id: '1', body: 'a', article: { id: 1 } })
  await api.add(Revision, { article: { id: 1 } })
})

/** `npm test` sends every 24th payload, which ones depends on the seed. `npm run fuzz` sends all. */
const STRIDE = Math.max(1, Math.floor(12 / EFFORT))

it('has at least a hundred distinct payloads and injection points', () => {
  expect(new Set(INJECTION_POINTS.map(({ name }) => name)).size).toBe(INJECTION_POINTS.length)
  expect(new Set(PAYLOADS.map(([, text]) => text)).size).toBe(PAYLOADS.length)
  expect([INJECTION_POINTS.length, PAYLOADS.length].map((count) => count > 100)).toEqual([true, true])
})

it.each(INJECTION_POINTS.map((point, nth) => [point.name, point, nth] as const))(
  'payloads in %s inject nothing and cause no 500',
  async (_name, point, nth) => {
    const sent = PAYLOADS.filter((_, index) => (index + nth) % STRIDE === SEED % STRIDE)
    await expectOtherRowsUnchanged(point.adds, async () => {
      let sentCount = 0
      for (const [name, text] of sent) sentCount += (await sendPayload(point, text, name)) ? 1 : 0
      expect(sentCount).toBeGreaterThan(0)
    })
  },
)

it.each(BROKEN_ENCODINGS)('the invalid percent-encoding %s is rejected, or is plain text', async (text) => {
  const paths = [
    ...[`/${text}`, `/tags/${text}`, `/articles/1/${text}`, `/articles/1/relationships/${text}`, `/tags/a${text}b`],
    ...['filter', 'sort', 'include', 'page[size]', 'page[after]', 'fields[articles]'].map(
      (name) => `/articles?${name}=${text}`,
    ),
    ...[`/articles?filter=equals(title,'${text}')`, `/articles?filter[${text}]=has(tags)`, `/articles?${text}=1`],
    ...[`/articles?fields[${text}]=title`, `/articles?filter=equals(title,'a${text}') or 1=1`.replaceAll(' ', '+')],
  ]
  await expectOtherRowsUnchanged([], async () => {
    for (const path of paths) {
      const { status, body } = await getRaw(api.url, path)
      // A text that is encoded twice is valid as a title.
      const isText = status === 200 && body.data.length === 0
      expect({ path, isText, isRefused: [400, 404].includes(status) }).toEqual({ path, isText, isRefused: !isText })
    }
  })
})

describe('a cursor of one list', () => {
  const LISTS = [
    ...['title', '-title', 'views,title', 'rating', 'price', 'publishedAt', 'count(tags)', 'blog.title'].map(
      (sort) => `/articles?sort=${sort}`,
    ),
    ...['/tags?sort=rank', '/tags', '/articles/1/tags', '/articles/1/relationships/tags', '/blogs/1/articles'],
  ]
  const page = (list: string, rest: string) => {
    const path = `${list}${list.includes('?') ? '&' : '?'}page[size]=1${rest}`
    return sendRaw(api.url, { method: 'GET', path, headers: ACCEPT })
  }
  const cursorOf = async (list: string): Promise<string> => {
    const { body } = await page(list, '')
    return new URL(body.links.next, api.url).searchParams.get('page[after]') ?? ''
  }

  it.each(LISTS)('is rejected by every other list: %s', async (list) => {
    const cursor = await cursorOf(list)
    expect((await page(list, `&page[after]=${cursor}`)).status).toBe(200)
    // Linkage and related resources of a relationship are the same list.
    const related = (each: string) => each.replace('/relationships/', '/')
    for (const other of LISTS.filter((each) => related(each) !== related(list))) {
      const { status, body } = await page(other, `&page[after]=${cursor}`)
      expect([status, body.errors[0].source]).toEqual([400, { parameter: 'page[after]' }])
    }
  })

  it.each(LISTS)('is rejected, or leads to a page, when it is manipulated: %s', async (list) => {
    const [mark, ...values]: readonly unknown[] = JSON.parse(Buffer.from(await cursorOf(list), 'base64url').toString())
    const made = PAYLOADS.filter((_, index) => index % STRIDE === SEED % STRIDE).flatMap(([, text]) => [
      ...values.map((_, place) => [mark, ...values.with(place, text)]),
      [text, ...values],
      [mark, ...values, text],
      [mark, text],
      { 0: mark, 1: text },
      [mark, ...values.map(() => [text])],
      [mark, ...values.map(() => ({ [text]: text }))],
    ])
    let pages = 0
    for (const each of [...made, null, mark, [], [[mark]], [mark, ...values.map(() => 1e308)]]) {
      const cursor = Buffer.from(JSON.stringify(each)).toString('base64url')
      const { status, body } = await page(list, `&page[after]=${cursor}`)
      if (status === 200) pages += 1
      else expect([each, status, body.errors[0].source]).toEqual([each, 400, { parameter: 'page[after]' }])
    }
    expect(pages).toBeLessThan(made.length)
  })
})

/** Sends a text and checks the response. Returns false if the request can't be sent. */
async function sendPayload({ build, source }: InjectionPoint, text: string, name: string): Promise<boolean> {
  const request = build(text)
  if (request === undefined) return false
  const { status, body } = await sendRaw(api.url, request)
  const details = { name, text, status, request }
  if (status >= 500) throw new Error(`Answered ${status}: ${JSON.stringify({ ...details, document: body })}`)
  const errors: readonly { source?: object }[] = body?.errors ?? []
  if (status >= 400) expect({ ...details, hasErrors: errors.length > 0 }).toEqual({ ...details, hasErrors: true })
  if (source === 'url') return true
  const stray = errors.filter(({ source: found }) => found === undefined || !Object.hasOwn(found, source))
  if (stray.length > 0) throw new Error(`Errors without source: ${JSON.stringify({ ...details, stray })}`)
  return true
}

/** Returns true for the row that requests may change, and for its tags. */
function isVictim(row: string): boolean {
  return row.includes(VICTIM) || /"articleId":"?2"?[,}]/.test(row)
}

/** Expects that `work` removes and changes no row but the victim, and adds rows to the tables `adds` only. */
async function expectOtherRowsUnchanged(adds: readonly string[], work: () => Promise<void>): Promise<void> {
  const before = (await api.contents()) as Record<string, readonly string[]>
  await work()
  const after = (await api.contents()) as Record<string, readonly string[]>
  for (const [path, rows] of Object.entries(before)) {
    const kept = new Set(after[path])
    expect({ path, gone: rows.filter((row) => !isVictim(row) && !kept.has(row)) }).toEqual({ path, gone: [] })
    const table = path.split('.').at(-1) ?? ''
    if (adds.some((each) => table.startsWith(each))) continue
    const known = new Set(rows)
    expect({ path, added: (after[path] ?? []).filter((row) => !known.has(row)) }).toEqual({ path, added: [] })
  }
}
