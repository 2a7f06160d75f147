import { setTimeout as wait } from 'node:timers/promises'
import { equals, getEntityManager, IdempotencyKey, type ResourceWrite, withTransaction } from 'stemma'
import type { DataSource, EntityManager } from 'typeorm'
import { define, setUp } from '../../support/api'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { outcomeWithRetry } from '../../support/expectations'
import { hasLockWait } from '../../support/overlapping-writes'
import { Point, reject } from '../../support/points'
import type { ServerOptions, TestServer } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { someTurns, until } from '../../support/until'
import { withSingleConnectionServer } from '../../support/with-server'

// limits.timeout: what takes longer is answered, undone, and leaves nothing behind, whatever it waits for.

/** Who is let go, when a test says so. */
const held = new Map<string, () => void>()
/** What became of what a rule did after it was let go. */
let late: Promise<unknown> = Promise.resolve()
/** Who was told that the time is over. */
let told: string[] = []
const hold = (name: string) => new Promise<void>((resolve) => held.set(name, resolve))

/** Until the time of its request is over: at once, where that is brief. */
const holdTooLong = (name: string) => {
  const holding = hold(name)
  limits.brief.passAll()
  return holding
}

/** What a rule does after it was let go, and what it does in the place of waiting. */
let after: (write: ResourceWrite<Point>) => Promise<unknown>
let instead: ((write: ResourceWrite<Point>) => Promise<unknown>) | undefined

/** Waits where the name of a point says so. */
const waiting = define(Point, {
  async beforeWrite(write) {
    const { name } = write.values
    if (instead !== undefined) await instead(write)
    else if (name.startsWith('before')) {
      write.signal.addEventListener('abort', () => told.push(name))
      await getEntityManager(write).insert(Point, { name: `by ${name}` })
      late = holdTooLong(name).then(() => after(write))
      await late
    }
  },
  async afterWrite({ values: { name } }) {
    if (name.startsWith('after write')) await hold(name)
  },
  afterCommit({ values: { name } }) {
    // Not every promise is one of Node.js.
    // biome-ignore lint/suspicious/noThenProperty: on purpose
    if (name === 'thenable') return { then: () => limits.brief.passAll() } as unknown as Promise<void>
    if (name.startsWith('after commit')) return holdTooLong(name)
    return name.startsWith('before') ? Promise.resolve() : undefined
  },
})

const TABLES = [Point, IdempotencyKey]
const database = setUp(() => (DATABASE === 'sqlite' ? openFile(TABLES) : openDatabase(TABLES)))
const limits = setUp(() => {
  const [brief, ample, undoing] = [watchTimeLimits(DURATION), watchTimeLimits(AMPLE), watchTimeLimits(TIME_TO_UNDO)]
  const close = () => {
    for (const each of [undoing, ample, brief]) each.close()
  }
  return { brief, ample, undoing, close }
})
beforeEach(async () => {
  after = async () => undefined
  instead = undefined
  told = []
  held.clear()
  await database.dataSource.getRepository(Point).clear()
})

const AMPLE = 21_000
/** What the library gives subscribers of a rollback. */
const TIME_TO_UNDO = 500
const FOR_TWO = { limits: { timeout: AMPLE } }
/** The second waits for the connection by then. */
const passFirstOfTwo = async () => {
  await until('both requests run', () => limits.ample.running >= 2)
  await someTurns()
  limits.ample.passFirst()
}
const names = () => database.valuesOf(Point, 'name')
const point = (name: string) => ({ data: { type: 'points', attributes: { name } } })
const TOO_LONG = '503 server.timeout, retry after 1'
type Work = (server: TestServer, reported: unknown[], dataSource: DataSource) => Promise<void>
const serving = (work: Work) => servingWith({}, work)

function servingWith(options: Partial<ServerOptions>, work: Work): Promise<void> {
  const all = { resources: [Point], definitions: [waiting], limits: { timeout: DURATION }, ...options }
  return withSingleConnectionServer(database, TABLES, all, (server, reported, own) =>
    work(server, reported, own).finally(() => {
      for (const release of held.values()) release()
    }),
  )
}

describe('a rule that never returns', () => {
  it.each(['before', 'after write'])('is rolled back %s, and its connection is released', async (when) => {
    await servingWith(FOR_TWO, async (server, reported) => {
      const stuck = server.post('/points').send(point(when)).start()
      await until('the rule is called', () => held.has(when))
      const next = server.post('/points').send(point('next')).start()
      await passFirstOfTwo()
      expect(outcomeWithRetry(await stuck)).toBe(TOO_LONG)
      expect(outcomeWithRetry(await next)).toBe('201')
      expect(await names()).toEqual(['next'])
      expect(reported).toEqual([expect.objectContaining({ message: 'POST /points was aborted after its timeout.' })])
    })
  })

  it('is notified by its signal', async () => {
    await serving(async (server) => {
      expect(outcomeWithRetry(await server.post('/points').send(point('before')))).toBe(TOO_LONG)
      expect(told).toEqual(['before'])
      expect(outcomeWithRetry(await server.post('/points').send(point('quick')))).toBe('201')
      expect(told).toEqual(['before'])
    })
  })

  it('is reported after the commit, and the write succeeds', async () => {
    await serving(async (server, reported) => {
      const { status, body } = await server.post('/points').send(point('after commit'))
      expect([status, body.data.attributes.name]).toEqual([201, 'after commit'])
      expect(await names()).toEqual(['after commit'])
      expect(reported.length).toBe(1)
    })
  })

  it('releases the idempotency key, so that the same request can succeed later', async () => {
    const idempotency = { owner: () => 'everyone' }
    await servingWith({ idempotency }, async (server) => {
      const send = (name: string) =>
        server
          .post('/points')
          .send(point(name))
          .set({ 'idempotency-key': `"${name}"` })
      expect(outcomeWithRetry(await send('before'))).toBe(TOO_LONG)
      for (const release of held.values()) release()
      instead = async () => undefined
      let answer = await send('before')
      for (; answer.status === 409; answer = await send('before')) await wait(5)
      expect(outcomeWithRetry(answer)).toBe('201')
      expect(await names()).toEqual(['before'])
    })
  })
})

describe('a rule that goes on after its request has timed out', () => {
  const insertLate = (manager: EntityManager) => manager.insert(Point, { name: 'late' })

  it.each<[string, (write: ResourceWrite<Point>, dataSource: DataSource) => Promise<unknown>]>([
    ['through its transaction', (write) => insertLate(getEntityManager(write))],
    ['in a part of its transaction', (write) => getEntityManager(write).transaction(insertLate)],
    ['in a transaction that would be part of it', (_write, dataSource) => withTransaction(dataSource, insertLate)],
  ])('%s is refused, also with another write in progress', async (_how, insert) => {
    await serving(async (server, _reported, dataSource) => {
      after = (write) => insert(write, dataSource)
      expect(outcomeWithRetry(await server.post('/points').send(point('before one')))).toBe(TOO_LONG)
      const given = late
      held.get('before one')?.()
      await expect(given).rejects.toThrow()
      expect(await names()).toEqual([])
      expect(outcomeWithRetry(await server.post('/points').send(point('two')))).toBe('201')
      expect(outcomeWithRetry(await server.post('/points').send(point('before three')))).toBe(TOO_LONG)
      const given3 = late
      const other = server.post('/points').send(point('after write four')).start()
      await until('the rule is called', () => held.has('after write four'))
      held.get('before three')?.()
      await expect(given3).rejects.toThrow()
      held.get('after write four')?.()
      expect(outcomeWithRetry(await other)).toBe('201')
      expect(await names()).toEqual(['after write four', 'two'])
    })
  })
})

describe('limits.timeout', () => {
  it('times out a context that never resolves', async () => {
    let asked = 0
    const context = async () => {
      asked += 1
      if (asked === 1) await holdTooLong('context')
    }
    await servingWith({ context }, async (server) => {
      expect(outcomeWithRetry(await server.get('/points'))).toBe(TOO_LONG)
      expect(outcomeWithRetry(await server.get('/points'))).toBe('200')
    })
  })

  // On SQLite a statement runs in the process itself, and no clock ticks meanwhile.
  const onServers = DATABASE === 'sqlite' ? it.skip : it

  onServers('cancels a statement and replaces its connection', async () => {
    const sleep = DATABASE === 'postgres' ? 'select pg_sleep(30)' : 'select sleep(30)'
    const running = async () => {
      const list = DATABASE === 'postgres' ? 'pg_stat_activity' : 'information_schema.processlist'
      const text = DATABASE === 'postgres' ? 'query' : 'info'
      const rows = await database.dataSource.query(`select 1 from ${list} where ${text} like 'select %sleep(30)'`)
      return rows.length
    }
    await servingWith(FOR_TWO, async (server) => {
      instead = async (write) => {
        if (write.values.name === 'before') await getEntityManager(write).query(sleep)
      }
      const slow = server.post('/points').send(point('before')).start()
      await until('the statement runs', async () => (await running()) > 0)
      const next = server.post('/points').send(point('next')).start()
      await passFirstOfTwo()
      expect(outcomeWithRetry(await slow)).toBe(TOO_LONG)
      expect(outcomeWithRetry(await next)).toBe('201')
      await until('the statement is cancelled', async () => (await running()) === 0)
      expect(await names()).toEqual(['next'])
    })
  })

  const driverConnectionOf = async (dataSource: DataSource) =>
    (await dataSource.query(`select ${DATABASE === 'postgres' ? 'pg_backend_pid()' : 'connection_id()'} as id`))[0].id

  onServers('uses no connection that becomes free after a request has timed out while it waited for one', async () => {
    await servingWith(FOR_TWO, async (server, _reported, dataSource) => {
      const connection = await driverConnectionOf(dataSource)
      const asked: string[] = []
      instead = async ({ values: { name } }) => asked.push(name)
      const statements: string[] = []
      const holder = dataSource.createQueryRunner()
      await holder.connect()
      const answers = Promise.all([
        server.post('/points').send(point('late')),
        server.get('/points'),
        server.get('/points/1'),
      ])
      await until('all requests run', () => limits.ample.running >= 3)
      await someTurns()
      limits.ample.passAll()
      expect((await answers).map(outcomeWithRetry)).toEqual([TOO_LONG, TOO_LONG, TOO_LONG])
      const { logger } = dataSource
      dataSource.logger = Object.assign(Object.create(logger), { logQuery: (text: string) => statements.push(text) })
      await holder.release()
      expect(await driverConnectionOf(dataSource)).toEqual(connection)
      expect([statements.filter((text) => text.includes('point')), asked, await names()]).toEqual([[], [], []])
    })
  })

  onServers('times out a read and a write that wait for a lock', async () => {
    const table = database.dataSource.getMetadata(Point).tablePath
    const holder = database.dataSource.createQueryRunner()
    await serving(async (server) => {
      const { id } = (await server.post('/points').send(point('locked'))).body.data
      await holder.startTransaction()
      await holder.query(`update ${table} set name = 'held' where id = ${id}`)
      const data = { type: 'points', id, attributes: { name: 'mine' } }
      const locked = server.patch(`/points/${id}`).send({ data }).start()
      await until('the write waits for the lock', () => hasLockWait(database.dataSource))
      limits.brief.passAll()
      expect(outcomeWithRetry(await locked)).toBe(TOO_LONG)
      await holder.rollbackTransaction()
      expect(await names()).toEqual(['locked'])
      expect(outcomeWithRetry(await server.patch(`/points/${id}`).send({ data }))).toBe('204')
    }).finally(async () => {
      // Tests that follow could not clear the table.
      if (holder.isTransactionActive) await holder.rollbackTransaction()
      await holder.release()
    })
  })
})

describe('a subscriber that never returns', () => {
  const [NEXT, REFUSED] = [['last', 'next'], '403 rule.rejected']

  it.each<[hook: string, answered: string, kept: readonly string[], mistakes: readonly string[]]>([
    ['beforeTransactionStart', TOO_LONG, NEXT, ['was aborted after its timeout']],
    ['afterTransactionStart', TOO_LONG, NEXT, ['was aborted after its timeout']],
    ['beforeTransactionCommit', TOO_LONG, NEXT, ['was aborted after its timeout']],
    ['afterTransactionCommit', '201', [...NEXT, 'stuck'], ['has not returned in time']],
    ['beforeTransactionRollback', REFUSED, NEXT, []],
    ['afterTransactionRollback', REFUSED, NEXT, []],
  ])('in %s lets the write time out, and the next one succeeds', async (hook, answered, kept, mistakes) => {
    await serving(async (server, reported, dataSource) => {
      let letGo = () => {}
      let isStuck = true
      const stuck = new Promise<void>((resolve) => (letGo = resolve))
      const isUndone = hook.endsWith('Rollback')
      const waitStuck = () => {
        // The time for undoing begins when the rollback has been called.
        if (isUndone) setImmediate(limits.undoing.passAll)
        else limits.brief.passAll()
        return stuck
      }
      dataSource.subscribers.push({ [hook]: async () => (isStuck ? waitStuck() : undefined) })
      dataSource.subscribers.push({ beforeTransactionCommit: () => (isUndone && isStuck ? reject() : undefined) })
      expect(outcomeWithRetry(await server.post('/points').send(point('stuck')))).toBe(answered)
      isStuck = false
      expect(outcomeWithRetry(await server.post('/points').send(point('next')))).toBe('201')
      letGo()
      await someTurns()
      expect(outcomeWithRetry(await server.post('/points').send(point('last')))).toBe('201')
      expect([await names(), reported.map(String)]).toEqual([
        kept,
        mistakes.map((each) => expect.stringContaining(each)),
      ])
    })
  })
})

it.each([
  [0.6, '201'],
  [1.5, TOO_LONG],
])('a rule that takes %d of limits.timeout: %s', async (part, expected) => {
  await servingWith(FOR_TWO, async (server) => {
    const answer = server.post('/points').send(point('before')).start()
    await until('the rule is called', () => held.has('before'))
    limits.ample.pass(AMPLE * part)
    await someTurns()
    held.get('before')?.()
    expect(outcomeWithRetry(await answer)).toBe(expected)
    await late
    expect(await names()).toEqual(expected === '201' ? ['before', 'by before'] : [])
  })
})

it('times out by the clock of the process', async () => {
  const context = () => new Promise<void>(() => undefined)
  await servingWith({ context, limits: { timeout: 50 } }, async (server) => {
    expect(outcomeWithRetry(await server.get('/points'))).toBe(TOO_LONG)
  })
})

it('is off when null, and does not affect requests in time', async () => {
  await servingWith({ limits: { timeout: null } }, async (server) => {
    const slow = server.post('/points').send(point('before')).start()
    await until('the rule is called', () => held.has('before'))
    // Node.js takes `null` milliseconds for one.
    await wait(10)
    held.get('before')?.()
    expect(outcomeWithRetry(await slow)).toBe('201')
  })
  await serving(async (server) => {
    expect(outcomeWithRetry(await server.get(`/points?filter=${equals('name', 'before')}`))).toBe('200')
    expect(outcomeWithRetry(await server.post('/points').send(point('quick')))).toBe('201')
  })
})

it('does not wait for a custom thenable of a rule after the commit and a timeout', async () => {
  await serving(async (server) => {
    expect(outcomeWithRetry(await server.post('/points').send(point('thenable')))).toBe('201')
    expect(await names()).toEqual(['thenable'])
  })
})
