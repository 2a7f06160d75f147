import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { configuration } from './configuration'

/** Creates the application on an initialized data source. */
export function createApp(source: DataSource): Express {
  const app = express()
  app.use('/api', createJsonApi(configuration(source)).router)
  return app
}
