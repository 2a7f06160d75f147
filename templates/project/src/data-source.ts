import 'reflect-metadata'
import { DataSource } from 'typeorm'
import { connection } from './connection'
import './environment'
import { resources } from './resources'

/** Creates a data source. Tests name a database of their own. */
export function createDataSource(database?: string): DataSource {
  // `synchronize` adapts the tables to the classes. Use migrations before you store real data.
  return new DataSource({ ...connection(database), entities: resources, synchronize: true })
}

/** The data source of the application, and of TypeORM's command line: `npx typeorm -d dist/src/data-source.js`. Not initialized yet. */
export const dataSource = createDataSource()
