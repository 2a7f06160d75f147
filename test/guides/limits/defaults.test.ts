import type { IncomingMessage } from 'node:http'
import { IdempotencyKey } from 'stemma'
import { apiOver, type TestApi, using } from '../../support/api'
import { Article, BLOGS, startBlogs, Tag } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { errorsOf } from '../../support/expectations'
import { upper } from '../../support/functions'
import { ATOMIC } from '../../support/operate'
import { insertRows } from '../../support/rows'
import type { Sending } from '../../support/server'
import { setUp } from '../../support/set-up'
import { startServerOn } from '../../support/start-server-on'

interface Asked extends Sending {
  readonly method?: string
  readonly path: string
}

/** A request with that many, and the error for one more: `400 query.filter filter`. */
type Limit = readonly [what: string, most: number, ask: (count: number) => string | Asked, error: string]

async function expectLimit(api: TestApi, [, most, ask, error]: Limit): Promise<void> {
  const send = (count: number) => {
    const asked = ask(count)
    const { method = 'GET', path, ...sending } = typeof asked === 'string' ? { path: asked } : asked
    return api.request(method, path, sending)
  }
  expect(errorsOf(await send(most))).toEqual([])
  expect(errorsOf(await send(most + 1))).toEqual([error])
}

const times = (count: number, text: string) => Array<string>(count).fill(text).join()
const nested = (count: number, [open, within, close]: readonly [string, string, string]) =>
  open.repeat(count) + within + close.repeat(count)

describe('defaults', () => {
  const api = setUp(() => startBlogs({ functions: [upper] }))
  let tags: readonly { readonly type: 'tags'; readonly id: string }[]

  beforeAll(async () => {
    await api.add(Article, { title: 'Elm' })
    tags = Array.from({ length: 1001 }, (_, index) => ({ type: 'tags', id: `t${index}` }))
    const rows = tags.map(({ id }) => ({ id }))
    await insertRows(api.dataSource, Tag, rows)
  })

  const padded = (length: number, [start, end]: readonly [string, string]) =>
    start + 'x'.repeat(length - start.length - end.length) + end
  const create = (extra: unknown) => ({ data: { type: 'articles', attributes: { title: 'Oak', extra } } })

  it.each<Limit>([
    [
      'characters of a URL',
      8192,
      (count) => padded(count, ['/articles?filter=equals(title,%27', '%27)']),
      '414 url.too-long',
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
      '400 document.shape',
    ],
    [
      'functions and values in filters',
      500,
      // The function is one of them.
      (count) => `/articles?filter=any(title,${Array.from({ length: count - 1 }, (_, place) => `'${place}'`)})`,
      '400 query.filter filter',
    ],
    [
      'functions within each other in a filter',
      20,
      (count) => `/articles?filter=${nested(count - 1, ['not(', 'has(tags)', ')'])}`,
      '400 query.filter filter',
    ],
    [
      'functions within each other in a sort key',
      20,
      (count) => `/articles?sort=${nested(count, ['upper(', 'title', ')'])}`,
      '400 query.sort sort',
    ],
    [
      'paths to include',
      20,
      (count) => `/articles?page[size]=1&include=${times(count, 'blog')}`,
      '400 query.include include',
    ],
    [
      'relationships in a path to include',
      5,
      (count) => `/comments?page[size]=1&include=${times(count, 'parent').replaceAll(',', '.')}`,
      '400 query.include include',
    ],
    ['sort keys', 10, (count) => `/articles?sort=${times(count, 'title')}`, '400 query.sort sort'],
    [
      'sort keys of what is included',
      10,
      (count) => `/articles?include=comments&sort[comments]=${times(count, 'body')}`,
      '400 query.sort sort[comments]',
    ],
    [
      'to-one relationships in a path of a filter',
      20,
      (count) => `/comments?filter=equals(${'parent.'.repeat(count)}body,'a')`,
      '400 query.filter filter',
    ],
    [
      'to-one relationships in a path of a sort key',
      20,
      (count) => `/comments?sort=${'parent.'.repeat(count)}body`,
      '400 query.sort sort',
    ],
    ['resources on a page', 100, (count) => `/articles?page[size]=${count}`, '400 query.page page[size]'],
    [
      'identifiers of a relationship',
      1000,
      (count) => ({
        method: 'PATCH',
        path: '/articles/1/relationships/tags',
        body: { data: tags.slice(0, count) },
      }),
      '413 relationship.too-many /data',
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
      '413 operation.too-many /atomic:operations',
    ],
  ])('limits %s to %i', (...limit) => expectLimit(api, limit))
})

describe('with larger pages and longer URLs', () => {
  const api = setUp(() =>
    startBlogs({
      page: { size: 10, maximumSize: 1_000_000, maximumNumber: 7 },
      limits: { urlLength: null },
    }),
  )

  it.each<Limit>([
    [
      'functions in or()',
      500,
      (count) => `/articles?filter=or(${times(count - 1, 'equals(likes,null)')})`,
      '400 query.filter filter',
    ],
    [
      'functions in and()',
      500,
      (count) => `/articles?filter=and(${times(count - 1, 'equals(likes,null)')})`,
      '400 query.filter filter',
    ],
    ['the cost', 100_000, (count) => `/articles?page[size]=${count}`, '400 query.cost page[size]'],
    ['the number of a page', 7, (count) => `/articles?page[number]=${count}`, '400 query.page page[number]'],
  ])('limits %s to %i', (...limit) => expectLimit(api, limit))
})

it('limits an idempotency key to 255 characters', async () => {
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
  await using(Promise.resolve(apiOver(database, server)), (api) =>
    expectLimit(api, ['characters', 255, post, '400 header.idempotency-key Idempotency-Key']),
  )
})

it('limits concurrent requests to 100 with the option overload', async () => {
  const waiting: (() => void)[] = []
  const context = ({ headers }: IncomingMessage) =>
    headers['x-wait'] === undefined ? undefined : new Promise<void>((resolve) => waiting.push(resolve))
  await using(startBlogs({ overload: { wait: null }, context }), async (api) => {
    const startRequest = () => api.get('/blogs').set({ 'x-wait': 'yes' }).start()
    const responses = Array.from({ length: 99 }, startRequest)
    await until(() => waiting.length === 99)
    await api.get('/blogs').expect(200)
    responses.push(startRequest())
    await until(() => waiting.length === 100)
    expect(errorsOf(await api.get('/blogs'))).toEqual(['503 server.overloaded'])
    for (const end of waiting) end()
    expect(new Set((await Promise.all(responses)).map((each) => each.status))).toEqual(new Set([200]))
  })
})

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 1000; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isSo()).toBe(true)
}
