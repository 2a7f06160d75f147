import 'reflect-metadata'
import { DataSource } from 'typeorm'
import { connection } from './connection'
import './environment'
import { resources } from './resources'

/** Creates a data source. Tests name a database of their own. */
export function createDataSource(database?: string): DataSource {
  // Adapts the tables to the classes. It may drop columns with their values, so in production only migrations change tables.
  const synchronize = process.env.NODE_ENV !== 'production'
  return new DataSource({ ...connection(database), entities: resources, synchronize })
}

/** The data source of the application, and of TypeORM's command line: `npx typeorm -d dist/src/data-source.js`. Not initialized yet. */
export const dataSource = createDataSource()
