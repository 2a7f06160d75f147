import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from 'sqlite3'
import type { QueryRunner } from 'typeorm'
import type { BaseDataSourceOptions } from 'typeorm/data-source/BaseDataSourceOptions'
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver'
import { Sqlite3QueryRunner } from './sqlite3-query-runner'

/** The options of `type: 'sqlite'` of TypeORM 0.3. */
export interface Sqlite3Options extends Omit<BaseDataSourceOptions, 'type' | 'poolSize'> {
  /** The path of a file, or `:memory:`. */
  readonly database: string
  /** A package with the interface of `sqlite3`. Default: that one. */
  readonly driver?: unknown
  /** For SQLCipher. */
  readonly key?: string
  /** Readers see the last commit and do not wait while a transaction is open. */
  readonly enableWAL?: boolean
  /** Milliseconds to wait for a file that another program has locked. Default: 1000, the driver's own. */
  readonly busyTimeout?: number
  /** Flags for opening the file: `sqlite3.OPEN_READWRITE`. Default: the file is created if it does not exist. */
  readonly flags?: number
}

/** Inherits everything from better-sqlite3 except connections and statements: table names, attached files, column types. */
export class Sqlite3DriverForTypeOrm extends BetterSqlite3Driver {
  override createQueryRunner(): QueryRunner {
    this.queryRunner ??= new Sqlite3QueryRunner(this)
    return this.queryRunner
  }

  override disconnect(): Promise<void> {
    delete this.queryRunner
    const connection: Database = this.databaseConnection
    return finished((done) => connection.close(done))
  }

  protected override async createDatabaseConnection(): Promise<Database> {
    const { database, key, enableWAL = false, busyTimeout, flags } = this.options as unknown as Sqlite3Options
    if (!database.startsWith(':')) await mkdir(dirname(database), { recursive: true })
    const connection = await this.open(database, flags)
    const run = (statement: string) => finished((done) => connection.run(statement, done))
    if (key !== undefined) await run(`PRAGMA key = ${JSON.stringify(key)}`)
    if (busyTimeout !== undefined) await run(`PRAGMA busy_timeout = ${busyTimeout}`)
    if (enableWAL) await run('PRAGMA journal_mode = WAL')
    await run('PRAGMA foreign_keys = ON')
    return connection
  }

  private async open(
    database: string,
    flags = this.sqlite.OPEN_READWRITE | this.sqlite.OPEN_CREATE,
  ): Promise<Database> {
    let connection: Database | undefined
    await finished((done) => {
      connection = new this.sqlite.Database(database, flags, done)
    })
    return connection as Database
  }
}

function finished(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error === null ? resolve() : reject(error))))
}
