import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceClass } from 'stemma'
import type { DataSource, Logger } from 'typeorm'
import { createTables } from './create-tables'
import { type ConnectionSettings, createDataSource } from './data-source'
import { LAYOUT, type Layout } from './table-layout'

/** The database of one test, with its tables and no rows. */
export interface TestDatabase {
  readonly dataSource: DataSource
  /** Connects another `DataSource` or process to the same database. */
  readonly connection: ConnectionSettings
  /** Returns the statements that ran during `work`, without those of transactions and schema queries. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>
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
// docs/guide/production.md advises: PostgreSQL would compile some filters for more than ten seconds on tables of eight rows.

let count = 0

/** Ignores a violation, because two processes may create the extension at the same time. */
const INSTALL_UUIDS = `do $$ begin
  create extension if not exists "uuid-ossp" schema public;
exception when unique_violation then null;
end $$`

async function openOnServer(entities: readonly ResourceClass[], tables: Layout): Promise<TestDatabase> {
  // PostgreSQL finds sequences by the search path.
  const connection = await createEmptyDatabase(tables === 'tablePerConcreteClass' ? 'onPath' : 'named')
  return open({ ...connection, entities, tables })
}

/** Creates an empty schema on PostgreSQL, which is on the search path if required, or an empty database on MariaDB. */
export async function createEmptyDatabase(searchPath: 'onPath' | 'named'): Promise<EmptyDatabase> {
  // A killed process leaves its schemas behind, which a process with the same number replaces.
  const name = `stemma_${process.pid}_${Date.now().toString(36)}_${count++}`
  const isPostgres = DATABASE === 'postgres'
  const admin = await createDataSource({ type: DATABASE, url }, []).initialize()
  await admin.query(isPostgres ? `create schema "${name}"` : `create database \`${name}\``)
  // TypeORM would install its extension into the first schema of the search path, which is removed after this test.
  const path = searchPath === 'onPath' ? ` -c search_path=${name},public` : ''
  if (isPostgres && path !== '') await admin.query(INSTALL_UUIDS)
  const connection = isPostgres
    ? { schema: name, url, extra: { options: `-c synchronous_commit=off -c jit=off${path}` } }
    : { url: Object.assign(new URL(url), { pathname: `/${name}` }).toString() }
  const remove = async () => {
    await admin.query(isPostgres ? `drop schema "${name}" cascade` : `drop database \`${name}\``)
    await admin.destroy()
  }
  return { connection: { type: DATABASE, ...connection }, remove }
}

interface EmptyDatabase {
  readonly connection: ConnectionSettings
  remove(): Promise<void>
}

interface OpenOptions extends EmptyDatabase {
  readonly entities: readonly ResourceClass[]
  readonly tables: Layout
}

async function open({ connection, entities, tables, remove }: OpenOptions): Promise<TestDatabase> {
  const options = IS_LOGGED ? { logger: recordIn([]) } : {}
  const dataSource = await createDataSource(connection, entities, options, tables).initialize()
  const close = async () => {
    await dataSource.destroy()
    await remove()
  }
  if ('database' in connection) await dataSource.query('PRAGMA synchronous = OFF')
  try {
    await createTables(dataSource)
  } catch (error) {
    // Otherwise it would affect the next test file in this process.
    await close()
    throw error
  }
  return {
    dataSource,
    connection: connection,
    close,
    async statementsOf(work) {
      const log: string[] = []
      const { logger } = dataSource
      dataSource.logger = recordIn(log)
      await work()
      dataSource.logger = logger
      return log.filter((statement) => !UNRECORDED_STATEMENT.test(statement))
    },
  }
}

const UNRECORDED_STATEMENT =
  /^(?:begin|commit|start|rollback|set|savepoint|release|pragma)\b|^select 1 from (?:sqlite_master|pg_class) /i

function recordIn(log: string[]): Logger {
  const ignore = () => {}
  return {
    logQuery: (query) => log.push(query),
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  }
}
