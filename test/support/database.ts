import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceClass } from 'stemma'
import type { DataSource, Logger } from 'typeorm'
import { createDataSource, type Place } from './data-source'
import { makeTables } from './make-tables'
import { LAYOUT, type Layout } from './table-layout'

/** The database of one test, with its tables and no rows. */
export interface TestDatabase {
  readonly dataSource: DataSource
  /** For another `DataSource`, or another process, on the same database. */
  readonly place: Place
  /** Returns the statements that ran during `work`, without those of transactions and schema queries. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>
  close(): Promise<void>
}

export type DatabaseName = 'sqlite' | 'postgres' | 'mariadb'

/** `better-sqlite3` or `sqlite3` with `:memory:` or `:file` behind it, or the URL of a server. scripts/test-on.js knows them all. */
const url = process.env.TEST_DATABASE_URL ?? 'better-sqlite3::memory:'
const [, sqliteDriver, sqlitePlace] = /^((?:better-)?sqlite3):(:memory:|file)$/.exec(url) ?? []

export const SQLITE_DRIVER = sqliteDriver ?? 'better-sqlite3'

/** The database of this run. */
export const DATABASE: DatabaseName =
  sqliteDriver !== undefined ? 'sqlite' : url.startsWith('postgres') ? 'postgres' : 'mariadb'

/** Whether a write without hooks is a single statement; the driver `sqlite` of TypeORM 0.3 needs several. */
export const WRITES_AT_ONCE =
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
  return sqlitePlace === 'file' ? openFile(entities, {}, tables) : openMemory(entities, tables)
}

/** A database in the memory of the process. */
export function openMemory(entities: readonly ResourceClass[], tables: Layout = LAYOUT): Promise<TestDatabase> {
  return open({ place: sqliteAt(':memory:'), entities, tables, remove: async () => undefined })
}

/** An SQLite file, which other connections and processes can open too. */
export function openFile(
  entities: readonly ResourceClass[],
  options: object = {},
  tables: Layout = LAYOUT,
): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-'))
  const place = { ...sqliteAt(join(folder, 'test.sqlite')), enableWAL: true, ...options }
  return open({ place, entities, tables, remove: async () => rmSync(folder, { recursive: true }) })
}

function sqliteAt(database: string): Place {
  return { type: SQLITE_DRIVER, database }
}

// The machine does not crash, so writes need not wait for the disk: `synchronous`, `synchronous_commit`. PostgreSQL would compile filters
// that look costly for ten seconds and more, on tables of eight rows: `jit` is off, as docs/guide/production.md advises.

let count = 0

/** Two processes may both find it missing. */
const INSTALL_UUIDS = `do $$ begin
  create extension if not exists "uuid-ossp" schema public;
exception when unique_violation then null;
end $$`

async function openOnServer(entities: readonly ResourceClass[], tables: Layout): Promise<TestDatabase> {
  // PostgreSQL finds sequences by the search path.
  const place = await makePlace(tables === 'tablePerConcreteClass' ? 'onPath' : 'named')
  return open({ ...place, entities, tables })
}

/** Creates an empty schema on PostgreSQL, which is on the search path if required, or an empty database on MariaDB. */
export async function makePlace(reached: 'onPath' | 'named'): Promise<MadePlace> {
  // A killed process leaves its schemas behind, which a process with the same number replaces.
  const name = `stemma_${process.pid}_${Date.now().toString(36)}_${count++}`
  const isPostgres = DATABASE === 'postgres'
  const admin = await createDataSource({ type: DATABASE, url }, []).initialize()
  await admin.query(isPostgres ? `create schema "${name}"` : `create database \`${name}\``)
  // TypeORM would install its extension into the first schema of the search path, which is removed after this test.
  const path = reached === 'onPath' ? ` -c search_path=${name},public` : ''
  if (isPostgres && path !== '') await admin.query(INSTALL_UUIDS)
  const place = isPostgres
    ? { schema: name, url, extra: { options: `-c synchronous_commit=off -c jit=off${path}` } }
    : { url: Object.assign(new URL(url), { pathname: `/${name}` }).toString() }
  const remove = async () => {
    await admin.query(isPostgres ? `drop schema "${name}" cascade` : `drop database \`${name}\``)
    await admin.destroy()
  }
  return { place: { type: DATABASE, ...place }, remove }
}

interface MadePlace {
  readonly place: Place
  remove(): Promise<void>
}

interface Opening extends MadePlace {
  readonly entities: readonly ResourceClass[]
  readonly tables: Layout
}

async function open({ place, entities, tables, remove }: Opening): Promise<TestDatabase> {
  const options = IS_LOGGED ? { logger: recordIn([]) } : {}
  const dataSource = await createDataSource(place, entities, options, tables).initialize()
  const close = async () => {
    await dataSource.destroy()
    await remove()
  }
  if ('database' in place) await dataSource.query('PRAGMA synchronous = OFF')
  try {
    await makeTables(dataSource)
  } catch (error) {
    // Otherwise it would affect the next test file in this process.
    await close()
    throw error
  }
  return {
    dataSource,
    place,
    close,
    async statementsOf(work) {
      const log: string[] = []
      const { logger } = dataSource
      dataSource.logger = recordIn(log)
      await work()
      dataSource.logger = logger
      return log.filter((statement) => !BESIDE.test(statement))
    },
  }
}

const BESIDE =
  /^(?:begin|commit|start|rollback|set|savepoint|release|pragma)\b|^select 1 from (?:sqlite_master|pg_class) /i

function recordIn(log: string[]): Logger {
  const nothing = () => {}
  return {
    logQuery: (query) => log.push(query),
    logQueryError: nothing,
    logQuerySlow: nothing,
    logSchemaBuild: nothing,
    logMigration: nothing,
    log: nothing,
  }
}
