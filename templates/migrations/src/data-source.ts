import 'reflect-metadata'
import { DataSource } from 'typeorm'
import { connection } from './connection'
import './environment'
import { migrations } from './migrations'
import { resources } from './resources'

/** Creates a data source. Tests name a database of their own. */
export function createDataSource(database?: string): DataSource {
  return new DataSource({
    ...connection(database),
    entities: resources,
    migrations,
    // In production, run `npm run migrate` once before a deployment, and not in each process.
    migrationsRun: process.env.NODE_ENV !== 'production',
  })
}

/** The data source of the application, and of TypeORM's command line: `npx typeorm -d dist/src/data-source.js`. Not initialized yet. */
export const dataSource = createDataSource()
