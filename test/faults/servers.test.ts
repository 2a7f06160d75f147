import { setTimeout as wait } from 'node:timers/promises'
import { getEntityManager } from 'stemma'
import { type DataSource, In } from 'typeorm'
import { createTables } from '../support/create-tables'
import { createDataSource } from '../support/data-source'
import { operate } from '../support/operate'
import { type ServerOptions, startServer, type TestServer } from '../support/server'
import { withServer } from '../support/with-server'
import {
  compareWithDatabase,
  Entry,
  EntryDefinition,
  LEDGER,
  NO_DIFFERENCES,
  RESOURCES,
  startTraffic,
  statusAndCode,
} from './support/ledger'
import {
  missingPrograms,
  type ServerName,
  startDatabaseServer,
  type TestDatabaseServer,
  withOperator,
} from './support/servers'

// These tests start their own database servers and make them fail.

const DURATION = 1500
const SERVERS = ['PostgreSQL', 'MariaDB'] as const

// `npm run verify -- faults` requires all of them.
if (process.env.FAULTS === 'onServers') {
  it.each(SERVERS)('%s is installed', (name) => {
    expect(missingPrograms(name)).toEqual([])
  })
}

describe.each<ServerName>(SERVERS)('%s', (name) => {
  const missing = missingPrograms(name)
  // Skipped if the server is not installed; `npm run verify -- faults` requires it.
  if (missing.length > 0) return void it.skip(`is not installed: there is no ${missing.join(', no ')}`, () => undefined)

  let own: TestDatabaseServer
  let dataSource: DataSource
  let server: TestServer
  let reported: unknown[] = []

  beforeAll(async () => {
    own = await startDatabaseServer(name)
    dataSource = await createDataSource({ ...own.connection, poolSize: 3, connectTimeoutMS: 1000 }, LEDGER).initialize()
    await createTables(dataSource)
    server = await startServer({ dataSource, ...OPTIONS })
  })
  afterAll(async () => {
    await server?.close()
    await dataSource?.destroy()
    await own?.close()
  })
  beforeEach(async () => {
    for (const table of LEDGER) await dataSource.getRepository<object>(table).clear()
  })
  afterEach(() => {
    EntryDefinition.between = async () => undefined
    reported = []
  })

  const OPTIONS = {
    resources: RESOURCES,
    definitions: [new EntryDefinition()],
    limits: { timeout: DURATION },
    onError: (error: unknown) => reported.push(error),
  }

  /** Runs `work` with another API on the same server, which has its own `DataSource`. */
  function useApi(options: object, work: (other: TestServer) => Promise<void>, more: Partial<ServerOptions> = {}) {
    return withServer(own, LEDGER, { poolSize: 1, ...options }, { ...OPTIONS, ...more }, work)
  }

  const entry = (text: string) => ({ data: { type: 'entries', attributes: { name: text } } })

  it('a crash and restart during requests neither loses acknowledged writes nor stores parts', async () => {
    const traffic = startTraffic(server)
    await traffic.waitForWrites(20)
    await own.crash()
    await traffic.waitForResponse(/503/)
    await wait(300)
    await own.start()
    await traffic.waitForWrites(20)
    expect(await compareWithDatabase(dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
    expect(reported.length).toBeGreaterThan(0)
  })

  it('connections that end within transactions neither lose acknowledged writes nor store parts', async () => {
    EntryDefinition.between = () => wait(10)
    const traffic = startTraffic(server)
    for (let times = 0; times < 5; times += 1) {
      await traffic.waitForWrites(5)
      await own.endConnections(dataSource)
    }
    await traffic.waitForWrites(20)
    const log = await traffic.stop()
    expect(await compareWithDatabase(dataSource, log)).toEqual(NO_DIFFERENCES)
  })

  it('requests to a hanging server return 503 in time, and connections recover afterwards', async () => {
    const traffic = startTraffic(server)
    await traffic.waitForWrites(10)
    own.freeze()
    try {
      await traffic.waitForResponse(/503/)
      await wait(DURATION)
    } finally {
      own.thaw()
    }
    await traffic.waitForWrites(20)
    expect(await compareWithDatabase(dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
  })

  it('in a deadlock of two writes, each succeeds or returns 503 write.serialization-failure', async () => {
    const ids: string[] = []
    for (const text of ['left', 'right']) ids.push((await server.post('/entries').send(entry(text))).body.data.id)
    const [left = '', right = ''] = ids
    const set = (id: string, amount: number) => ({
      op: 'update',
      data: { type: 'entries', id, attributes: { amount } },
    })
    const play = async (other: TestServer) => {
      for (let round = 1; round <= 10; round += 1) {
        const kinds = await Promise.all([
          statusAndCode(operate(other, set(left, round), set(right, round))),
          statusAndCode(operate(other, set(right, -round), set(left, -round))),
        ])
        for (const kind of kinds) expect(kind).toMatch(/^(20[04]|503 write\.serialization-failure)$/)
        const rows = await dataSource.getRepository(Entry).findBy({ id: In([left, right]) })
        expect(new Set(rows.map(({ amount }) => amount)).size).toBe(1)
      }
    }
    // Without a timeout, so that no write returns server.timeout.
    await useApi({ poolSize: 3 }, play, { limits: { timeout: null } })
  })

  it('a write that waits for a lock returns 503 after the lock timeout of the database', async () => {
    const { id } = (await server.post('/entries').send(entry('locked'))).body.data
    const short = name === 'PostgreSQL' ? { extra: { lock_timeout: 200 } } : {}
    if (name === 'MariaDB')
      await withOperator(own.connection, (at) => at.query('set global innodb_lock_wait_timeout = 1'))
    const holder = dataSource.createQueryRunner()
    await holder.startTransaction()
    await holder.manager.update(Entry, id, { amount: 1 })
    const more = { maxRetries: 0, limits: { timeout: null } }
    await useApi(
      short,
      async (other) => {
        const data = { type: 'entries', id, attributes: { amount: 2 } }
        expect(await statusAndCode(other.patch(`/entries/${id}`).send({ data }))).toBe(
          '503 write.serialization-failure',
        )
        await holder.rollbackTransaction()
        expect(await statusAndCode(other.patch(`/entries/${id}`).send({ data }))).toBe('204')
      },
      more,
    )
    await holder.release()
    expect(await dataSource.getRepository(Entry).findOneBy({ id })).toMatchObject({ amount: 2 })
  })

  it('a statement timeout of the database returns 503, and affects no faster statement', async () => {
    const limit = name === 'PostgreSQL' ? { extra: { statement_timeout: 1000 } } : {}
    if (name === 'MariaDB') await withOperator(own.connection, (at) => at.query('set global max_statement_time = 1'))
    const lasting = (seconds: number) =>
      name === 'PostgreSQL' ? `select pg_sleep(${seconds})` : `select sleep(${seconds})`
    await useApi(
      limit,
      async (other) => {
        for (const [seconds, expected] of [
          [0.3, '201'],
          [3, '503 server.timeout'],
          [0.3, '201'],
        ] as const) {
          EntryDefinition.between = (write) => getEntityManager(write).query(lasting(seconds))
          const text = `slept for ${seconds} of 1`
          expect(await statusAndCode(other.post('/entries').send(entry(text)))).toBe(expected)
          expect((await dataSource.getRepository(Entry).countBy({ name: text })) > 0).toBe(expected === '201')
        }
      },
      { limits: { timeout: null } },
    )
    if (name === 'MariaDB') await withOperator(own.connection, (at) => at.query('set global max_statement_time = 0'))
  })

  it('requests return 503 while the server is down, and succeed after its start', async () => {
    await useApi({ connectTimeoutMS: 3000 }, async (other) => {
      await own.crash()
      expect([
        await statusAndCode(other.get('/entries')),
        await statusAndCode(other.post('/lines').send(line)),
      ]).toEqual([GONE, GONE])
      expect(await statusAndCode(other.post('/entries').send(entry('gone')))).toBe(GONE)
      await own.start()
      expect(await statusAndCode(other.get('/entries?page[size]=1'))).toBe('200')
      expect(await statusAndCode(other.post('/lines').send(line))).toBe('201')
      expect(await dataSource.getRepository(Entry).countBy({ name: 'gone' })).toBe(0)
    })
  })
  const GONE = '503 server.unavailable'
  const line = { data: { type: 'lines', attributes: { name: 'line' } } }
})
