import type { IncomingMessage } from 'node:http'
import { IdempotencyKey } from 'stemma'
import type { Response } from 'supertest'
import { apiOver, type TestApi, using } from '../support/api'
import { Article, BLOGS, startBlogs, Tag } from '../support/blogs'
import { openDatabase } from '../support/database'
import { upper } from '../support/functions'
import { ATOMIC } from '../support/operate'
import { insertRows } from '../support/rows'
import type { Sending } from '../support/server'
import { startServerOn } from '../support/start-server-on'

// What holds where nothing is said of limits: the most that may be is answered, and one more is refused, with its place.

interface Asked extends Sending {
  readonly method?: string
  readonly path: string
}

interface Refused {
  readonly status: number
  readonly code: string
  /** `undefined`: it has none. */
  readonly source?: object
}

type Limit = readonly [what: string, most: number, ask: (count: number) => string | Asked, refused: Refused]

async function ask(api: TestApi, asked: string | Asked): Promise<Response> {
  const { method = 'GET', path, ...sending } = typeof asked === 'string' ? { path: asked } : asked
  return api.request(method, path, sending)
}

async function expectLimit(api: TestApi, [, most, toAsked, { status, ...refused }]: Limit): Promise<void> {
  const { status: found, text } = await ask(api, toAsked(most))
  expect([found < 300, found < 300 || text]).toEqual([true, true])
  const { status: over, body } = await ask(api, toAsked(most + 1))
  expect(over).toBe(status)
  expect(body.errors).toHaveLength(1)
  const [{ code, source }] = body.errors
  expect({ code, source }).toEqual({ source: undefined, ...refused })
}

const times = (count: number, text: string) => Array<string>(count).fill(text).join()
const nested = (count: number, [open, within, close]: readonly [string, string, string]) =>
  open.repeat(count) + within + close.repeat(count)
const filter = { status: 400, code: 'query.filter', source: { parameter: 'filter' } }
const sort = { status: 400, code: 'query.sort', source: { parameter: 'sort' } }
const include = { status: 400, code: 'query.include', source: { parameter: 'include' } }

describe('by default', () => {
  let api: TestApi
  let tags: readonly { readonly type: 'tags'; readonly id: string }[]

  beforeAll(async () => {
    api = await startBlogs({ functions: [upper] })
    await api.add(Article, { title: 'Elm' })
    tags = Array.from({ length: 1001 }, (_, index) => ({ type: 'tags', id: `t${index}` }))
    const rows = tags.map(({ id }) => ({ id }))
    await insertRows(api.dataSource, Tag, rows)
  })
  afterAll(() => api.close())

  const padded = (length: number, [start, end]: readonly [string, string]) =>
    start + 'x'.repeat(length - start.length - end.length) + end
  const create = (extra: unknown) => ({ data: { type: 'articles', attributes: { title: 'Oak', extra } } })

  it.each<Limit>([
    [
      'characters of a URL',
      8192,
      (count) => padded(count, ['/articles?filter=equals(title,%27', '%27)']),
      { status: 414, code: 'url.too-long' },
    ],
    [
      'arrays and objects within each other in a body',
      100,
      // The document, its data and the attributes are three of them.
      (count) => ({
        method: 'POST',
        path: '/articles',
        body: create(JSON.parse(nested(count - 3, ['[', '', ']']))),
      }),
      { status: 400, code: 'document.shape' },
    ],
    [
      'functions and values in filters',
      500,
      // The function is one of them.
      (count) => `/articles?filter=any(title,${Array.from({ length: count - 1 }, (_, place) => `'${place}'`)})`,
      filter,
    ],
    [
      'functions within each other in a filter',
      20,
      (count) => `/articles?filter=${nested(count - 1, ['not(', 'has(tags)', ')'])}`,
      filter,
    ],
    [
      'functions within each other in a sort key',
      20,
      (count) => `/articles?sort=${nested(count, ['upper(', 'title', ')'])}`,
      sort,
    ],
    ['paths to include', 20, (count) => `/articles?page[size]=1&include=${times(count, 'blog')}`, include],
    [
      'relationships in a path to include',
      5,
      (count) => `/comments?page[size]=1&include=${times(count, 'parent').replaceAll(',', '.')}`,
      include,
    ],
    ['sort keys', 10, (count) => `/articles?sort=${times(count, 'title')}`, sort],
    [
      'sort keys of what is included',
      10,
      (count) => `/articles?include=comments&sort[comments]=${times(count, 'body')}`,
      { ...sort, source: { parameter: 'sort[comments]' } },
    ],
    [
      'to-one relationships in a path of a filter',
      20,
      (count) => `/comments?filter=equals(${'parent.'.repeat(count)}body,'a')`,
      filter,
    ],
    [
      'to-one relationships in a path of a sort key',
      20,
      (count) => `/comments?sort=${'parent.'.repeat(count)}body`,
      sort,
    ],
    [
      'resources on a page',
      100,
      (count) => `/articles?page[size]=${count}`,
      { status: 400, code: 'query.page', source: { parameter: 'page[size]' } },
    ],
    [
      'identifiers of a relationship',
      1000,
      (count) => ({
        method: 'PATCH',
        path: '/articles/1/relationships/tags',
        body: { data: tags.slice(0, count) },
      }),
      { status: 413, code: 'relationship.too-many', source: { pointer: '/data' } },
    ],
    [
      'operations in a request',
      100,
      (count) => ({
        method: 'POST',
        path: '/operations',
        body: { 'atomic:operations': Array(count).fill({ op: 'add', ...create(null) }) },
        headers: { 'content-type': ATOMIC, accept: ATOMIC },
      }),
      { status: 413, code: 'operation.too-many', source: { pointer: '/atomic:operations' } },
    ],
  ])('limits %s to %i', (...limit) => expectLimit(api, limit))
})

describe('where pages may be larger and have a last one, and URLs are longer', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startBlogs({
      page: { size: 10, maximumSize: 1_000_000, maximumNumber: 7 },
      limits: { urlLength: null },
    })
  })
  afterAll(() => api.close())

  it.each<Limit>([
    [
      'functions of which one has to be true',
      500,
      (count) => `/articles?filter=or(${times(count - 1, 'equals(likes,null)')})`,
      filter,
    ],
    [
      'functions that all have to be true',
      500,
      (count) => `/articles?filter=and(${times(count - 1, 'equals(likes,null)')})`,
      filter,
    ],
    [
      'the resources that an answer could be made of',
      100_000,
      (count) => `/articles?page[size]=${count}`,
      { status: 400, code: 'query.cost', source: { parameter: 'page[size]' } },
    ],
    [
      'the number of a page',
      7,
      (count) => `/articles?page[number]=${count}`,
      { status: 400, code: 'query.page', source: { parameter: 'page[number]' } },
    ],
  ])('limits %s to %i', (...limit) => expectLimit(api, limit))
})

it('limits the characters of a key to 255', async () => {
  const database = await openDatabase([...BLOGS, IdempotencyKey])
  const idempotency = { owner: () => 'everyone' }
  const server = await startServerOn(database, { resources: BLOGS, idempotency })
  const body = { data: { type: 'blogs', attributes: { title: 'Trees' } } }
  const post = (count: number): Asked => ({
    method: 'POST',
    path: '/blogs',
    body,
    headers: { 'idempotency-key': JSON.stringify('k'.repeat(count)) },
  })
  const source = { header: 'Idempotency-Key' }
  await using(Promise.resolve(apiOver(database, server)), (api) =>
    expectLimit(api, ['characters', 255, post, { status: 400, code: 'header.idempotency-key', source }]),
  )
})

it('limits the requests under way to 100, once there is a limit to overload', async () => {
  const kept: (() => void)[] = []
  const context = ({ headers }: IncomingMessage) =>
    headers['x-kept'] === undefined ? undefined : new Promise<void>((resolve) => kept.push(resolve))
  await using(startBlogs({ overload: { wait: null }, context }), async (api) => {
    const keep = () => api.get('/blogs').set({ 'x-kept': 'yes' }).start()
    const answers = Array.from({ length: 99 }, keep)
    await until(() => kept.length === 99)
    await api.get('/blogs').expect(200)
    answers.push(keep())
    await until(() => kept.length === 100)
    const { status, body } = await api.get('/blogs')
    expect([status, body.errors[0].code, body.errors[0].source]).toEqual([503, 'server.overloaded', undefined])
    for (const letGo of kept) letGo()
    expect(new Set((await Promise.all(answers)).map((each) => each.status))).toEqual(new Set([200]))
  })
})

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 1000; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isSo()).toBe(true)
}
