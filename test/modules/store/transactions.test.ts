import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { runOnReadConnection, runOnWriteConnection } from '../../../src/store/typeorm/transactions/run-on-connection'
import {
  runTransactionWithRetries,
  withTransaction,
} from '../../../src/store/typeorm/transactions/run-transaction-with-retries'
import { setUp } from '../../support/api'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, openMemory } from '../../support/database'
import { Audit as Note } from '../../support/points'

const database = setUp(() => openDatabase([Note]))
let dataSource: DataSource

beforeAll(() => {
  dataSource = database.dataSource
})
afterEach(() => dataSource.getRepository(Note).clear())

async function add(manager: EntityManager, text: string): Promise<void> {
  await manager.save(Object.assign(new Note(), { text }))
}

type Step = string | number | ((manager: EntityManager) => unknown)

/** Runs a transaction with these steps: the text of a note to add, milliseconds to wait, or a function. */
function work(...steps: readonly Step[]): Promise<string> {
  return withTransaction(dataSource, async (manager) => {
    for (const step of steps) {
      if (typeof step === 'string') await add(manager, step)
      else if (typeof step === 'number') await wait(step)
      else await step(manager)
    }
    return 'ok'
  })
}

const undone = () => {
  throw new Error('undone')
}

function seen(): Promise<readonly string[]> {
  return runOnReadConnection(dataSource, async (queryRunner) => {
    return (await queryRunner.manager.find(Note, { order: { text: 'asc' } })).map(({ text }) => text)
  })
}

/** Calls `happens` once, after that statement has run and before its result is returned. */
function after(text: string, queryRunner: QueryRunner, happens: () => Promise<void>): void {
  const { query } = queryRunner
  queryRunner.query = async (...parameters: Parameters<typeof query>) => {
    if (parameters[0] !== text) return query.apply(queryRunner, parameters)
    queryRunner.query = query
    const result: unknown = await query.apply(queryRunner, parameters)
    await happens()
    return result
  }
}

function outcomes(works: readonly Promise<unknown>[]): Promise<readonly string[]> {
  return Promise.all(works.map((work) => work.then(String, (error: Error) => error.message)))
}

describe('transactions', () => {
  it('commit exactly when they succeed, a hundred concurrently', async () => {
    const works = Array.from({ length: 100 }, (_, index) =>
      work(`${index} first`, ...(index % 3 === 0 ? [1] : []), `${index} second`, ...(index % 2 === 1 ? [undone] : [])),
    )
    const reads = Array.from({ length: 50 }, async (_, index) => {
      await wait(index)
      return seen()
    })
    await outcomes(works)
    const expected = Array.from({ length: 50 }, (_, half) => [`${half * 2} first`, `${half * 2} second`]).flat()
    expect(await seen()).toEqual(expected.sort())
    for (const read of await Promise.all(reads)) {
      expect(read.length % 2).toBe(0)
      expect(read.filter((text) => !expected.includes(text))).toEqual([])
    }
  })

  it('run concurrent nested transactions one after the other', async () => {
    await withTransaction(dataSource, async () => {
      const inner = ['a', 'b', 'c', 'd'].map((name) =>
        work(`${name}1`, 1, () => work(`${name}2`), ...(name === 'b' ? [undone] : [])),
      )
      expect(await outcomes(inner)).toEqual(['ok', 'undone', 'ok', 'ok'])
    })
    expect(await seen()).toEqual(['a1', 'a2', 'c1', 'c2', 'd1', 'd2'])
  })

  it('take up no inner one that starts during the commit', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await runTransactionWithRetries(dataSource, async (queryRunner) => {
      await add(queryRunner.manager, 'early')
      after('COMMIT', queryRunner, () => {
        late = withTransaction(dataSource, (other) => add(other, 'late'))
        return wait(20)
      })
    })
    await late
    expect(await seen()).toEqual(['early', 'late'])
  })

  it('retry as a whole after a deadlock in a nested transaction', async () => {
    let runs = 0
    await runTransactionWithRetries(dataSource, async (queryRunner) => {
      runs += 1
      await add(queryRunner.manager, `outer ${runs}`)
      await runTransactionWithRetries(dataSource, async (inner) => {
        await add(inner.manager, `inner ${runs}`)
        if (runs === 1) throw Object.assign(new Error('deadlock'), { code: '40001' })
      })
    })
    expect(await seen()).toEqual(['inner 2', 'outer 2'])
  })
})

// On the servers each transaction has a connection of its own.
const onSqlite = DATABASE === 'sqlite' ? describe : describe.skip

onSqlite('the one connection of SQLite', () => {
  it('serves requests in order, so that a write waits for no later read', async () => {
    const memory = await openMemory([Note])
    const order: string[] = []
    const step = (name: string) => async () => {
      order.push(`${name} in`)
      await wait(2)
      order.push(`${name} out`)
    }
    await Promise.all([
      runOnReadConnection(memory.dataSource, step('read 1')),
      runOnReadConnection(memory.dataSource, step('read 2')),
      runOnWriteConnection(memory.dataSource, step('write')),
      runOnReadConnection(memory.dataSource, step('read 3')),
    ])
    await memory.close()
    expect(order).toEqual([
      ...['read 1 in', 'read 2 in', 'read 1 out', 'read 2 out'],
      ...['write in', 'write out', 'read 3 in', 'read 3 out'],
    ])
  })

  it('is released when the work throws or rejects', async () => {
    const fail = () => {
      throw new Error('at once')
    }
    const later = runOnWriteConnection(dataSource, () => Promise.reject(new Error('later')))
    const failing = [runOnWriteConnection(dataSource, fail), later, runOnReadConnection(dataSource, fail)]
    expect(await outcomes(failing)).toEqual(['at once', 'later', 'at once'])
    expect(await seen()).toEqual([])
  })

  it('is usable after SQLite has ended a transaction by itself', async () => {
    const conflict = `insert or rollback into ${dataSource.getMetadata(Note).tablePath} (id, text) values (7, 'b'), (7, 'c')`
    await expect(work('a', (manager) => manager.query(conflict))).rejects.toThrow('UNIQUE')
    expect(dataSource.createQueryRunner().isTransactionActive).toBe(false)
    await work('b')
    expect(await seen()).toEqual(['b'])
  })

  it('is locked for writing from the start of a transaction', async () => {
    const file = await openFile([Note], { timeout: 1, busyTimeout: 1 })
    const there = await createDataSource(file.connection, [Note]).initialize()
    const refused = await withTransaction(file.dataSource, async (manager) => {
      await manager.count(Note)
      return add(there.manager, 'other').catch((error: Error) => error)
    })
    expect(refused).toMatchObject({ code: 'SQLITE_BUSY' })
    await there.destroy()
    await file.close()
  })
})
