import type { DataSource, QueryRunner } from 'typeorm'
import { Caches } from '../../../cache/caches'
import { DirectSqliteDriver } from '../drivers/direct-sqlite-driver'
import { runStatement } from '../drivers/run-statement'
import { connectToSameFile, SQLITE_FILE_DRIVERS, sqliteDriverOf } from '../drivers/typeorm-internals'

type ReadWork<Value> = (queryRunner: QueryRunner) => Promise<Value>

/** Whether a read runs one statement, which sees one state without a transaction, or several. */
export type OneOrSeveralStatements = 'one' | 'several'

/**
 * `undefined`: there can be none. A database in memory belongs to its connection. A file that is not in WAL mode would make every commit
 * wait for its readers. And of several files that are attached to each other a reader could see a commit in one of them only.
 */
export function findReadPool(dataSource: DataSource): SqliteReadPool | undefined | Promise<SqliteReadPool | undefined> {
  const driver = sqliteDriverOf(dataSource)
  if (!SQLITE_FILE_DRIVERS.has(dataSource.options.type) || driver.database.includes(':memory:')) return undefined
  if (pools.has(dataSource)) return pools.get(dataSource)
  const opening = openPool(dataSource)
  pools.set(dataSource, opening)
  opening.then(
    (pool) => pools.set(dataSource, pool),
    () => pools.delete(dataSource),
  )
  return opening
}

const pools = new WeakMap<DataSource, SqliteReadPool | undefined | Promise<SqliteReadPool | undefined>>()

async function openPool(dataSource: DataSource): Promise<SqliteReadPool | undefined> {
  const driver = sqliteDriverOf(dataSource)
  if (driver.hasAttachedDatabases()) return undefined
  const reader = await openReadConnection(dataSource)
  const [mode] = await reader.queryRunner.query('PRAGMA journal_mode')
  if (mode?.journal_mode !== 'wal') {
    await reader.close()
    return undefined
  }
  const pool = new SqliteReadPool(dataSource, reader)
  closeBefore(dataSource, async () => {
    pools.delete(dataSource)
    await pool.close()
  })
  return pool
}

/** The last connection that is closed tidies up behind the file: that is to be the one that writes. */
function closeBefore(dataSource: DataSource, close: () => Promise<void>): void {
  const destroy = dataSource.destroy
  dataSource.destroy = async () => {
    dataSource.destroy = destroy
    await close()
    await dataSource.destroy()
  }
}

interface ReadConnection {
  readonly queryRunner: QueryRunner
  close(): Promise<void>
}

async function openReadConnection(dataSource: DataSource): Promise<ReadConnection> {
  const driver = await connectToSameFile(dataSource)
  const queryRunner = driver.createQueryRunner('slave')
  Object.assign(queryRunner, { manager: dataSource.createEntityManager(queryRunner) })
  await queryRunner.query('PRAGMA query_only = ON')
  return { queryRunner, close: () => driver.disconnect() }
}

/** Connections of their own to the file of a `DataSource`, for reading alone. They are opened on demand. */
export class SqliteReadPool {
  private readonly dataSource: DataSource
  private readonly connections: ReadConnection[]
  private readonly idle: ReadConnection[]
  private readonly waiting: ((reader: ReadConnection) => void)[] = []
  private opening = 0

  constructor(dataSource: DataSource, first: ReadConnection) {
    this.dataSource = dataSource
    this.connections = [first]
    this.idle = [first]
  }

  /** All statements of the work see the same: what was committed when the first of them ran. */
  async read<Value>(work: ReadWork<Value>, statements: OneOrSeveralStatements): Promise<Value> {
    // The last one that was used has the most statements prepared.
    const reader = this.idle.pop() ?? (await this.acquire())
    const { queryRunner } = reader
    try {
      return await (statements === 'one' ? work(queryRunner) : inSnapshot(this.dataSource, queryRunner, work))
    } finally {
      this.release(reader)
    }
  }

  /** Opens one more, for work that may take long: the others are not kept from theirs. */
  open(): Promise<ReadConnection> {
    return openReadConnection(this.dataSource)
  }

  async close(): Promise<void> {
    for (const reader of this.connections) await reader.close()
  }

  private async acquire(): Promise<ReadConnection> {
    if (this.connections.length + this.opening === MAX_CONNECTIONS)
      return new Promise((resolve) => this.waiting.push(resolve))
    this.opening += 1
    try {
      const reader = await openReadConnection(this.dataSource)
      this.connections.push(reader)
      return reader
    } finally {
      this.opening -= 1
    }
  }

  private release(reader: ReadConnection): void {
    const next = this.waiting.shift()
    if (next === undefined) this.idle.push(reader)
    else next(reader)
  }
}

/** The number of threads that Node.js gives the package `sqlite3`; better-sqlite3 uses only the main thread. */
const MAX_CONNECTIONS = 4

async function inSnapshot<Value>(
  dataSource: DataSource,
  queryRunner: QueryRunner,
  work: ReadWork<Value>,
): Promise<Value> {
  const run = (text: string) => runStatement({ dataSource, queryRunner, driver: SNAPSHOT_DRIVER }, { text, values: [] })
  await run('BEGIN')
  try {
    return await work(queryRunner)
  } finally {
    // Nothing was written: what made the work fail is what matters, also where SQLite has ended the transaction by itself.
    await run('COMMIT').catch(() => undefined)
  }
}

/** The pool belongs to the `DataSource`, not to an API. It prepares these two statements only. */
const SNAPSHOT_DRIVER = new DirectSqliteDriver(new Caches())
