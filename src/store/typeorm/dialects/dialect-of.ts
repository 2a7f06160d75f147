import type { DataSource } from 'typeorm'
import { ConfigurationError } from '../../../errors/configuration-error'
import type { Dialect } from './dialect'
import { mysqlDialect } from './dialect-mysql'
import { postgresDialect } from './dialect-postgres'
import { sqliteDialect } from './dialect-sqlite'

/** Returns the dialect of a data source. */
export function dialectOf(dataSource: DataSource): Dialect {
  const driver: string = dataSource.options.type
  const dialect = DIALECTS.get(driver)
  if (dialect !== undefined) return dialect
  throw new ConfigurationError([
    {
      location: 'dataSource',
      message: `its type '${driver}' is not supported.`,
      remedy: `Use one of ${[...DIALECTS.keys()].join(', ')}.`,
    },
  ])
}

/** Returns the name of the database in telemetry: https://opentelemetry.io/docs/specs/semconv/registry/attributes/db/#db-system-name */
export function databaseSystemOf(dataSource: DataSource): string {
  const { type } = dataSource.options
  if (type === 'mariadb' || type === 'mysql') return type
  return dialectOf(dataSource) === postgresDialect ? 'postgresql' : 'sqlite'
}

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['better-sqlite3', sqliteDialect],
  ['sqlite', sqliteDialect],
  ['sqljs', sqliteDialect],
  ['expo', sqliteDialect],
  ['cordova', sqliteDialect],
  ['capacitor', sqliteDialect],
  ['react-native', sqliteDialect],
  ['nativescript', sqliteDialect],
  ['postgres', postgresDialect],
  ['mysql', mysqlDialect],
  ['mariadb', mysqlDialect],
])
