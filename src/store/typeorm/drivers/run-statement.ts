import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import { dialectOf } from '../dialects/dialect-of'
import { type ColumnValuesInSelectOrder, toColumnValuesOfRowObject } from '../mapping/column-values-in-select-order'
import type { DatabaseMapping } from '../mapping/database-mapping'
import type { Statement } from '../sql/sql'
import type { DirectDriver } from './direct-driver'
import { DirectPostgresDriver } from './direct-postgres-driver'
import { DirectSqliteDriver } from './direct-sqlite-driver'
import { originalQueryMethodOf, runInterceptedStatement } from './intercept-queries'
import { escapeTextsInMysqlParameters } from './mysql-values'
import { hasQueryLoggerOrSubscriber } from './query-listeners'

export interface StatementResult {
  readonly records: readonly ColumnValuesInSelectOrder[]
  /** The number of written rows. An update counts rows that had the same values already. */
  readonly affected: number
  /** The result of a driver that runs through TypeORM. */
  readonly raw?: unknown
}

/** Runs a statement on the connection of a query runner, and in its transaction, if there is one. */
export type RunStatement = (queryRunner: QueryRunner, statement: Statement) => Promise<StatementResult>

/** Creates the function that runs statements. `usesNames`: prepares named statements on PostgreSQL. */
export function createRunStatement(
  { dataSource }: Pick<DatabaseMapping, 'dataSource'>,
  caches: Caches,
  usesNames = true,
): RunStatement {
  const driver = driverOf(dataSource, caches, usesNames)
  return (queryRunner, statement) => runStatement({ dataSource, queryRunner, driver }, statement)
}

function driverOf({ options }: DataSource, caches: Caches, usesNames: boolean): DirectDriver | undefined {
  switch (options.type) {
    case 'better-sqlite3':
      return new DirectSqliteDriver(caches)
    case 'postgres':
      return new DirectPostgresDriver(usesNames, caches)
    default:
      return undefined
  }
}

interface StatementContext {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** `undefined`: a driver that only TypeORM can use. */
  readonly driver: DirectDriver | undefined
}

/**
 * Runs a statement on the driver itself if TypeORM would add nothing (decision 014). It runs through TypeORM if a logger or subscriber observes
 * queries, or if the driver is not known here.
 */
export function runStatement(
  { dataSource, queryRunner, driver }: StatementContext,
  statement: Statement,
): Promise<StatementResult> {
  if (driver === undefined || hasQueryLoggerOrSubscriber(dataSource) || !isOriginal(queryRunner, driver)) {
    return runThroughTypeOrm(dataSource, queryRunner, statement)
  }
  const runOn = (connection: unknown) =>
    connection === undefined
      ? runThroughTypeOrm(dataSource, queryRunner, statement)
      : runDirectly(driver, { dataSource, queryRunner, connection }, statement)
  const connection = driver.connect(queryRunner)
  return connection instanceof Promise ? connection.then(runOn) : runOn(connection)
}

interface ConnectedContext extends Omit<StatementContext, 'driver'> {
  readonly connection: unknown
}

/** Runs a statement on the driver. Creates few promises, because each takes a hundredth of the time of a GET of one resource. */
function runDirectly(
  driver: DirectDriver,
  { dataSource, queryRunner, connection }: ConnectedContext,
  statement: Statement,
): Promise<StatementResult> {
  return runInterceptedStatement(queryRunner, statement, async ({ text, values }) => {
    try {
      const result = driver.run(connection, { text, values })
      return result instanceof Promise ? await result : result
    } catch (error) {
      dataSource.logger.logQueryError(error as Error, text, values, queryRunner)
      throw new QueryFailedError(text, values, error as Error)
    }
  })
}

/** Returns false if the application replaced the `query` of the query runner: its replacement must not be bypassed. */
function isOriginal(queryRunner: QueryRunner, { query }: DirectDriver): boolean {
  return !queryRunner.isReleased && originalQueryMethodOf(queryRunner) === query
}

async function runThroughTypeOrm(
  dataSource: DataSource,
  queryRunner: QueryRunner,
  { text, values }: Statement,
): Promise<StatementResult> {
  const bound = dialectOf(dataSource).name === 'mysql' ? escapeTextsInMysqlParameters(values) : values
  const { records, affected, raw } = await queryRunner.query(withUppercaseVerb(text), bound, true)
  return { records: records.map(toColumnValuesOfRowObject), affected: affected ?? 0, raw }
}

/** Converts verbs to upper case, because TypeORM 0.3 counts rows of `sqlite3` only then. It returns no rows then, so `insert … returning` is unchanged. */
function withUppercaseVerb(text: string): string {
  return text.replace(/^(?:update|delete) /, (verb) => verb.toUpperCase())
}
