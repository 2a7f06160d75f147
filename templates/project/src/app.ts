import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import { configuration } from './configuration'

/** The application, with its tables made: `createApp(':memory:')` has a database of its own. */
export async function createApp(database?: string): Promise<Express> {
  const { dataSource, ...parts } = configuration(database)
  await dataSource.initialize()
  const app = express()
  app.use(createJsonApi({ dataSource, ...parts }).router)
  return app
}
