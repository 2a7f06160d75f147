import type { QueryRunner } from 'typeorm'
import type { Dialect } from './dialect'
import type { Sql } from './sql'
import { printSql } from './sql'

export interface StatementResult {
  readonly records: Record<string, unknown>[]
  /** Rows that were written; of an update also those that held the values already. */
  readonly affected: number
  /** What the driver itself said. */
  readonly raw: unknown
}

/** Runs a statement on the connection of a query runner, and so within its transaction when there is one. */
export async function runStatement(queryRunner: QueryRunner, dialect: Dialect, sql: Sql): Promise<StatementResult> {
  const [text, values] = printSql(sql, dialect.placeholder)
  const { records, affected, raw } = await queryRunner.query(withVerb(text), values, true)
  return { records: records as Record<string, unknown>[], affected: affected ?? 0, raw }
}

/**
 * With `sqlite3` TypeORM 0.3 counts rows where it reads these in capitals. It then collects none: an `insert … returning` stays as it is.
 */
function withVerb(text: string): string {
  return text.replace(/^(?:update|delete) /, (verb) => verb.toUpperCase())
}
