import 'reflect-metadata'
import { DataSource } from 'typeorm'
import { resources } from './entities'
import { postgresMigrations, sqliteMigrations } from './migrations'
import { settings } from './settings'

/** Not initialized yet. `url`: `postgres://…`, the path of an SQLite file, or `:memory:`. */
export function createDataSource(url = settings.databaseUrl): DataSource {
  const connection = /^postgres(ql)?:/.test(url)
    ? ({ type: 'postgres', url, migrations: postgresMigrations, connectTimeoutMS: 5000 } as const)
    : ({ type: 'better-sqlite3', database: url, migrations: sqliteMigrations, enableWAL: true } as const)
  // In production, run the migrations once before a deployment, and not in each process.
  return new DataSource({ ...connection, entities: resources, migrationsRun: !settings.isProduction })
}

/** Also for TypeORM's command line: `npx typeorm migration:run -d build/examples/library/data-source.js`. */
export const dataSource = createDataSource()
