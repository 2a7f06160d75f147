import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceClass } from 'stemma'
import { DataSource, type DataSourceOptions, type Logger } from 'typeorm'
import { makeTables } from './make-tables'

/** A database of a test's own, empty but for its tables. */
export interface TestDatabase {
  readonly dataSource: DataSource
  /** The statements that ran while the work did. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>
  close(): Promise<void>
}

export type DatabaseName = 'sqlite' | 'postgres' | 'mariadb'

const url = process.env.TEST_DATABASE_URL ?? ''

/** Which database this run of the tests is on: SQLite, unless `TEST_DATABASE_URL` names a server. */
export const DATABASE: DatabaseName = url === '' ? 'sqlite' : url.startsWith('postgres') ? 'postgres' : 'mariadb'

/** The column type for a point in time, to the millisecond. */
export const DATETIME = {
  sqlite: { type: 'datetime' },
  postgres: { type: 'timestamptz', precision: 3 },
  mariadb: { type: 'datetime', precision: 3 },
}[DATABASE] as { readonly type: 'datetime'; readonly precision?: number }

let count = 0

export async function openDatabase(entities: readonly ResourceClass[]): Promise<TestDatabase> {
  const log: string[] = []
  const name = `stemma_${process.pid}_${count++}`
  const admin = DATABASE === 'sqlite' ? undefined : await openAdmin(name)
  const options = {
    entities: [...entities] as unknown as DataSourceOptions['entities'],
    logger: recordIn(log),
  }
  const dataSource = await new DataSource({ ...place(name), ...options } as DataSourceOptions).initialize()
  await makeTables(dataSource)
  return {
    dataSource,
    async statementsOf(work) {
      log.length = 0
      await work()
      return log.filter((statement) => !/^(begin|commit|start|rollback|set|savepoint|release)\b/i.test(statement))
    },
    async close() {
      await dataSource.destroy()
      if (admin === undefined) return
      await admin.query(DATABASE === 'postgres' ? `drop schema "${name}" cascade` : `drop database \`${name}\``)
      await admin.destroy()
    },
  }
}

/** One of SQLite that other connections, and other programs, could open too. */
export async function openFile(entities: readonly ResourceClass[]): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-'))
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: join(folder, 'test.sqlite'),
    entities: [...entities] as unknown as DataSourceOptions['entities'],
    synchronize: true,
    // No test pulls the plug of the machine, and to wait for a busy disk at every commit takes a minute.
    prepareDatabase: (connection: { pragma(text: string): unknown }) => connection.pragma('synchronous = off'),
  } as DataSourceOptions).initialize()
  return {
    dataSource,
    statementsOf: async () => [],
    async close() {
      await dataSource.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

async function openAdmin(name: string): Promise<DataSource> {
  const type = DATABASE === 'postgres' ? 'postgres' : 'mariadb'
  const admin = await new DataSource({ type, url } as DataSourceOptions).initialize()
  await admin.query(DATABASE === 'postgres' ? `create schema "${name}"` : `create database \`${name}\``)
  return admin
}

function place(name: string): object {
  if (DATABASE === 'sqlite') return { type: 'better-sqlite3', database: ':memory:' }
  // No test pulls the plug of the server's machine: nobody waits for its disk.
  if (DATABASE === 'postgres')
    return { type: 'postgres', url, schema: name, extra: { options: '-c synchronous_commit=off' } }
  return { type: 'mariadb', url: Object.assign(new URL(url), { pathname: `/${name}` }).toString() }
}

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
