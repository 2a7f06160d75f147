import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm'
import { DATABASE, openDatabase, type TestDatabase } from '../../support/database'
import { servePoolOfOne } from '../../support/serve-through'
import type { TestServer } from '../../support/server'
import { open, readSlowly } from './support/slow-reading'

// Long lists whose rows the database does not return in time. Only PostgreSQL streams them from a pool, which has one connection here.

@Resource('letters')
@Entity()
class Letter {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 1000 }) text: string
}

/** The database takes 20 seconds for one of them. */
@Resource('riddles')
@Entity()
class Riddle {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute()
  @VirtualColumn({
    type: 'int',
    query: (alias) => `select case when ${alias}."id" = ${LATE} then (select 1 from pg_sleep(20)) else 0 end`,
  })
  answer: number
}

/** 16 MB of letters: more than the system keeps for a client that reads nothing. */
const COUNT = 16_000
const LATE = 12_000
const DURATION = 1500

// On other databases a long list waits for no connection.
const onPostgres = DATABASE === 'postgres' ? describe : describe.skip

onPostgres('a long list', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openDatabase([Letter, Riddle])
    const { dataSource } = database
    const ids = `select id from generate_series(1, ${COUNT}) id`
    const [letters, riddles] = [Letter, Riddle].map((each) => dataSource.getMetadata(each).tablePath)
    await dataSource.query(`insert into ${letters} (id, text) select id, repeat('x', 1000) from (${ids}) ids`)
    await dataSource.query(`insert into ${riddles} (id) ${ids}`)
  }, 60_000)
  afterAll(() => database.close())

  const serving = (work: (server: TestServer, reported: readonly unknown[]) => Promise<void>) => {
    const limits = { duration: DURATION }
    const options = {
      resources: [Letter, Riddle],
      page: { size: null, maximumSize: null },
      totals: 'off',
      limits,
    } as const
    return servePoolOfOne(database, options.resources, options, work)
  }

  async function expectAnswer(server: TestServer): Promise<void> {
    const { status, body } = await server.get('/letters?page[size]=2')
    expect([status, body.data.length]).toEqual([200, 2])
  }

  it('returns 503 after limits.duration without a free connection', async () => {
    await serving(async (server, reported) => {
      // The OpenAPI document, against which answers are held, takes long the first time.
      await expectAnswer(server)
      const read = async () => {
        const from = performance.now()
        const response = await open(`${server.url}/letters`)
        const waited = performance.now() - from
        const { data, errors } = JSON.parse(await readSlowly(response, 50))
        return { status: response.statusCode, retry: response.headers['retry-after'], data, errors, waited }
      }
      const answers = await Promise.all([read(), read()])
      const [sent, refused] = answers.toSorted((one, other) => Number(one.status) - Number(other.status))
      expect([sent?.status, sent?.data.length]).toEqual([200, COUNT])
      expect([refused?.status, refused?.retry, refused?.errors[0].code]).toEqual([503, '1', 'server.timeout'])
      expect(refused?.waited).toBeGreaterThan(DURATION - 100)
      expect(reported).toMatchObject([{ message: 'GET /letters was given up.' }])
      await expectAnswer(server)
    })
  }, 30_000)

  it('is cut off when the next rows take longer than limits.duration, and frees its connection', async () => {
    await serving(async (server, reported) => {
      await expectAnswer(server)
      const from = performance.now()
      const response = await open(`${server.url}/riddles`)
      expect(response.statusCode).toBe(200)
      await expect(readSlowly(response, 50)).rejects.toThrow('aborted')
      expect(reported).toMatchObject([{ message: 'GET /riddles was cut off: no more of it could be read.' }])
      await expectAnswer(server)
      expect(performance.now() - from).toBeLessThan(15_000)
    })
  }, 30_000)
})
