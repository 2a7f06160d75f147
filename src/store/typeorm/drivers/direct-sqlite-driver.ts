import type { QueryRunner } from 'typeorm'
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner'
import { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import type { RawRow } from '../mapping/raw-row'
import type { Statement } from '../sql/sql'
import type { DirectDriver, DriverResult } from './direct-driver'
import { sqliteConnectionOf } from './typeorm-internals'

/** Statements of better-sqlite3. They stay prepared, as many for each connection as TypeORM would keep (`statementCacheSize`). */
export const DIRECT_SQLITE_DRIVER: DirectDriver<SqliteConnection> = {
  query: BetterSqlite3QueryRunner.prototype.query,
  connect,
  run: runOn,
}

/** The interface of better-sqlite3 and of packages that replace it. */
interface Database {
  prepare(text: string): PreparedStatement
}

interface PreparedStatement {
  /** Whether it gives rows. */
  readonly reader: boolean
  /** Makes rows arrays: 0.3 µs less for each row than objects. */
  raw(): unknown
  all(values: unknown[]): unknown[][]
  iterate(values: unknown[]): IterableIterator<unknown[]>
  run(values: unknown[]): { readonly changes: number }
}

interface SqliteConnection {
  readonly database: Database
  readonly prepared: SegmentedLruCache<PreparedStatement> | undefined
}

function connect(queryRunner: QueryRunner): SqliteConnection {
  const { database, statementCacheSize } = sqliteConnectionOf<Database>(queryRunner)
  return connectionOf(database, statementCacheSize)
}

const connections = new WeakMap<Database, SqliteConnection>()

function connectionOf(database: Database, size = DEFAULT_CACHE_SIZE): SqliteConnection {
  const known = connections.get(database)
  if (known !== undefined) return known
  const connection = {
    database,
    prepared: size > 0 ? new SegmentedLruCache<PreparedStatement>({ maxEntries: size }) : undefined,
  }
  connections.set(database, connection)
  return connection
}

/** TypeORM's. */
const DEFAULT_CACHE_SIZE = 100

/** The rows of a statement one by one. As long as there are more, the connection can be used for nothing else. */
export function iterateOn(queryRunner: QueryRunner, { text, values }: Statement): Iterable<RawRow> {
  const { database } = connect(queryRunner)
  return prepare({ database, prepared: undefined }, text).iterate(bind(values))
}

function runOn(connection: SqliteConnection, { text, values }: Statement): DriverResult {
  const statement = prepare(connection, text)
  const bound = bind(values)
  if (statement.reader) return { records: statement.all(bound), affected: 0 }
  return { records: [], affected: statement.run(bound).changes }
}

function prepare({ database, prepared }: SqliteConnection, text: string): PreparedStatement {
  const known = prepared?.get(text)
  if (known !== undefined) return known
  const statement = database.prepare(text)
  if (statement.reader) statement.raw()
  prepared?.set(text, statement)
  return statement
}

function bind(values: unknown[]): unknown[] {
  return values.some(isBoolean) ? values.map((value) => (isBoolean(value) ? Number(value) : value)) : values
}

/** SQLite has none: TypeORM 1.x writes them as numbers, too. */
function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
