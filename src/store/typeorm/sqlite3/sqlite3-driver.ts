import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from 'sqlite3'
import type { QueryRunner } from 'typeorm'
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver'
import type { Sqlite3Options } from './sqlite3-options'
import { Sqlite3QueryRunner } from './sqlite3-query-runner'

/** All that TypeORM does for better-sqlite3 beside connections and statements: names of tables, further files, column types. */
export class Sqlite3Driver extends BetterSqlite3Driver {
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
