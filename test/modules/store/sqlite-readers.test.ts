import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { withReadConnection, withTransaction } from 'stemma'
import type { Response } from 'supertest'
import { type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { CURSOR_PAGINATION_URI } from '../../../src/document/cursor-profile'
import { runOnReadConnection } from '../../../src/store/typeorm/transactions/run-on-connection'
import { define, setUp } from '../../support/api'
import { DATABASE, openFile, openMemory, SQLITE_DRIVER, type TestDatabase } from '../../support/database'
import { deferred } from '../../support/deferred'
import { createResource } from '../../support/documents'
import { attributeValues } from '../../support/expectations'
import { Point } from '../../support/points'
import { startServer } from '../../support/server'

// Reads during a transaction. TypeORM has one connection for SQLite, where servers have a pool.

/** In a file of its own, beside the other one. */
@Entity({ name: 'drafts', database: 'drafts.sqlite' })
class Draft {
  @PrimaryGeneratedColumn() id: number
}

const names = (response: Response) => attributeValues(response, 'name')

/** Sends a GET during a write, which ends once the GET is answered, or after 100 ms, which show that the GET waits. */
async function readWhileWriting(opening: Promise<TestDatabase>, patience: 'waits for ever' | 'waits a little') {
  const { dataSource, close } = await opening
  await dataSource.manager.insert(Point, { name: 'old' })
  const [inserted, released] = [deferred(), deferred()]
  const slow = define(Point, {
    async afterWrite() {
      inserted.resolve()
      await released.promise
    },
  })
  const api = await startServer({ dataSource, resources: [Point], definitions: [slow] })
  try {
    const writing = createResource(api, 'points', { name: 'new' }).start()
    await inserted.promise
    const reading = api.get('/points').start()
    const limit = patience === 'waits for ever' ? [] : [wait(100)]
    const wasAnswered = (await Promise.race([reading, ...limit])) !== undefined
    released.resolve()
    expect((await writing).status).toBe(201)
    return { wasAnswered, read: names(await reading), after: names(await api.get('/points')) }
  } finally {
    await api.close()
    await close()
  }
}

// Skipped on servers: only a file of SQLite has read connections of its own.
const onSqlite = DATABASE === 'sqlite' ? describe : describe.skip

onSqlite('a GET during a write', () => {
  it('reads the last commit of a file in WAL mode without waiting', async () => {
    expect(await readWhileWriting(openFile([Point]), 'waits for ever')).toEqual({
      wasAnswered: true,
      read: ['old'],
      after: ['old', 'new'],
    })
  })

  it.each([
    ['in memory', () => openMemory([Point])],
    ['in a file that is not in WAL mode', () => openFile([Point], { enableWAL: false })],
    ['in files that are attached to each other', () => openFile([Point, Draft])],
  ])('%s waits for the write, and reads nothing uncommitted', async (_where, open) => {
    expect(await readWhileWriting(open(), 'waits a little')).toEqual({
      wasAnswered: false,
      read: ['old', 'new'],
      after: ['old', 'new'],
    })
  })
})

onSqlite('a file in WAL mode', () => {
  const file = setUp(() => openFile([Point]))
  let dataSource: DataSource

  beforeEach(async () => {
    dataSource = file.dataSource
    await dataSource.getRepository(Point).clear()
    await dataSource.manager.insert(Point, { name: 'old' })
  })

  const count = () => withReadConnection(dataSource, (manager) => manager.count(Point))

  it('is read in one snapshot', async () => {
    const counts = await withReadConnection(dataSource, async (manager) => {
      const before = await manager.count(Point)
      await withTransaction(dataSource, (writer) => writer.insert(Point, { name: 'new' }))
      return [before, await manager.count(Point)]
    })
    expect(counts).toEqual([1, 1])
    expect(await count()).toBe(2)
  })

  /** Sends a GET and calls `beforeQuery` before each statement. */
  async function ask(
    path: string,
    beforeQuery: (query: string) => Promise<unknown>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const api = await startServer({ dataSource, resources: [Point] })
    const subscriber = { beforeQuery: ({ query }: { readonly query: string }) => beforeQuery(query) }
    dataSource.subscribers.push(subscriber)
    try {
      return await api.get(path).set(headers)
    } finally {
      dataSource.subscribers.splice(dataSource.subscribers.indexOf(subscriber), 1)
      await api.close()
    }
  }

  it('is read in one snapshot by a response of several statements', async () => {
    let isWritten = false
    const writeOnce = async (query: string) => {
      if (isWritten || !query.includes('count(')) return
      isWritten = true
      await withTransaction(dataSource, (manager) => manager.insert(Point, { name: 'new' }))
    }
    const accept = `application/vnd.api+json;profile="${CURSOR_PAGINATION_URI}"`
    const answer = await ask('/points', writeOnce, { accept })
    expect([names(answer), answer.body.meta.total]).toEqual([['old'], 1])
    expect(await count()).toBe(2)
  })

  it('is read without a transaction by a single statement', async () => {
    const [{ id } = { id: 0 }] = await dataSource.manager.find(Point)
    const statements: string[] = []
    await ask(`/points/${id}`, async (query) => statements.push(query))
    await ask('/points', async (query) => statements.push(query))
    expect(statements).toEqual([expect.stringMatching(/^select /), expect.stringContaining('count(*)')])
  })

  it('shows uncommitted rows only within their transaction', async () => {
    const { promise: inserted, resolve: insert } = deferred()
    // What waits for it is no part of the transaction.
    const outside = inserted.then(count)
    const counts = await withTransaction(dataSource, async (manager) => {
      await manager.insert(Point, { name: 'new' })
      insert()
      return [await outside, await count()]
    })
    expect(counts).toEqual([1, 2])
    expect(await count()).toBe(2)
  })

  it('refuses writes of its readers', async () => {
    const write = withReadConnection(dataSource, (manager) => manager.insert(Point, { name: 'new' }))
    await expect(write).rejects.toThrow(/readonly|read-only/)
    expect(await count()).toBe(1)
  })

  it('serves more reads than there are readers, also after failing ones', async () => {
    const reads = Array.from({ length: 40 }, (_, index) =>
      runOnReadConnection(dataSource, async ({ manager }) => {
        if (index % 2 === 1) return manager.query('select nonsense')
        return manager.count(Point)
      }).catch(() => 'failed'),
    )
    expect(await Promise.all(reads)).toEqual(reads.map((_, index) => (index % 2 === 1 ? 'failed' : 1)))
  })

  // Only that driver has the option.
  const onBetterSqlite3 = SQLITE_DRIVER === 'better-sqlite3' ? it : it.skip

  onBetterSqlite3('calls prepareDatabase for its readers', async () => {
    const prepareDatabase = (connection: { function(name: string, work: (number: number) => number): unknown }) =>
      connection.function('twice', (number) => 2 * number)
    const prepared = await openFile([Point], { prepareDatabase })
    const answers = await withReadConnection(prepared.dataSource, (manager) =>
      manager.query('select twice(21) as answer'),
    )
    await prepared.close()
    expect(answers).toEqual([{ answer: 42 }])
  })

  it('is closed with its data source and can be opened again', async () => {
    const { database } = dataSource.options as { readonly database: string }
    expect(await count()).toBe(1)
    expect(existsSync(`${database}-wal`)).toBe(true)
    await dataSource.destroy()
    expect(existsSync(`${database}-wal`)).toBe(false)
    await dataSource.initialize()
    expect(await count()).toBe(1)
  })
})
