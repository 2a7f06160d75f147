import type { DataSource, Logger, QueryRunner } from 'typeorm'
import type { ConfigurationIssue } from '../../../errors/configuration-error'

// Members that TypeORM does not declare for applications, as typeorm 0.3.28 and 1.1.1 have them.
// Compare this file with TypeORM's source before the range of package.json is widened.

/** `peerDependencies.typeorm` of package.json. */
export const TYPEORM_VERSION_RANGE = '^0.3.28 || ^1.1.0'

interface QueryRunnerInternals {
  /** The number of open transactions and savepoints. */
  transactionDepth: number
  /** Drivers with a pool: the connection while the query runner has one. */
  readonly databaseConnection?: unknown
}

/** better-sqlite3 of both versions, and sqlite3 of TypeORM 0.3. */
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

/** `isTransactionActive` is false within a transaction if a subscriber rejected the start of a savepoint. */
export function isInTransaction(queryRunner: QueryRunner): boolean {
  return queryRunner.isTransactionActive || transactionDepthOf(queryRunner) > 0
}

export function setTransactionDepth(queryRunner: QueryRunner, depth: 0 | 1): void {
  Object.assign(queryRunner, { isTransactionActive: depth > 0, transactionDepth: depth })
}

/** TypeORM sets the flag before `BEGIN` has succeeded. */
export function clearTransactionFlag(queryRunner: QueryRunner): void {
  Object.assign(queryRunner, { isTransactionActive: false })
}

export function connectionOf(queryRunner: QueryRunner): unknown {
  return internalsOf(queryRunner).databaseConnection
}

/** Returns the connection of better-sqlite3, and how many statements TypeORM would keep prepared on it. */
export function sqliteConnectionOf<Database>(queryRunner: QueryRunner): SqliteConnectionInternals<Database> {
  const { databaseConnection, options } = sqliteDriverOf(queryRunner)
  return { database: databaseConnection as Database, statementCacheSize: options.statementCacheSize }
}

interface SqliteConnectionInternals<Database> {
  readonly database: Database
  readonly statementCacheSize: number | undefined
}

/** Connects once more to the file of a `DataSource`, with everything that its driver knows. */
export async function connectToSameFile({ driver }: DataSource): Promise<SqliteDriverInternals> {
  const own: SqliteDriverInternals = Object.assign(Object.create(driver), { queryRunner: undefined })
  own.databaseConnection = await own.createDatabaseConnection()
  return own
}

export function sqliteDriverOf(owner: Pick<DataSource, 'driver'> | QueryRunner): SqliteDriverInternals {
  return (owner as unknown as { readonly driver: SqliteDriverInternals }).driver
}

/** Only for loggers that extend `AbstractLogger`. */
export function logsQueries(logger: Logger): boolean {
  return (logger as unknown as { isLogEnabledFor(type: 'query'): boolean }).isLogEnabledFor('query')
}

/** Finds members that this version of TypeORM lacks. */
export function checkTypeOrmInternals(dataSource: DataSource): readonly ConfigurationIssue[] {
  if (!dataSource.isInitialized) return []
  const queryRunner = dataSource.createQueryRunner()
  const isSqlite = SQLITE_FILE_DRIVERS.has(dataSource.options.type)
  const missing = [
    ...(typeof internalsOf(queryRunner).transactionDepth === 'number' ? [] : ['QueryRunner.transactionDepth']),
    ...(isSqlite ? SQLITE_MEMBERS.filter((name) => sqliteDriverOf(dataSource)[name] === undefined) : []),
  ]
  return missing.map((name) => ({
    location: 'typeorm',
    message: `the installed version has no '${name}', which stemma uses.`,
    remedy: `Install typeorm ${TYPEORM_VERSION_RANGE}.`,
  }))
}

/** Drivers with a file of their own, which `createDatabaseConnection` opens once more for readers. */
export const SQLITE_FILE_DRIVERS: ReadonlySet<string> = new Set(['better-sqlite3', 'sqlite'])

const SQLITE_MEMBERS = ['databaseConnection', 'createDatabaseConnection', 'hasAttachedDatabases', 'disconnect'] as const

function internalsOf(queryRunner: QueryRunner): QueryRunnerInternals {
  return queryRunner as unknown as QueryRunnerInternals
}
