import { setTimeout as wait } from 'node:timers/promises'
import { getEntityManager } from 'stemma'
import { type DataSource, In } from 'typeorm'
import { createDataSource } from '../support/data-source'
import { makeTables } from '../support/make-tables'
import { operate } from '../support/operate'
import { serveThrough } from '../support/serve-through'
import { type ServerOptions, startServer, type TestServer } from '../support/server'
import {
  compare,
  Entry,
  EntryDefinition,
  kindOf,
  LEDGER,
  NOTHING_WRONG,
  RESOURCES,
  startTraffic,
} from './support/ledger'
import { asOperator, missingFor, type OwnServer, type ServerName, startOwnServer } from './support/servers'

// The tests start their own servers, because they break them.

const DURATION = 1500
const SERVERS = ['PostgreSQL', 'MariaDB'] as const

// `npm run verify -- faults` requires all of them.
if (process.env.FAULTS === 'onServers') {
  it.each(SERVERS)('there is a %s to break', (name) => {
    expect(missingFor(name)).toEqual([])
  })
}

describe.each<ServerName>(SERVERS)('%s', (name) => {
  const missing = missingFor(name)
  // Where a server is not installed there is none to break.
  if (missing.length > 0) return void it.skip(`is not installed: there is no ${missing.join(', no ')}`, () => undefined)

  let own: OwnServer
  let dataSource: DataSource
  let server: TestServer
  let reported: unknown[] = []

  beforeAll(async () => {
    own = await startOwnServer(name)
    dataSource = await createDataSource({ ...own.place, poolSize: 3, connectTimeoutMS: 1000 }, LEDGER).initialize()
    await makeTables(dataSource)
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

  /** Another API on the same server, by a `DataSource` of its own. */
  function through(options: object, work: (other: TestServer) => Promise<void>, more: Partial<ServerOptions> = {}) {
    return serveThrough(own, LEDGER, { poolSize: 1, ...options }, { ...OPTIONS, ...more }, work)
  }

  const entry = (text: string) => ({ data: { type: 'entries', attributes: { name: text } } })

  it('crashes while requests are under way, and is started again: nothing is lost, nothing is half written', async () => {
    const traffic = startTraffic(server)
    await traffic.succeed(20)
    await own.crash()
    await traffic.see(/503/)
    await wait(300)
    await own.start()
    await traffic.succeed(20)
    const book = await traffic.stop()
    expect(await compare(dataSource, book)).toEqual(NOTHING_WRONG)
    expect(reported.length).toBeGreaterThan(0)
  })

  it('ends connections again and again in the middle of transactions', async () => {
    EntryDefinition.between = () => wait(10)
    const traffic = startTraffic(server)
    for (let times = 0; times < 5; times += 1) {
      await traffic.succeed(5)
      await own.endConnections(dataSource)
    }
    await traffic.succeed(20)
    const book = await traffic.stop()
    expect(await compare(dataSource, book)).toEqual(NOTHING_WRONG)
  })

  it('stands still, and goes on: requests are told so in time, and connections are found again', async () => {
    const traffic = startTraffic(server)
    await traffic.succeed(10)
    own.freeze()
    try {
      await traffic.see(/503/)
      await wait(DURATION)
    } finally {
      own.thaw()
    }
    await traffic.succeed(20)
    const book = await traffic.stop()
    expect(await compare(dataSource, book)).toEqual(NOTHING_WRONG)
  })

  it('gives up one of two writes that wait for each other: both succeed in the end, or say that they did not', async () => {
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
          kindOf(operate(other, set(left, round), set(right, round))),
          kindOf(operate(other, set(right, -round), set(left, -round))),
        ])
        for (const kind of kinds) expect(kind).toMatch(/^(20[04]|503 write\.serialization-failure)$/)
        const rows = await dataSource.getRepository(Entry).findBy({ id: In([left, right]) })
        expect(new Set(rows.map(({ amount }) => amount)).size).toBe(1)
      }
    }
    // What they are told is not to be that it took too long.
    await through({ poolSize: 3 }, play, { limits: { timeout: null } })
  })

  it('lets a write wait for a lock no longer than it is told', async () => {
    const { id } = (await server.post('/entries').send(entry('locked'))).body.data
    const short = name === 'PostgreSQL' ? { extra: { lock_timeout: 200 } } : {}
    if (name === 'MariaDB') await asOperator(own.place, (at) => at.query('set global innodb_lock_wait_timeout = 1'))
    const holder = dataSource.createQueryRunner()
    await holder.startTransaction()
    await holder.manager.update(Entry, id, { amount: 1 })
    const more = { maxRetries: 0, limits: { timeout: null } }
    await through(
      short,
      async (other) => {
        const data = { type: 'entries', id, attributes: { amount: 2 } }
        expect(await kindOf(other.patch(`/entries/${id}`).send({ data }))).toBe('503 write.serialization-failure')
        await holder.rollbackTransaction()
        expect(await kindOf(other.patch(`/entries/${id}`).send({ data }))).toBe('204')
      },
      more,
    )
    await holder.release()
    expect(await dataSource.getRepository(Entry).findOneBy({ id })).toMatchObject({ amount: 2 })
  })

  it('ends a statement that takes longer than it may, and none that takes less', async () => {
    const limit = name === 'PostgreSQL' ? { extra: { statement_timeout: 1000 } } : {}
    if (name === 'MariaDB') await asOperator(own.place, (at) => at.query('set global max_statement_time = 1'))
    const lasting = (seconds: number) =>
      name === 'PostgreSQL' ? `select pg_sleep(${seconds})` : `select sleep(${seconds})`
    await through(
      limit,
      async (other) => {
        for (const [seconds, expected] of [
          [0.3, '201'],
          [3, '503 server.timeout'],
          [0.3, '201'],
        ] as const) {
          EntryDefinition.between = (write) => getEntityManager(write).query(lasting(seconds))
          const text = `slept for ${seconds} of 1`
          expect(await kindOf(other.post('/entries').send(entry(text)))).toBe(expected)
          const isThere = (await dataSource.getRepository(Entry).countBy({ name: text })) > 0
          expect(isThere).toBe(expected === '201')
        }
      },
      { limits: { timeout: null } },
    )
    if (name === 'MariaDB') await asOperator(own.place, (at) => at.query('set global max_statement_time = 0'))
  })

  it('is not there when a request comes: 503 until it is', async () => {
    await through({ connectTimeoutMS: 3000 }, async (other) => {
      await own.crash()
      expect([await kindOf(other.get('/entries')), await kindOf(other.post('/lines').send(line))]).toEqual([GONE, GONE])
      expect(await kindOf(other.post('/entries').send(entry('gone')))).toBe(GONE)
      await own.start()
      expect(await kindOf(other.get('/entries?page[size]=1'))).toBe('200')
      expect(await kindOf(other.post('/lines').send(line))).toBe('201')
      expect(await dataSource.getRepository(Entry).countBy({ name: 'gone' })).toBe(0)
    })
  })
  const GONE = '503 server.unavailable'
  const line = { data: { type: 'lines', attributes: { name: 'line' } } }
})
