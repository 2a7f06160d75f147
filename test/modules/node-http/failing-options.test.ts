import type { RequestHandler } from 'express'
import type { JsonObject } from 'stemma'
import { type ApiOptions, define, setUp, startApiOn, type TestApi, useApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { expectError } from '../../support/expectations'
import { operate } from '../../support/operate'
import type { EntryPoint } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { someTurns, until } from '../../support/until'

// Functions in the options can throw wherever they are called: requests are answered and the process survives.

const database = setUp(() => openDatabase(BLOGS))
// PostgreSQL and MariaDB truncate no table that another one refers to.
beforeEach(() => database.dataSource.createQueryBuilder().delete().from(Blog).execute())

const withApi = (options: ApiOptions, work: (api: TestApi) => Promise<void>) =>
  useApi(startApiOn(database, { resources: BLOGS, ...options }), work)

const limits = setUp(() => watchTimeLimits(DURATION))

const fail = () => {
  throw new Error('It is broken.')
}

const FAILED = {
  jsonapi: { version: '1.1' },
  errors: [{ status: '500', code: 'server.error', title: 'The server failed.' }],
}

describe.each<EntryPoint>(['router', 'listener'])('through the %s', (entryPoint) => {
  it.each<[string, ApiOptions]>([
    ['the OpenAPI document is served', { openApi: true }],
    ['the explorer is served', { explorer: true }],
  ])('returns 500 when meta throws and %s', async (_where, options) => {
    const reported: unknown[] = []
    const onError = (error: unknown) => reported.push(error)
    await withApi({ ...options, entryPoint, meta: fail, onError }, async (api) => {
      expectError(await api.post('/openapi.json'), 500, undefined, 'server.error')
      expect(reported).toEqual([new Error('It is broken.'), new Error('It is broken.')])
      await api.get('/openapi.json').unchecked().expect(200)
    })
  })

  it.each<[string, () => unknown]>([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('prints the errors when onError itself %s', async (_how, onError) => {
    const printed: unknown[][] = []
    const { error } = console
    console.error = (...words: unknown[]) => printed.push(words)
    try {
      await withApi({ entryPoint, meta: fail, onError }, async (api) => {
        await api.get('/blogs').expect(500)
        await until('the errors are printed', () => printed.length > 0)
        expect(printed[0]).toEqual([new Error('It is broken.'), new Error('It is broken.')])
      })
    } finally {
      console.error = error
    }
  })

  it('returns 500 without caching headers when cacheControl returns an illegal header value', async () => {
    const reported: unknown[] = []
    const options = { cacheControl: () => 'private\nX-More: 1', etags: 'all', serverTiming: true } as const
    await withApi({ ...options, entryPoint, onError: (error) => reported.push(error) }, async (api) => {
      await api.add(Blog, { title: 'Trees' })
      const { status, body, headers } = await api.get('/blogs')
      expect([status, body]).toEqual([500, FAILED])
      expect([headers.etag, headers['cache-control']]).toEqual([undefined, undefined])
      expect(headers['content-type']).toBe('application/vnd.api+json')
      expect(reported).toEqual([expect.objectContaining({ code: 'ERR_INVALID_CHAR' })])
      await api.request('OPTIONS', '/blogs').expect(204)
    })
  })

  it('does not time out a request that has failed already', async () => {
    const reported: unknown[] = []
    const options = { cacheControl: () => 'private\n', limits: { timeout: DURATION } } as const
    await withApi({ ...options, entryPoint, onError: (error) => reported.push(error) }, async (api) => {
      const { status } = await api.get('/blogs')
      limits.passAll()
      // What comes of it is done in the turns that follow.
      await someTurns()
      expect([status, reported.length]).toEqual([500, 1])
    })
  })
})

it('returns 500 when trust proxy throws after a timeout', async () => {
  const reported: unknown[] = []
  const before: RequestHandler = ({ app }, _response, next) => {
    app.set('trust proxy', fail)
    next()
  }
  // Its time is over when it waits.
  const never = () => {
    limits.passAll()
    return new Promise<never>(() => {})
  }
  const options = { before, context: never, links: { base: 'request' }, limits: { timeout: DURATION } } as const
  await withApi({ ...options, entryPoint: 'router', onError: (error) => reported.push(error) }, async (api) => {
    const { status, body } = await api.get('/blogs')
    expect([status, body]).toEqual([500, FAILED])
    expect(reported.map((error) => (error as Error).message)).toEqual([
      'GET /blogs was aborted after its timeout.',
      'It is broken.',
    ])
  })
})

const created = { data: { type: 'blogs', attributes: { title: 'New' } } }

describe.each<[string, ApiOptions]>([
  ['with rules', { definitions: [define(Blog, { beforeWrite: async () => undefined })] }],
  ['without rules', {}],
])('a write when meta fails, %s', (_which, rules) => {
  it.each<[string, () => JsonObject]>([
    ['throws', fail],
    ['returns a value that is no JSON', () => ({ size: 1n }) as unknown as JsonObject],
  ])('is rolled back when meta %s', async (_how, meta) => {
    await withApi({ ...rules, meta, onError: () => {} }, async (api) => {
      const id = await api.add(Blog, { title: 'Trees' })
      const requests = [
        api.post('/blogs').send(created),
        api.patch(`/blogs/${id}`).send({ data: { ...created.data, id } }),
        api.delete(`/blogs/${id}`),
        operate(api, { op: 'add', ...created }),
      ]
      for (const request of requests) {
        expect((await request).status).toBe(500)
        expect(await api.valuesOf(Blog, 'title')).toEqual(['Trees'])
      }
    })
  })
})
