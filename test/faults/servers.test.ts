import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { createTables } from '../support/create-tables'
import { createDataSource } from '../support/data-source'
import { updateResource } from '../support/documents'
import { startServer, type TestServer } from '../support/server'
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
  it.each(SERVERS)('%s is installed', (name) => expect(missingPrograms(name)).toEqual([]))
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

  it('a crash and restart during requests neither loses acknowledged writes nor stores parts', async () => {
    const traffic = startTraffic(server)
    await traffic.waitForWrites(20)
    await own.crash()
    await traffic.waitForResponse(/503/)
    // Time for more requests that find no server.
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
    expect(await compareWithDatabase(dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
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

  it('a write that waits for a lock returns 503 after the lock timeout of the database', async () => {
    const data = { type: 'entries', attributes: { name: 'locked' } }
    const { id } = (await server.post('/entries').send({ data })).body.data
    const short = name === 'PostgreSQL' ? { extra: { lock_timeout: 200 } } : {}
    if (name === 'MariaDB')
      await withOperator(own.connection, (at) => at.query('set global innodb_lock_wait_timeout = 1'))
    const holder = dataSource.createQueryRunner()
    await holder.startTransaction()
    await holder.manager.update(Entry, id, { amount: 1 })
    const options = { ...OPTIONS, maxRetries: 0, limits: { timeout: null } }
    await withServer(own, LEDGER, { poolSize: 1, ...short }, options, async (other) => {
      const update = () => updateResource(other, 'entries', id, { amount: 2 })
      expect(await statusAndCode(update())).toBe('503 write.serialization-failure')
      await holder.rollbackTransaction()
      expect(await statusAndCode(update())).toBe('204')
    })
    await holder.release()
    expect(await dataSource.getRepository(Entry).findOneBy({ id })).toMatchObject({ amount: 2 })
  })
})
