import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceClass } from 'stemma'
import type { DataSource, Logger, ObjectLiteral } from 'typeorm'
import { createTables } from './create-tables'
import { type ConnectionSettings, createDataSource } from './data-source'
import {
  describeTables,
  emptyDatabase,
  returnDatabase,
  type ServerDatabase,
  takeUnusedDatabase,
} from './server-databases'
import { LAYOUT, type Layout } from './table-layout'

/** The database of one test, with its tables and no rows. */
export interface TestDatabase {
  readonly dataSource: DataSource
  /** Connects another `DataSource` or process to the same database. */
  readonly connection: ConnectionSettings
  /** Returns the statements that ran during `work`, without those of transactions and schema queries. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>
  /** Returns a property of all rows, sorted: `await database.valuesOf(Team, 'name')`. */
  valuesOf(entity: ResourceClass, property: string): Promise<readonly string[]>
  close(): Promise<void>
}

export type DatabaseName = 'sqlite' | 'postgres' | 'mariadb'

/** `better-sqlite3` or `sqlite3` with `:memory:` or `:file` behind it, or the URL of a server. scripts/databases.js lists them. */
const url = process.env.TEST_DATABASE_URL ?? 'better-sqlite3::memory:'
const [, sqliteDriver, sqliteStorage] = /^((?:better-)?sqlite3):(:memory:|file)$/.exec(url) ?? []
export const SQLITE_DRIVER = sqliteDriver ?? 'better-sqlite3'

/** The database of this run. */
export const DATABASE: DatabaseName =
  sqliteDriver !== undefined ? 'sqlite' : url.startsWith('postgres') ? 'postgres' : 'mariadb'

/** The table layouts of this run. The package `sqlite3` has no user-defined functions, which count the keys that several tables share. */
export const LAYOUTS: readonly Layout[] =
  SQLITE_DRIVER === 'sqlite3' ? ['single', 'joined'] : ['single', 'joined', 'tablePerConcreteClass']

/** Whether a write without hooks is a single statement; the driver `sqlite` of TypeORM 0.3 needs several. */
export const WRITES_IN_ONE_STATEMENT =
  DATABASE === 'postgres' ||
  (DATABASE === 'sqlite' && (SQLITE_DRIVER === 'better-sqlite3' || process.env.TEST_TYPEORM === '1'))

/** Whether a logger observes all statements. Then they go through TypeORM, otherwise directly to the driver. */
const IS_LOGGED = process.env.TEST_LOGGER === 'on'

/** The column type for a point in time, to the millisecond. */
export const DATETIME = {
  sqlite: { type: 'datetime' },
  postgres: { type: 'timestamptz', precision: 3 },
  mariadb: { type: 'datetime', precision: 3 },
}[DATABASE] as { readonly type: 'datetime'; readonly precision?: number }

/** Returns an identifier in the quotes of the database, for statements of tests. */
export const quotedName = (name: string) => (DATABASE === 'mariadb' ? `\`${name}\`` : `"${name}"`)

export function openDatabase(entities: readonly ResourceClass[], tables: Layout = LAYOUT): Promise<TestDatabase> {
  if (DATABASE !== 'sqlite') return openOnServer(entities, tables)
  return sqliteStorage === 'file' ? openFile(entities, {}, tables) : openMemory(entities, tables)
}

/** A database in the memory of the process. */
export function openMemory(entities: readonly ResourceClass[], tables: Layout = LAYOUT): Promise<TestDatabase> {
  return open({ connection: sqliteConnection(':memory:'), entities, tables, remove: async () => undefined })
}

/** An SQLite file, which other connections and processes can open too. */
export function openFile(
  entities: readonly ResourceClass[],
  options: object = {},
  tables: Layout = LAYOUT,
): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-'))
  const connection = { ...sqliteConnection(join(folder, 'test.sqlite')), enableWAL: true, ...options }
  return open({ connection, entities, tables, remove: async () => rmSync(folder, { recursive: true }) })
}

function sqliteConnection(database: string): ConnectionSettings {
  return { type: SQLITE_DRIVER, database }
}

// Writes do not wait for the disk (`synchronous`, `synchronous_commit`), because tests need no durability. `jit` is off, as
// docs/guide/production.md advises: PostgreSQL would compile some filters for more than ten seconds on tables of eight rows. PostgreSQL looks
// for deadlocks after a second by default; tests of concurrent writes run into many of them.

let count = 0

/** Ignores a violation, because two processes may create the extension at the same time. */
const INSTALL_UUIDS = `do $$ begin
  create extension if not exists "uuid-ossp" schema public;
exception when unique_violation then null;
end $$`

async function openOnServer(entities: readonly ResourceClass[], layout: Layout): Promise<TestDatabase> {
  const tables = `${layout} ${await describeTables(createDataSource({ type: DATABASE, url }, entities, {}, layout))}`
  const existing = takeUnusedDatabase(tables)
  // PostgreSQL finds sequences by the search path.
  const database = existing ?? (await createServerDatabase(layout === 'tablePerConcreteClass' ? 'onPath' : 'named'))
  const remove = async (use: DatabaseUse) =>
    use === 'rowsOnly' ? returnDatabase(database, tables) : dropServerDatabase(database)
  const prepare = existing && ((dataSource: DataSource) => emptyDatabase(dataSource, existing))
  return open({ connection: database.connection, entities, tables: layout, prepare, remove })
}

/** Creates an empty schema on PostgreSQL, which is on the search path if required, or an empty database on MariaDB. */
export async function createServerDatabase(searchPath: 'onPath' | 'named'): Promise<ServerDatabase> {
  const name = `stemma_${process.env.TEST_RUN_PROCESS ?? process.pid}_${process.pid}_${Date.now().toString(36)}_${count++}`
  const isPostgres = DATABASE === 'postgres'
  // TypeORM would install its extension into the first schema of the search path, which is removed after this test.
  const path = searchPath === 'onPath' ? ` -c search_path=${name},public` : ''
  await asOperator(async (operator) => {
    await operator.query(isPostgres ? `create schema "${name}"` : `create database \`${name}\``)
    if (isPostgres && path !== '') await operator.query(INSTALL_UUIDS)
  })
  const connection = isPostgres
    ? { schema: name, url, extra: { options: `-c synchronous_commit=off -c jit=off -c deadlock_timeout=50ms${path}` } }
    : { url: Object.assign(new URL(url), { pathname: `/${name}` }).toString() }
  return { name, connection: { type: DATABASE, ...connection } }
}

export function dropServerDatabase({ name }: ServerDatabase): Promise<void> {
  return asOperator(async (operator) => {
    await operator.query(DATABASE === 'postgres' ? `drop schema "${name}" cascade` : `drop database \`${name}\``)
  })
}

async function asOperator(work: (operator: DataSource) => Promise<void>): Promise<void> {
  const operator = await createDataSource({ type: DATABASE, url }, []).initialize()
  await work(operator)
  await operator.destroy()
}

/** Whether a test has changed only rows, or tables or statistics too. */
type DatabaseUse = 'rowsOnly' | 'tables'

interface OpenOptions {
  readonly connection: ConnectionSettings
  readonly entities: readonly ResourceClass[]
  readonly tables: Layout
  /** Default: creates the tables. */
  readonly prepare?: ((dataSource: DataSource) => Promise<void>) | undefined
  remove(use: DatabaseUse): Promise<void>
}

const CHANGES_TABLES = /^\s*(?:alter|analyze|create|drop|rename|truncate|vacuum)\b/i

async function open(options: OpenOptions): Promise<TestDatabase> {
  const { connection, entities, tables, prepare = createTables, remove } = options
  const dataSource = await createDataSource(
    connection,
    entities,
    IS_LOGGED ? { logger: recordIn([]) } : {},
    tables,
  ).initialize()
  // Without entities, a test creates its tables through a connection of its own.
  let use: DatabaseUse = entities.length === 0 ? 'tables' : 'rowsOnly'
  const close = async () => {
    await dataSource.destroy()
    await remove(use)
  }
  if ('database' in connection) await dataSource.query('PRAGMA synchronous = OFF')
  try {
    await prepare(dataSource)
  } catch (error) {
    // Otherwise it would affect the next test file in this process.
    use = 'tables'
    await close()
    throw error
  }
  const query = dataSource.query.bind(dataSource)
  dataSource.query = (statement, ...rest) => {
    if (CHANGES_TABLES.test(statement)) use = 'tables'
    return query(statement, ...rest)
  }
  return {
    dataSource,
    connection,
    close,
    async statementsOf(work) {
      const log: string[] = []
      const { logger } = dataSource
      dataSource.logger = recordIn(log)
      await work()
      dataSource.logger = logger
      return log.filter((statement) => !UNRECORDED_STATEMENT.test(statement))
    },
    async valuesOf(entity, property) {
      const rows = await dataSource.getRepository<ObjectLiteral>(entity).find()
      return rows.map((row) => row[property]).sort()
    },
  }
}

const UNRECORDED_STATEMENT =
  /^(?:begin|commit|start|rollback|set|savepoint|release|pragma)\b|^select 1 from (?:sqlite_master|pg_class) /i

const recordIn = (log: string[]) => loggerWith({ logQuery: (query) => log.push(query) })

/** A logger whose other methods do nothing. */
export function loggerWith(methods: Partial<Logger>): Logger {
  const nothing = () => undefined
  const others = { logQueryError: nothing, logQuerySlow: nothing, logSchemaBuild: nothing, logMigration: nothing }
  return { ...others, logQuery: nothing, log: nothing, ...methods }
}
