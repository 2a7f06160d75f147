import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enableMultiTableInheritance } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'

export const DATABASES = ['sqlite', 'postgres', 'mariadb'] as const
export type DatabaseName = (typeof DATABASES)[number]

export const LAYOUTS = ['single', 'joined', 'concrete'] as const
/** The inheritance strategy: one table, joined tables, or a table for each concrete type. */
export type Layout = (typeof LAYOUTS)[number]

const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MARIADB = process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/test'

/** How to connect to a database, as plain data that can be sent to another process. */
export type ConnectionSettings = Readonly<Record<string, unknown>> & { readonly type: string }

export interface Database {
  readonly name: DatabaseName
  readonly connection: ConnectionSettings
  remove(): Promise<void>
}

let count = 0

/** Creates an empty database. Writes do not wait for the disk, because only processes are killed. */
export async function createDatabase(name: DatabaseName, storage: 'memory' | 'file' = 'memory'): Promise<Database> {
  if (name === 'sqlite') return storage === 'memory' ? createInMemory() : createInFile()
  const schema = `stemma_exam_${process.pid}_${Date.now().toString(36)}_${count++}`
  const isPostgres = name === 'postgres'
  const admin = new DataSource({ type: name, url: isPostgres ? POSTGRES : MARIADB } as DataSourceOptions)
  await admin.initialize()
  await admin.query(
    isPostgres
      ? `create schema "${schema}"`
      : `create database \`${schema}\` character set utf8mb4 collate utf8mb4_bin`,
  )
  await admin.destroy()
  const connection = isPostgres
    ? { type: name, url: POSTGRES, schema, applicationName: schema, extra: POSTGRES_OPTIONS }
    : { type: name, url: Object.assign(new URL(MARIADB), { pathname: `/${schema}` }).toString(), ...MARIADB_OPTIONS }
  const remove = async () => {
    await admin.initialize()
    await admin.query(isPostgres ? `drop schema "${schema}" cascade` : `drop database \`${schema}\``)
    await admin.destroy()
  }
  return { name, connection, remove }
}

const POSTGRES_OPTIONS = { options: '-c synchronous_commit=off -c jit=off' }
export const MARIADB_OPTIONS = { timezone: 'Z', dateStrings: ['DATE'], supportBigNumbers: true, bigNumberStrings: true }

function createInMemory(): Database {
  return { name: 'sqlite', connection: { type: 'better-sqlite3', database: ':memory:' }, remove: async () => undefined }
}

function createInFile(): Database {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-exam-'))
  const connection = { type: 'better-sqlite3', database: join(folder, 'exam.sqlite'), enableWAL: true, timeout: 10_000 }
  return { name: 'sqlite', connection, remove: async () => rmSync(folder, { recursive: true }) }
}

/** Opens a database with these entities. `synchronize`: creates their tables. */
export async function openDataSource(
  { connection }: Pick<Database, 'connection'>,
  entities: readonly (abstract new () => object)[],
  { layout, synchronize }: { readonly layout: Layout; readonly synchronize: boolean },
): Promise<DataSource> {
  const dataSource = new DataSource({
    ...connection,
    entities: [...entities],
    synchronize,
  } as unknown as DataSourceOptions)
  return (layout === 'single' ? dataSource : enableMultiTableInheritance(dataSource)).initialize()
}
