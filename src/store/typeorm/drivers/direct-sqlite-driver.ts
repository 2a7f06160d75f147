import type { QueryRunner } from 'typeorm'
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner'
import type { Caches } from '../../../cache/caches'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { Statement } from '../sql/sql'
import type { DirectDriver, DriverResult } from './direct-driver'
import { sqliteConnectionInternalsOf } from './typeorm-internals'

/** Runs statements with better-sqlite3. Keeps as many prepared statements for each connection as TypeORM would (`statementCacheSize`). */
export class DirectSqliteDriver implements DirectDriver<SqliteConnection> {
  readonly query = TYPEORM_QUERY_OF_BETTER_SQLITE3
  private readonly caches: Caches
  private readonly connections = new WeakMap<Database, SqliteConnection>()

  constructor(caches: Caches) {
    this.caches = caches
  }

  connect(queryRunner: QueryRunner): SqliteConnection {
    const { database, statementCacheSize: maxEntries = DEFAULT_CACHE_SIZE } =
      sqliteConnectionInternalsOf<Database>(queryRunner)
    return getOrCompute(this.connections, database, () => ({
      database,
      prepared: maxEntries > 0 ? this.caches.create({ name: 'prepared statements', maxEntries }) : undefined,
    }))
  }

  run({ database, prepared }: SqliteConnection, { text, values }: Statement): DriverResult {
    const statement = prepared?.getOrCompute(text, () => prepare(database, text)) ?? prepare(database, text)
    const bound = bind(values)
    if (statement.reader) return { records: statement.all(bound), affected: 0 }
    return { records: [], affected: statement.run(bound).changes }
  }
}

/** The `query` of TypeORM's query runners for better-sqlite3. */
export const TYPEORM_QUERY_OF_BETTER_SQLITE3 = BetterSqlite3QueryRunner.prototype.query

/** The interface of better-sqlite3 and of packages that replace it. */
interface Database {
  prepare(text: string): PreparedStatement
}

interface PreparedStatement {
  /** True if the statement returns rows. */
  readonly reader: boolean
  /** Returns rows as arrays, which takes 0.3 µs less for each row than objects. */
  raw(): unknown
  all(values: unknown[]): unknown[][]
  iterate(values: unknown[]): IterableIterator<unknown[]>
  run(values: unknown[]): { readonly changes: number }
}

interface SqliteConnection {
  readonly database: Database
  readonly prepared: SegmentedLruCache<PreparedStatement> | undefined
}

/** The default of TypeORM. */
const DEFAULT_CACHE_SIZE = 100

/** Returns the rows of a statement one by one. Until the last row is read, the connection can't run other statements. */
export function iterateSqliteRows(
  queryRunner: QueryRunner,
  { text, values }: Statement,
): Iterable<ColumnValuesInSelectOrder> {
  const { database } = sqliteConnectionInternalsOf<Database>(queryRunner)
  return prepare(database, text).iterate(bind(values))
}

function prepare(database: Database, text: string): PreparedStatement {
  const statement = database.prepare(text)
  if (statement.reader) statement.raw()
  return statement
}

function bind(values: unknown[]): unknown[] {
  return values.some(isBoolean) ? values.map((value) => (isBoolean(value) ? Number(value) : value)) : values
}

/** Returns true for booleans. SQLite has no booleans, and TypeORM 1.x binds them as numbers too. */
function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
