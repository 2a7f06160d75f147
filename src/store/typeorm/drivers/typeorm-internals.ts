import type { EventEmitter } from 'node:events'
import type { DataSource, Logger, QueryRunner } from 'typeorm'
import type { ConfigurationIssue } from '../../../errors/configuration-error'

// Members of typeorm 0.3.28 and 1.1.1 that are not public. Compare them with the source of TypeORM before you extend the version range in package.json.

/** `peerDependencies.typeorm` of package.json. */
export const TYPEORM_VERSION_RANGE = '^0.3.28 || ^1.1.0'

interface QueryRunnerInternals {
  /** The number of open transactions and savepoints. */
  transactionDepth: number
  /** The connection of the query runner, for drivers with a pool. */
  readonly databaseConnection?: unknown
}

/** The driver for better-sqlite3 in both versions of TypeORM, and for sqlite3 in TypeORM 0.3. */
interface SqliteDriverInternals {
  readonly options: { readonly statementCacheSize?: number }
  readonly database: string
  queryRunner: QueryRunner | undefined
  databaseConnection: unknown
  createDatabaseConnection(): Promise<unknown>
  createQueryRunner(mode: 'slave'): QueryRunner
  hasAttachedDatabases(): boolean
  disconnect(): Promise<void>
}

export function transactionDepthOf(queryRunner: QueryRunner): number {
  return internalsOf(queryRunner).transactionDepth
}

/** Returns true in a transaction. `isTransactionActive` alone is false after a subscriber rejected the start of a savepoint. */
export function isInTransaction(queryRunner: QueryRunner): boolean {
  return queryRunner.isTransactionActive || transactionDepthOf(queryRunner) > 0
}

export function setTransactionDepth(queryRunner: QueryRunner, depth: 0 | 1): void {
  Object.assign(queryRunner, { isTransactionActive: depth > 0, transactionDepth: depth })
}

/** Clears the flag that TypeORM sets before `BEGIN` succeeds. */
export function clearTransactionFlag(queryRunner: QueryRunner): void {
  Object.assign(queryRunner, { isTransactionActive: false })
}

export function driverConnectionOf(queryRunner: QueryRunner): unknown {
  return internalsOf(queryRunner).databaseConnection
}

/** Returns the connection of better-sqlite3, and the number of prepared statements that TypeORM would keep. */
export function sqliteConnectionInternalsOf<Database>(queryRunner: QueryRunner): SqliteConnectionInternals<Database> {
  const { databaseConnection, options } = sqliteDriverInternalsOf(queryRunner)
  return { database: databaseConnection as Database, statementCacheSize: options.statementCacheSize }
}

interface SqliteConnectionInternals<Database> {
  readonly database: Database
  readonly statementCacheSize: number | undefined
}

/** Opens another connection to the file of a `DataSource`, with the same driver options. */
export async function connectToSameFile({ driver }: DataSource): Promise<SqliteDriverInternals> {
  const copy: SqliteDriverInternals = Object.assign(Object.create(driver), { queryRunner: undefined })
  copy.databaseConnection = await copy.createDatabaseConnection()
  return copy
}

export function sqliteDriverInternalsOf(owner: Pick<DataSource, 'driver'> | QueryRunner): SqliteDriverInternals {
  return (owner as unknown as { readonly driver: SqliteDriverInternals }).driver
}

/** Returns the pools of `pg`. They don't exist before the data source is initialized, and after it is destroyed. */
export function postgresPoolsOf({ driver }: Pick<DataSource, 'driver'>): PostgresPools {
  return driver as unknown as PostgresPools
}

interface PostgresPools {
  readonly master?: EventEmitter
  readonly slaves?: readonly EventEmitter[]
}

/** Returns true if the logger logs queries. Call it only for loggers that extend `AbstractLogger`. */
export function loggerLogsQueries(logger: Logger): boolean {
  return (logger as unknown as { isLogEnabledFor(type: 'query'): boolean }).isLogEnabledFor('query')
}

/** Finds internal members that the installed version of TypeORM lacks. */
export function findTypeOrmInternalsIssues(dataSource: DataSource): readonly ConfigurationIssue[] {
  if (!dataSource.isInitialized) return []
  const queryRunner = dataSource.createQueryRunner()
  const isSqlite = SQLITE_FILE_DRIVERS.has(dataSource.options.type)
  const missing = [
    ...(typeof internalsOf(queryRunner).transactionDepth === 'number' ? [] : ['QueryRunner.transactionDepth']),
    ...(isSqlite ? SQLITE_MEMBERS.filter((name) => sqliteDriverInternalsOf(dataSource)[name] === undefined) : []),
  ]
  return missing.map((name) => ({
    location: 'typeorm',
    message: `the installed version has no '${name}', which stemma uses.`,
    remedy: `Install typeorm ${TYPEORM_VERSION_RANGE}.`,
  }))
}

/** Drivers whose database is a file, which `createDatabaseConnection` can open again for readers. */
export const SQLITE_FILE_DRIVERS: ReadonlySet<string> = new Set(['better-sqlite3', 'sqlite'])

const SQLITE_MEMBERS = ['databaseConnection', 'createDatabaseConnection', 'hasAttachedDatabases', 'disconnect'] as const

function internalsOf(queryRunner: QueryRunner): QueryRunnerInternals {
  return queryRunner as unknown as QueryRunnerInternals
}
