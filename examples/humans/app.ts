import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { configuration } from './configuration'

/** The data source must be initialized, because the API reads its column and relation types. */
export function createApp(dataSource: DataSource): Express {
  const api = createJsonApi(configuration(dataSource))
  const app = express()
  app.use(api.router)
  return app
}
