import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import { configuration } from './configuration'

/** Creates the application and its tables. `createApp(':memory:')` uses a new database in memory. */
export async function createApp(database?: string): Promise<Express> {
  const { dataSource, ...options } = configuration(database)
  await dataSource.initialize()
  const app = express()
  app.use(createJsonApi({ dataSource, ...options }).router)
  return app
}
