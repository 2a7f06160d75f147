import type { DataSource, QueryRunner } from 'typeorm'
import type { AbstractSqliteDriver } from 'typeorm/driver/sqlite-abstract/AbstractSqliteDriver'
import { runText } from './run-statement'
import { SQLITE_STATEMENTS } from './sqlite-statements'

type Work<Value> = (queryRunner: QueryRunner) => Promise<Value>

/** How many statements a work has: one sees the same in all that it reads, without a transaction. */
export type Statements = 'one' | 'several'

/** Connections of their own to the file of a `DataSource`, for reading alone. */
export interface Readers {
  /** All statements of the work see the same: what was committed when the first of them ran. */
  read<Value>(work: Work<Value>, statements: Statements): Promise<Value>
  /** One more, for work that may take long: the others are not kept from theirs. */
  open(): Promise<Reader>
}

/**
 * `undefined`: there can be none. A database in memory belongs to its connection. A file that is not in WAL mode would make every commit
 * wait for its readers. And of several files that are attached to each other a reader could see a commit in one of them only.
 */
export function findReaders(dataSource: DataSource): Readers | undefined | Promise<Readers | undefined> {
  const driver = dataSource.driver as unknown as SqliteDriver
  if (!FILES.has(dataSource.options.type) || driver.database.includes(':memory:')) return undefined
  if (found.has(dataSource)) return found.get(dataSource)
  const opening = openPool(dataSource)
  found.set(dataSource, opening)
  opening.then(
    (pool) => found.set(dataSource, pool),
    () => found.delete(dataSource),
  )
  return opening
}

const found = new WeakMap<DataSource, ReaderPool | undefined | Promise<ReaderPool | undefined>>()

/** Drivers that open a file whenever they are asked to. */
const FILES: ReadonlySet<string> = new Set(['better-sqlite3', 'sqlite'])

/** What both lines of TypeORM have, though they do not declare it for everybody. */
interface SqliteDriver extends Pick<AbstractSqliteDriver, 'createQueryRunner' | 'disconnect' | 'hasAttachedDatabases'> {
  readonly database: string
  queryRunner: QueryRunner | undefined
  databaseConnection: unknown
  createDatabaseConnection(): Promise<unknown>
}

async function openPool(dataSource: DataSource): Promise<ReaderPool | undefined> {
  const driver = dataSource.driver as unknown as SqliteDriver
  if (driver.hasAttachedDatabases()) return undefined
  const reader = await openReader(dataSource)
  const [mode] = await reader.queryRunner.query('PRAGMA journal_mode')
  if (mode?.journal_mode !== 'wal') {
    await reader.close()
    return undefined
  }
  const pool = new ReaderPool(dataSource, reader)
  closeBefore(dataSource, async () => {
    found.delete(dataSource)
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

export interface Reader {
  readonly queryRunner: QueryRunner
  close(): Promise<void>
}

/** The driver once more, with all that it knows, but with a connection of its own. */
async function openReader(dataSource: DataSource): Promise<Reader> {
  const driver: SqliteDriver = Object.assign(Object.create(dataSource.driver), { queryRunner: undefined })
  driver.databaseConnection = await driver.createDatabaseConnection()
  const queryRunner = driver.createQueryRunner('slave')
  Object.assign(queryRunner, { manager: dataSource.createEntityManager(queryRunner) })
  await queryRunner.query('PRAGMA query_only = ON')
  return { queryRunner, close: () => driver.disconnect() }
}

/** Opened as they are needed. */
class ReaderPool implements Readers {
  private readonly dataSource: DataSource
  private readonly readers: Reader[]
  private readonly idle: Reader[]
  private readonly waiting: ((reader: Reader) => void)[] = []
  private opening = 0

  constructor(dataSource: DataSource, first: Reader) {
    this.dataSource = dataSource
    this.readers = [first]
    this.idle = [first]
  }

  async read<Value>(work: Work<Value>, statements: Statements): Promise<Value> {
    // The last one that was used has the most statements prepared.
    const reader = this.idle.pop() ?? (await this.take())
    const { queryRunner } = reader
    try {
      return await (statements === 'one' ? work(queryRunner) : atOneMoment(this.dataSource, queryRunner, work))
    } finally {
      this.giveBack(reader)
    }
  }

  open(): Promise<Reader> {
    return openReader(this.dataSource)
  }

  async close(): Promise<void> {
    for (const reader of this.readers) await reader.close()
  }

  private async take(): Promise<Reader> {
    if (this.readers.length + this.opening === MOST) return new Promise((resolve) => this.waiting.push(resolve))
    this.opening += 1
    try {
      const reader = await openReader(this.dataSource)
      this.readers.push(reader)
      return reader
    } finally {
      this.opening -= 1
    }
  }

  private giveBack(reader: Reader): void {
    const next = this.waiting.shift()
    if (next === undefined) this.idle.push(reader)
    else next(reader)
  }
}

/** As many as the threads of Node.js that the npm package `sqlite3` works on; better-sqlite3 works on none but the main one. */
const MOST = 4

async function atOneMoment<Value>(dataSource: DataSource, queryRunner: QueryRunner, work: Work<Value>): Promise<Value> {
  const run = (text: string) => runText({ dataSource, queryRunner, driver: SQLITE_STATEMENTS }, { text, values: [] })
  await run('BEGIN')
  try {
    return await work(queryRunner)
  } finally {
    // Nothing was written: what made the work fail is what matters, also where SQLite has ended the transaction by itself.
    await run('COMMIT').catch(() => undefined)
  }
}
