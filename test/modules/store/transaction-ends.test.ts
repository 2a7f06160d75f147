import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'
import { getEntityManager, withReadConnection, withTransaction } from 'stemma'
import type { EntityManager, EntitySubscriberInterface, QueryRunner } from 'typeorm'
import { DATABASE } from '../../support/database'
import { deferred } from '../../support/deferred'
import { Audit, Point, reject, TRANSACTIONS, usePointsServer } from '../../support/points'

// The end of a write: statements, nested transactions and subscribers that fail or still run then.

const serving = usePointsServer()
const { names, audits } = serving
const failing = (queryRunner: QueryRunner) => queryRunner.query('select * from nowhere_at_all').catch(() => undefined)
// PostgreSQL gives up the transaction then; the others undo the statement alone.
const isGivenUp = DATABASE === 'postgres'

describe('a failed statement during beforeTransactionCommit', () => {
  it.each<[string, (queryRunner: QueryRunner) => unknown]>([
    ['awaits', failing],
    ['does not await', (queryRunner) => void failing(queryRunner)],
  ])('that the subscriber %s makes the write fail when the database rolls back the transaction', async (_what, run) => {
    const { post, dataSource, reported } = serving
    dataSource.subscribers.push({ beforeTransactionCommit: async ({ queryRunner }) => void (await run(queryRunner)) })
    const { status } = await post('new')
    expect([status, await names()]).toEqual(isGivenUp ? [500, []] : [201, ['new']])
    expect(reported.map(String)).toEqual(isGivenUp ? [expect.stringContaining('nowhere_at_all')] : [])
  })

  it('that a rule has not awaited is refused', async () => {
    const { post, dataSource, reported } = serving
    const { promise: ending, resolve: goOn } = deferred()
    let late: Promise<unknown> = Promise.resolve()
    dataSource.subscribers.push({
      beforeTransactionCommit: async () => {
        goOn()
        await late.catch(() => undefined)
      },
    })
    serving.rule = (write) => {
      late = ending.then(() => getEntityManager(write).insert(Audit, { text: 'late' }))
    }
    await post('new').expect(201)
    await expect(late).rejects.toThrow('The write that this statement belongs to has ended.')
    expect([await names(), await audits(), reported]).toEqual([['new'], [], []])
  })
})

it('a query of the DataSource during a commit does not belong to the transaction', async () => {
  const { post, dataSource, reported } = serving
  const { promise: committing, resolve: goOn } = deferred()
  // In a flow of calls of its own.
  const asked = committing.then(() => dataSource.query('select 1 as one')).catch((error: unknown) => String(error))
  dataSource.subscribers.push({
    beforeQuery: async ({ query }) => {
      if (query !== 'COMMIT') return
      goOn()
      await wait(5)
    },
  })
  await post('new').expect(201)
  expect(await asked).toEqual([{ one: 1 }])
  expect([await names(), reported]).toEqual([['new'], []])
})

it('a write ends while the DataSource is queried all the time', async () => {
  const { post, dataSource } = serving
  let isOver = false
  dataSource.subscribers.push({ beforeQuery: ({ query }) => (query === 'select 1 as one' ? wait(3) : undefined) })
  const ask = async () => {
    while (!isOver) {
      await dataSource.query('select 1 as one')
      // TypeORM 0.3 waits for no subscriber: nothing else would have a turn.
      await immediate()
    }
  }
  const asking = [ask(), wait(1).then(ask)]
  const answered = post('new').start()
  const first = await Promise.race([answered, wait(2000, { status: 'timeout' }, { ref: false })])
  isOver = true
  await Promise.all([...asking, answered])
  expect([first.status, await names()]).toEqual([201, ['new']])
})

it('a statement of a subscriber belongs to the transaction before the commit, and to none after it', async () => {
  const { post, dataSource } = serving
  const insert = ({ manager }: QueryRunner, text: string) => manager.insert(Audit, { text })
  dataSource.subscribers.push({
    beforeTransactionCommit: async ({ queryRunner }) => void (await insert(queryRunner, 'before')),
    afterTransactionCommit: async ({ queryRunner }) => {
      await insert(queryRunner, 'after')
      throw new Error('Nothing is undone by this.')
    },
  })
  await post('new').expect(201)
  expect([await names(), await audits()]).toEqual([['new'], ['after', 'before']])
})

it('a transaction that a subscriber begins after the commit and leaves open does not affect the next write', async () => {
  const { post, dataSource, reported } = serving
  let isOpening = true
  dataSource.subscribers.push({
    afterTransactionCommit: async ({ queryRunner }) => {
      if (!isOpening) return
      isOpening = false
      await queryRunner.startTransaction()
      throw new Error('It is left open.')
    },
  })
  for (const name of ['first', 'second']) await post(name).expect(201)
  expect([await names(), reported.map(String)]).toEqual([['first', 'second'], ['Error: It is left open.']])
})

describe('a rule that ends the transaction', () => {
  const ENDS: [string, (queryRunner: QueryRunner) => Promise<unknown>][] = [
    ['commitTransaction()', (queryRunner) => queryRunner.commitTransaction()],
    ['rollbackTransaction()', (queryRunner) => queryRunner.rollbackTransaction()],
    ['commit', (queryRunner) => queryRunner.query('commit')],
    ['ROLLBACK;', (queryRunner) => queryRunner.query('ROLLBACK;')],
  ]

  it.each(ENDS)('with %s makes the write fail as a whole', async (_how, end) => {
    const { post, reported } = serving
    serving.rule = async (write) => {
      if (write.values.name === 'next') return
      const { queryRunner } = getEntityManager(write)
      await end(queryRunner as QueryRunner)
    }
    await post('new').expect(500)
    await post('next').expect(201)
    expect([await names(), reported.map(String)]).toEqual([
      ['next'],
      [expect.stringContaining('Only the library may end')],
    ])
  })

  it.each(ENDS)('with %s and catches the error does not end it', async (_how, end) => {
    const { post, reported } = serving
    serving.rule = async (write) => {
      const manager = getEntityManager(write)
      await end(manager.queryRunner as QueryRunner).catch(() => undefined)
      await manager.insert(Audit, { text: 'beside' })
    }
    await post('new').expect(201)
    expect([await names(), await audits(), reported]).toEqual([['new'], ['beside'], []])
  })
})

/** Two statements: `begun` resolves after the first, `continueSlice` lets the second run. */
function slowly(text: string) {
  const { promise: begun, resolve: begin } = deferred()
  const { promise: paused, resolve: goOn } = deferred()
  const work = async (manager: EntityManager) => {
    await manager.insert(Audit, { text })
    begin()
    await paused
    await manager.insert(Audit, { text: `${text} later` })
  }
  return { begun, work, goOn }
}

describe.each(TRANSACTIONS)('a nested transaction by %s', (_kind, begin) => {
  it('is rolled back with the write when the rule fails while it runs, and does not affect the next write', async () => {
    const { post, dataSource, reported } = serving
    let late: Promise<unknown> = Promise.resolve()
    const { begun, work, goOn } = slowly('part')
    serving.rule = async (write) => {
      if (write.values.name !== 'refused') return
      late = begin(write, dataSource, work)
      await Promise.all([late, begun.then(reject)])
    }
    await post('refused').expect(403)
    await post('kept').expect(201)
    goOn()
    await expect(late).rejects.toThrow()
    await post('kept too').expect(201)
    expect([await names(), await audits(), reported]).toEqual([['kept', 'kept too'], [], []])
  })

  it('is rolled back when it fails while the next write runs', async () => {
    const { post, dataSource } = serving
    let late: Promise<unknown> = Promise.resolve()
    const { begun, work, goOn } = slowly('part')
    serving.rule = async (write) => {
      if (write.values.name !== 'refused') {
        goOn()
        await late.catch(() => undefined)
        return
      }
      const failing = async (manager: EntityManager) => {
        await work(manager).catch(() => undefined)
        throw new Error('by itself')
      }
      late = begin(write, dataSource, failing)
      await Promise.all([late, begun.then(reject)])
    }
    await post('refused').expect(403)
    await post('kept').expect(201)
    await expect(late).rejects.toThrow('by itself')
    expect([await names(), await audits()]).toEqual([['kept'], []])
  })

  it.each<[string, object, EntitySubscriberInterface[]]>([
    ['by default', {}, []],
    ['with an isolation level', { isolationLevel: 'SERIALIZABLE' }, []],
    ['with a subscriber of transactions', {}, [{ afterTransactionCommit: () => undefined }]],
  ])('makes a write fail that has not awaited it, %s', async (_where, place, subscribers) => {
    await serving.restart(place)
    const { post, dataSource, reported } = serving
    dataSource.subscribers.push(...subscribers)
    let late: Promise<unknown> = Promise.resolve()
    const { begun, work, goOn } = slowly('part')
    serving.rule = async (write) => {
      if (write.values.name !== 'hasty') return
      late = begin(write, dataSource, work).then(
        () => 'kept',
        () => 'refused',
      )
      await begun
    }
    await post('hasty').expect(500)
    goOn()
    await post('kept').expect(201)
    expect([await late, await names(), await audits()]).toEqual(['refused', ['kept'], []])
    expect(reported.map(String)).toEqual([expect.stringContaining('not waited for a part of its transaction')])
  })

  it('that cannot begin does not roll back the write before the rule goes on', async () => {
    const { post, dataSource, reported } = serving
    serving.rule = async (write) => {
      const manager = getEntityManager(write)
      await manager.query('select * from nowhere_at_all').catch(() => undefined)
      await begin(write, dataSource, (part) => part.insert(Audit, { text: 'part' })).catch(() => undefined)
      await manager.insert(Audit, { text: 'alone' }).catch(() => undefined)
    }
    const { status } = await post('new')
    expect([status, await names()]).toEqual(isGivenUp ? [500, []] : [201, ['new']])
    expect(await audits()).toEqual(isGivenUp ? [] : ['alone', 'part'])
    expect(reported.map(String)).toEqual(isGivenUp ? [expect.stringContaining('nowhere_at_all')] : [])
  })

  it.each(['beforeTransactionStart', 'afterTransactionStart'] as const)(
    'whose %s throws does not affect the write, or the next one',
    async (hook) => {
      const { post, dataSource, reported } = serving
      let isBarred = false
      dataSource.subscribers.push({
        [hook]: () => {
          if (isBarred) throw new Error('Not now.')
        },
      })
      serving.rule = async (write) => {
        isBarred = write.values.name === 'barred'
        const part = begin(write, dataSource, (manager) => manager.insert(Audit, { text: 'barred' }))
        await (isBarred ? expect(part).rejects.toThrow('Not now.') : part)
        isBarred = false
        await withTransaction(dataSource, (manager) => manager.insert(Audit, { text: 'later' }))
      }
      await post('barred').expect(201)
      expect(dataSource.createQueryRunner().isTransactionActive).toBe(false)
      await post('next').expect(201)
      expect([await names(), reported]).toEqual([['barred', 'next'], []])
      expect(await audits()).toEqual(['barred', 'later', 'later'])
    },
  )
})

it('a nested transaction that waits for another is not committed after the write was rolled back', async () => {
  const { post, dataSource } = serving
  let late: Promise<unknown>[] = []
  const [first, second] = [slowly('first'), slowly('second')]
  second.goOn()
  serving.rule = async () => {
    late = [first, second].map(({ work }) => withTransaction(dataSource, work))
    await Promise.all([...late, first.begun.then(reject)])
  }
  await post('refused').expect(403)
  first.goOn()
  expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([await names(), await audits()]).toEqual([[], []])
})

it('a nested transaction that waits inside another that was rolled back is not committed', async () => {
  const { post, dataSource, reported } = serving
  const { promise: undone, resolve: goOn } = deferred()
  let isWaiting = false
  dataSource.subscribers.push({ beforeTransactionStart: () => (isWaiting ? undone : undefined) })
  let late: Promise<unknown>[] = []
  serving.rule = async () => {
    const part = withTransaction(dataSource, async (manager) => {
      await manager.insert(Audit, { text: 'part' })
      isWaiting = true
      late = ['first', 'second'].map((text) => withTransaction(dataSource, (own) => own.insert(Audit, { text })))
      await Promise.all([...late, wait(10).then(reject)])
    })
    await expect(part).rejects.toThrow('No.')
    goOn()
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  }
  await post('new').expect(201)
  expect([await names(), await audits(), reported]).toEqual([['new'], [], []])
})

it('statements after the end of their write use a transaction of their own, or are refused', async () => {
  const { post, dataSource, reported } = serving
  let late: Promise<PromiseSettledResult<unknown>[]> | undefined
  const { promise: later, resolve: goOn } = deferred()
  serving.rule = async (write) => {
    if (write.values.name !== 'first') {
      goOn()
      return wait(20)
    }
    const manager = getEntityManager(write)
    late = Promise.allSettled([
      later.then(() => manager.insert(Audit, { text: 'through the transaction' })),
      later.then(() => withTransaction(dataSource, (own) => own.insert(Audit, { text: 'by itself' }))),
      later.then(() => withReadConnection(dataSource, (own) => own.countBy(Point, { name: 'first' }))),
    ])
    return undefined
  }
  await post('first').expect(201)
  // On SQLite both have the same connection.
  await post('second').expect(201)
  const outcomes = await late
  expect(outcomes?.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(outcomes?.[2]).toMatchObject({ value: 1 })
  expect([await names(), await audits(), reported]).toEqual([['first', 'second'], ['by itself'], []])
})

it('a failed statement that was not awaited makes the write fail when the database rolls back the transaction', async () => {
  const { server, reported } = serving
  serving.rule = (write) => {
    getEntityManager(write)
      .query('select * from nowhere_at_all')
      .catch(() => undefined)
  }
  const { id } = await serving.dataSource.getRepository(Point).save({ name: 'old' })
  // The answer has no document, for which more would be read in the transaction.
  const data = { type: 'points', id: String(id), attributes: { name: 'new' } }
  const { status } = await server.patch(`/points/${id}`).send({ data })
  expect([status, await names()]).toEqual(isGivenUp ? [500, ['old']] : [204, ['new']])
  expect(reported.map(String)).toEqual(isGivenUp ? [expect.stringContaining('nowhere_at_all')] : [])
})
