import request from 'supertest'
import { createApp } from '../app'
import { type RunningApi, startApi } from './start-api'

let api: RunningApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

describe('the migrations', () => {
  it('create the tables of the classes', async () => {
    const { upQueries } = await api.dataSource.driver.createSchemaBuilder().log()
    expect(upQueries.map(({ query }) => query)).toEqual([])
  })

  it('can be reverted', async () => {
    for (const _ of api.dataSource.migrations) await api.dataSource.undoLastMigration()
    expect(await api.dataSource.runMigrations()).toHaveLength(2)
  })
})

describe('the process', () => {
  it('is alive, and ready until it ends', async () => {
    await request(api.app).get('/healthz').expect(200, { isAlive: true })
    await request(api.app).get('/readyz').expect(200, { isReady: true })
    await request(createApp(api.dataSource, () => true))
      .get('/readyz')
      .expect(503, { isReady: false })
  })

  it('answers a body that is no JSON with the reason', async () => {
    const { body } = await request(api.app).post('/tokens').type('json').send('{').expect(400)
    expect(body.error).toContain('JSON')
  })
})

describe('TOKEN_SECRET and ETAG_SECRET', () => {
  const { env } = process
  afterEach(() => {
    process.env = env
  })

  it.each([
    ['of fewer than 16 characters', { TOKEN_SECRET: 'short' }, 'TOKEN_SECRET has fewer than 16 characters.'],
    ['that are missing in production', { NODE_ENV: 'production' }, 'TOKEN_SECRET is not set.'],
  ])('%s are refused', (_what, added, message) => {
    process.env = { ...env, ...added }
    jest.isolateModules(() => expect(() => require('../settings')).toThrow(message))
  })
})
