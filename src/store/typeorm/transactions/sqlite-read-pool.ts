import type { DataSource, QueryRunner } from 'typeorm'
import { Caches } from '../../../cache/caches'
import { DirectSqliteDriver } from '../drivers/direct-sqlite-driver'
import { runStatement } from '../drivers/run-statement'
import { connectToSameFile, SQLITE_FILE_DRIVERS, sqliteDriverInternalsOf } from '../drivers/typeorm-internals'

type ReadWork<Value> = (queryRunner: QueryRunner) => Promise<Value>

/** Whether a read runs one statement or several. One statement sees a single state without a transaction. */
export type OneOrSeveralReadStatements = 'one' | 'several'

/**
 * Returns the pool of read connections; `undefined` if there can be none. A database in memory belongs to its connection. Without WAL mode, every commit
 * would wait for readers. With attached files, a reader could see a commit in one file but not in another.
 */
export function findOrOpenSqliteReadPool(
  dataSource: DataSource,
): SqliteReadPool | undefined | Promise<SqliteReadPool | undefined> {
  const driver = sqliteDriverInternalsOf(dataSource)
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
  const driver = sqliteDriverInternalsOf(dataSource)
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

/** Closes the readers before the data source. The last connection to a file cleans up its WAL, so it must be the writer. */
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

/** Read-only connections to the file of a `DataSource`, which are opened on demand. */
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

  /** Runs work on a connection. All its statements see the rows that were committed when the first one ran. */
  async read<Value>(work: ReadWork<Value>, statements: OneOrSeveralReadStatements): Promise<Value> {
    // The connection that was used last has the most prepared statements.
    const reader = this.idle.pop() ?? (await this.acquire())
    const { queryRunner } = reader
    try {
      return await (statements === 'one' ? work(queryRunner) : inSnapshot(this.dataSource, queryRunner, work))
    } finally {
      this.release(reader)
    }
  }

  /** Opens a further connection, for long work that should not occupy the pool. */
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
    // The transaction wrote nothing, so an error here must not replace the error of the work.
    await run('COMMIT').catch(() => undefined)
  }
}

/** The driver for `BEGIN` and `COMMIT`. It has its own caches, because the pool belongs to the `DataSource` and not to an API. */
const SNAPSHOT_DRIVER = new DirectSqliteDriver(new Caches())
