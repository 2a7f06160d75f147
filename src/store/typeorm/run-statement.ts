import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm'
import type { PreparedStatementsOption } from '../../graph/options'
import { type Cells, toCells } from './cells'
import { dialectOf } from './dialect-of'
import type { DriverStatements } from './driver-statements'
import type { Mapping } from './mapping'
import { toMysqlValues } from './mysql-values'
import { PostgresStatements } from './postgres-statements'
import { isSomebodyTold } from './somebody-told'
import type { Statement } from './sql'
import { SQLITE_STATEMENTS } from './sqlite-statements'
import { originalQuery, runWatched } from './watch-statements'

export interface StatementResult {
  readonly records: readonly Cells[]
  /** Rows that were written; of an update also those that held the values already. */
  readonly affected: number
  /** What a driver said that only TypeORM speaks to. */
  readonly raw?: unknown
}

/** Runs a statement on the connection of a query runner, and so within its transaction when there is one. */
export type RunStatement = (queryRunner: QueryRunner, statement: Statement) => Promise<StatementResult>

/** `naming`: whether statements stay prepared where that takes names. */
export function createRunStatement(
  { dataSource }: Pick<Mapping, 'dataSource'>,
  naming: PreparedStatementsOption = 'on',
): RunStatement {
  const driver = driverOf(dataSource, naming)
  return (queryRunner, statement) => runText({ dataSource, queryRunner, driver }, statement)
}

function driverOf({ options }: DataSource, naming: PreparedStatementsOption): DriverStatements | undefined {
  switch (options.type) {
    case 'better-sqlite3':
      return SQLITE_STATEMENTS
    case 'postgres':
      return new PostgresStatements(naming)
    default:
      return undefined
  }
}

interface Place {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** `undefined`: one that only TypeORM speaks to. */
  readonly driver: DriverStatements | undefined
}

/**
 * A statement goes to the driver itself where TypeORM would add nothing to it: what that gains is in docs/internals/decisions/030. Where
 * anybody is told of statements, or this is a driver that is not known here, it goes through TypeORM.
 */
export function runText({ dataSource, queryRunner, driver }: Place, statement: Statement): Promise<StatementResult> {
  if (driver === undefined || isSomebodyTold(dataSource) || !isOriginal(queryRunner, driver)) {
    return runThrough(dataSource, queryRunner, statement)
  }
  const runOn = (connection: unknown) =>
    connection === undefined
      ? runThrough(dataSource, queryRunner, statement)
      : runBy(driver, { dataSource, queryRunner, connection }, statement)
  const connecting = driver.connect(queryRunner)
  return connecting instanceof Promise ? connecting.then(runOn) : runOn(connecting)
}

interface Connected extends Omit<Place, 'driver'> {
  readonly connection: unknown
}

/** Each promise is a hundredth of a GET of one resource: there is one where the driver has none. */
function runBy(
  driver: DriverStatements,
  { dataSource, queryRunner, connection }: Connected,
  statement: Statement,
): Promise<StatementResult> {
  return runWatched(queryRunner, statement, async ({ text, values }) => {
    try {
      const running = driver.run(connection, { text, values })
      return running instanceof Promise ? await running : running
    } catch (error) {
      dataSource.logger.logQueryError(error as Error, text, values, queryRunner)
      throw new QueryFailedError(text, values, error as Error)
    }
  })
}

/** Whether its `query` is that of TypeORM: what somebody has put in place of it is not to be passed by. */
function isOriginal(queryRunner: QueryRunner, { query }: DriverStatements): boolean {
  return !queryRunner.isReleased && originalQuery(queryRunner) === query
}

async function runThrough(
  dataSource: DataSource,
  queryRunner: QueryRunner,
  { text, values }: Statement,
): Promise<StatementResult> {
  const bound = dialectOf(dataSource).name === 'mysql' ? toMysqlValues(values) : values
  const { records, affected, raw } = await queryRunner.query(withVerb(text), bound, true)
  return { records: records.map(toCells), affected: affected ?? 0, raw }
}

/**
 * With `sqlite3` TypeORM 0.3 counts rows where it reads these in capitals. It then collects none: an `insert … returning` stays as it is.
 */
function withVerb(text: string): string {
  return text.replace(/^(?:update|delete) /, (verb) => verb.toUpperCase())
}
