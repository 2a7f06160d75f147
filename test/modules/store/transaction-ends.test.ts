import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'
import { entityManagerOf } from 'stemma'
import type { QueryRunner } from 'typeorm'
import { DATABASE } from '../../support/database'
import { deferred } from '../../support/deferred'
import { Audit, useServing } from '../../support/points'

const serving = useServing()
const { names, audits } = serving

const failing = (queryRunner: QueryRunner) => queryRunner.query('select * from nowhere_at_all').catch(() => undefined)
// PostgreSQL gives up the transaction then; the others undo the statement alone.
const isGivenUp = DATABASE === 'postgres'

describe('a failed statement during beforeTransactionCommit', () => {
  it.each<[string, (queryRunner: QueryRunner) => unknown]>([
    ['awaits', failing],
    ['does not await', (queryRunner) => void failing(queryRunner)],
  ])('that the subscriber %s makes the write fail when the database gives up the transaction', async (_what, run) => {
    const { post, dataSource, reported } = serving
    dataSource.subscribers.push({
      beforeTransactionCommit: async ({ queryRunner }) => void (await run(queryRunner)),
    })
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
      late = ending.then(() => entityManagerOf(write).insert(Audit, { text: 'late' }))
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
      const { queryRunner } = entityManagerOf(write)
      await end(queryRunner as QueryRunner)
    }
    await post('new').expect(500)
    await post('next').expect(201)
    expect([await names(), reported.map(String)]).toEqual([
      ['next'],
      [expect.stringContaining('Only the write itself')],
    ])
  })

  it.each(ENDS)('with %s and catches the error does not end it', async (_how, end) => {
    const { post, reported } = serving
    serving.rule = async (write) => {
      const manager = entityManagerOf(write)
      await end(manager.queryRunner as QueryRunner).catch(() => undefined)
      await manager.insert(Audit, { text: 'beside' })
    }
    await post('new').expect(201)
    expect([await names(), await audits(), reported]).toEqual([['new'], ['beside'], []])
  })
})
