import type { Database, RunResult } from 'sqlite3'
import { type ObjectLiteral, QueryFailedError, QueryResult } from 'typeorm'
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner'
import { QueryRunnerAlreadyReleasedError } from 'typeorm/error/QueryRunnerAlreadyReleasedError'
import { BroadcasterResult } from 'typeorm/subscriber/BroadcasterResult'

/** Runs statements, and calls loggers and subscribers as TypeORM's query runners do. */
export class Sqlite3QueryRunner extends BetterSqlite3QueryRunner {
  override async beforeMigration(): Promise<void> {
    await this.query('PRAGMA foreign_keys = OFF')
  }

  override async afterMigration(): Promise<void> {
    await this.query('PRAGMA foreign_keys = ON')
  }

  override async query(text: string, parameters: unknown[] | ObjectLiteral = [], structured = false): Promise<any> {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError()
    const values = parameters as unknown[]
    const { logger } = this.driver.connection
    logger.logQuery(text, values, this)
    await this.broadcaster.broadcast('BeforeQuery', text, values)
    const broadcastResult = new BroadcasterResult()
    const broadcast = (success: boolean, time?: number, raw?: unknown, error?: unknown) =>
      this.broadcaster.broadcastAfterQueryEvent(broadcastResult, text, values, success, time, raw, error)
    const start = Date.now()
    try {
      const result = await runOn(await this.connect(), text, values)
      const time = Date.now() - start
      const { maxQueryExecutionTime: most = 0 } = this.driver.options
      if (most !== 0 && time > most) logger.logQuerySlow(time, text, values, this)
      broadcast(true, time, result.raw)
      return structured ? result : result.raw
    } catch (error) {
      logger.logQueryError(error as Error, text, values, this)
      broadcast(false, undefined, undefined, error)
      throw new QueryFailedError(text, values, error as Error)
    } finally {
      await broadcastResult.wait()
    }
  }

  /** The names are TypeORM's. */
  protected override loadPragmaRecords(tablePath: string, pragma: string): Promise<unknown[]> {
    const names = tablePath.split('.')
    const schema = names.length > 1 ? `"${names[0]}".` : ''
    return this.query(`PRAGMA ${schema}${pragma}("${names.at(-1)}")`)
  }
}

/** The driver counts what is written only where it does not collect rows. */
function runOn(connection: Database, text: string, values: unknown[]): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    if (WRITES.test(text) && !RETURNS.test(text)) {
      connection.run(text, values, function (this: RunResult, error: Error | null) {
        if (error !== null) return reject(error)
        resolve(Object.assign(new QueryResult(), { raw: this.lastID, affected: this.changes }))
      })
      return
    }
    connection.all(text, values, (error: Error | null, records: unknown[]) => {
      if (error !== null) return reject(error)
      resolve(Object.assign(new QueryResult(), { raw: records, records }))
    })
  })
}

const WRITES = /^\s*(insert|update|delete|replace)\b/i
const RETURNS = /\breturning\b/i
