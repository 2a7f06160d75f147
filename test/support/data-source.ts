import { enableMultiTableInheritance, type ResourceClass } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { Sqlite3DataSource } from '../../src/store/typeorm/sqlite3/sqlite3-data-source'
import type { Sqlite3Options } from '../../src/store/typeorm/sqlite3/sqlite3-driver'
import { registerKeyFunctions } from './shared-keys'
import { applyLayout, LAYOUT, type Layout } from './table-layout'

/** How to connect to a database, as plain data that can be sent to other processes. */
export interface ConnectionSettings {
  /** TypeORM's name of the driver, or `sqlite3` for the npm package of that name. */
  readonly type: string
  readonly [option: string]: unknown
}

/** Creates a data source. `tables` defaults to the table layout of this run. */
export function createDataSource(
  connection: ConnectionSettings,
  entities: readonly ResourceClass[],
  options: object = {},
  tables: Layout = LAYOUT,
): DataSource {
  applyLayout(entities, tables, connection.type)
  const all = { ...withKeyFunctions(connection, tables), ...options, entities: [...entities] }
  return tables === 'single' ? open(all) : enableMultiTableInheritance(open(all))
}

function withKeyFunctions(connection: ConnectionSettings, tables: Layout): ConnectionSettings {
  if (tables !== 'tablePerConcreteClass' || connection.type !== 'better-sqlite3') return connection
  return { prepareDatabase: registerKeyFunctions, ...connection }
}

function open(options: ConnectionSettings): DataSource {
  if (options.type !== 'sqlite3') return new DataSource(options as unknown as DataSourceOptions)
  // TypeORM 0.3 supports the package itself.
  if (process.env.TEST_TYPEORM === '0.3')
    return new DataSource({ ...options, type: 'sqlite' } as unknown as DataSourceOptions)
  return new Sqlite3DataSource(options as unknown as Sqlite3Options)
}
