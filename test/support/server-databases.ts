import type { DataSource } from 'typeorm'
import { asDataSourceInternals } from '../../src/store/typeorm/inheritance/build-metadata-offline'
import type { ConnectionSettings } from './data-source'

// PostgreSQL takes 0.3 s and MariaDB 0.8 s to create and drop the tables of a test, which was half of the time of all tests. So databases are
// emptied and reused for entities with the same tables. jest/drop-databases.js drops them at the end of the run.

/** A schema on PostgreSQL, a database on MariaDB. */
export interface ServerDatabase {
  readonly name: string
  readonly connection: ConnectionSettings
}

/** Test files run in the realm of the process, and each loads its own copy of this module. */
const shared = globalThis as { [key: symbol]: Map<string, ServerDatabase[]> | undefined }
const UNUSED_DATABASES = Symbol.for('stemma.unused databases')
shared[UNUSED_DATABASES] ??= new Map()
const unused = shared[UNUSED_DATABASES]

/** Returns an unused database whose tables have this description. Empty it before use. */
export function takeUnusedDatabase(tables: string): ServerDatabase | undefined {
  return unused.get(tables)?.pop()
}

/** Call it when all connections to the database are closed. */
export function returnDatabase(database: ServerDatabase, tables: string): void {
  unused.set(tables, [...(unused.get(tables) ?? []), database])
}

/** Describes the tables that TypeORM would create. The data source need not be connected. */
export async function describeTables(dataSource: DataSource): Promise<string> {
  await asDataSourceInternals(dataSource).buildMetadatas()
  const { driver, entityMetadatas } = dataSource
  const tables = entityMetadatas.map((metadata) => ({
    ...plainMembers(metadata, ['tableName', 'tableType', 'synchronize', 'engine', 'comment']),
    expression: String(metadata.expression),
    columns: metadata.columns.map((column) => ({
      ...plainMembers(column),
      enum: column.enum,
      type: driver.normalizeType(column as Parameters<typeof driver.normalizeType>[0]),
      default: driver.normalizeDefault(column),
    })),
    constraints: [...metadata.uniques, ...metadata.indices, ...metadata.checks, ...metadata.exclusions].map((each) => ({
      ...plainMembers(each),
      columns: 'columns' in each ? each.columns.map(({ databaseName }) => databaseName) : [],
    })),
    foreignKeys: metadata.foreignKeys.map((key) => ({
      ...plainMembers(key),
      columns: key.columnNames,
      references: [key.referencedEntityMetadata.tableName, ...key.referencedColumnNames],
    })),
  }))
  return JSON.stringify(tables)
}

/** The members without objects, which would refer to each other, and without names that contain the schema. */
function plainMembers(metadata: object, names = Object.keys(metadata)): object {
  const members = Object.entries(metadata).filter(([name]) => names.includes(name) && !name.endsWith('Path'))
  return Object.fromEntries(
    members.filter(([, value]) => value === null || !['object', 'function', 'undefined'].includes(typeof value)),
  )
}

/** Deletes all rows, and lets keys start from 1 again. */
export async function emptyDatabase(dataSource: DataSource, { name }: ServerDatabase): Promise<void> {
  if (dataSource.options.type === 'postgres') return void (await dataSource.query(emptyPostgresSchema(name)))
  const runner = dataSource.createQueryRunner()
  const tables: { name: string; type: string; isWritten: unknown }[] = await runner.query(
    `select table_name as name, table_type as type, auto_increment > 1 or table_rows > 0 as isWritten
     from information_schema.tables where table_schema = database()`,
  )
  const filled: { name: string }[] = await runner.query(
    tables.map((table) => `(select '${table.name}' as name from \`${table.name}\` limit 1)`).join(' union all '),
  )
  await runner.query('set foreign_key_checks = 0')
  for (const table of tables) {
    if (table.type === 'SEQUENCE') await runner.query(`alter sequence \`${table.name}\` restart`)
    else if (Number(table.isWritten) === 1 || filled.some((each) => each.name === table.name))
      await runner.query(`truncate table \`${table.name}\``)
  }
  await runner.query('set foreign_key_checks = 1')
  await runner.release()
}

/** To truncate takes 10 ms for each table, so only tables with statistics are truncated, which would outlive their rows. */
function emptyPostgresSchema(name: string): string {
  return `do $$ declare item record; begin
    set local session_replication_role = replica;
    for item in select oid::regclass as name, relkind, reltuples from pg_class
      where relnamespace = '"${name}"'::regnamespace and relkind in ('r', 'S') loop
      if item.relkind = 'S' then perform setval(item.name, 1, false);
      elsif item.reltuples > 0 then execute format('truncate %s cascade', item.name);
      else execute format('delete from %s', item.name);
      end if;
    end loop;
  end $$`
}
