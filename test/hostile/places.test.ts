import fc from 'fast-check'
import { IdempotencyKey } from 'stemma'
import { EFFORT, holdsFor, SEED, TIME_LIMIT } from '../properties/support/random'
import { apiOver, refs, setUp, startServerOn } from '../support/api'
import { Article, BLOGS, Blog, Comment, Revision, Tag } from '../support/blogs'
import { openDatabase } from '../support/database'
import { getRaw, sendRaw } from '../support/raw-http'
import { TRADE } from '../support/trade'
import { VEHICLES } from '../support/vehicles'
import { ACCEPT } from '../support/walk'
import { PLACES, type Place, VICTIM } from './support/places'
import { BROKEN_ENCODINGS, TRICKS } from './support/tricks'

// Every place where text gets in, and every text that may try something there. What comes back is a document, the mistake is the client's
// and says where it is, and the database holds what it held, but for what was asked for.

jest.setTimeout(TIME_LIMIT * 3)

const api = setUp(async () => {
  const resources = [...BLOGS, ...TRADE, ...VEHICLES]
  const database = await openDatabase([...resources, IdempotencyKey])
  const options = { resources, idempotency: { owner: () => '' }, clientGeneratedIds: 'allowed' } as const
  return apiOver(database, await startServerOn(database, options))
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

/** A run of all tests sends every 24th, others with each seed; `npm run fuzz` sends all. */
const STRIDE = Math.max(1, Math.floor(12 / EFFORT))

it('sends every text, and names no place twice', () => {
  expect(new Set(PLACES.map(({ name }) => name)).size).toBe(PLACES.length)
  expect(new Set(TRICKS.map(([, text]) => text)).size).toBe(TRICKS.length)
  expect([PLACES.length, TRICKS.length].map((count) => count > 100)).toEqual([true, true])
})

it.each(PLACES.map((place, nth) => [place.name, place, nth] as const))(
  'hostile texts in %s are refused or harmless',
  async (_name, place, nth) => {
    const sent = TRICKS.filter((_, index) => (index + nth) % STRIDE === SEED % STRIDE)
    await leavesAlone(place.adds, async () => {
      let answered = 0
      for (const [trick, text] of sent) answered += (await tryText(place, text, trick)) ? 1 : 0
      expect(answered).toBeGreaterThan(0)
    })
  },
)

it('hostile texts in several places at once are refused or harmless', async () => {
  const texts = fc
    .array(fc.constantFrom(...TRICKS), { minLength: 2, maxLength: 4 })
    .map((some) => some.map(([, text]) => text).join(''))
  const asked = fc
    .tuple(fc.constantFrom(...PLACES), texts)
    .map(([place, text]) => ({ url: `${place.name}: ${text}`, place, text }))
  const adds = [...new Set(PLACES.flatMap((place) => place.adds))]
  await leavesAlone(adds, () => holdsFor(asked, 100, async ({ place, text }) => void (await tryText(place, text, ''))))
})

it.each(BROKEN_ENCODINGS)('a broken or overlong encoding %s is refused', async (text) => {
  const paths = [
    ...[`/${text}`, `/tags/${text}`, `/articles/1/${text}`, `/articles/1/relationships/${text}`, `/tags/a${text}b`],
    ...['filter', 'sort', 'include', 'page[size]', 'page[after]', 'fields[articles]'].map(
      (name) => `/articles?${name}=${text}`,
    ),
    ...[`/articles?filter=equals(title,'${text}')`, `/articles?filter[${text}]=has(tags)`, `/articles?${text}=1`],
    ...[`/articles?fields[${text}]=title`, `/articles?filter=equals(title,'a${text}') or 1=1`.replaceAll(' ', '+')],
  ]
  await leavesAlone([], async () => {
    for (const path of paths) {
      const { status, body } = await getRaw(api.url, path)
      // As the text of a title, what is encoded twice is one as good as any.
      const isText = status === 200 && body.data.length === 0
      expect({ path, isText, isRefused: [400, 404].includes(status) }).toEqual({ path, isText, isRefused: !isText })
    }
  })
})

describe('a cursor', () => {
  const LISTS = [
    ...['/articles?sort=title', '/articles?sort=-title', '/articles?sort=views,title', '/articles?sort=rating'],
    ...[
      '/articles?sort=price',
      '/articles?sort=publishedAt',
      '/articles?sort=count(tags)',
      '/articles?sort=blog.title',
    ],
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

  it.each(LISTS)('of %s is refused in other lists', async (list) => {
    const cursor = await cursorOf(list)
    expect((await page(list, `&page[after]=${cursor}`)).status).toBe(200)
    // The members of a relationship are the same list as what is related.
    const same = (each: string) => each.replace('/relationships/', '/')
    for (const other of LISTS.filter((each) => same(each) !== same(list))) {
      const { status, body } = await page(other, `&page[after]=${cursor}`)
      expect([status, body.errors[0].source]).toEqual([400, { parameter: 'page[after]' }])
    }
  })

  it.each(LISTS)('of %s is refused when changed, or leads to a page', async (list) => {
    const [mark, ...values]: readonly unknown[] = JSON.parse(Buffer.from(await cursorOf(list), 'base64url').toString())
    const made = TRICKS.filter((_, index) => index % STRIDE === SEED % STRIDE).flatMap(([, text]) => [
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

/** Whether it could be sent. */
async function tryText({ ask, source }: Place, text: string, trick: string): Promise<boolean> {
  const request = ask(text)
  if (request === undefined) return false
  const { status, body } = await sendRaw(api.url, request)
  const told = { trick, text, status, request }
  if (status >= 500) throw new Error(`Answered ${status}: ${JSON.stringify({ ...told, document: body })}`)
  const errors: readonly { source?: object }[] = body?.errors ?? []
  if (status >= 400) expect({ ...told, count: errors.length > 0 }).toEqual({ ...told, count: true })
  if (source === 'url') return true
  const stray = errors.filter(({ source: found }) => found === undefined || !Object.hasOwn(found, source))
  if (stray.length > 0) throw new Error(`Without its place: ${JSON.stringify({ ...told, stray })}`)
  return true
}

/** Or one of its tags. */
function isVictim(row: string): boolean {
  return row.includes(VICTIM) || /"articleId":"?2"?[,}]/.test(row)
}

/** Nothing is gone or changed but the victim, and rows are added to these tables only. */
async function leavesAlone(adds: readonly string[], work: () => Promise<void>): Promise<void> {
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
