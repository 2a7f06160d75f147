import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { Human } from './human'
import { HumanDefinition } from './human-definition'
import { Man } from './man'
import { ManDefinition } from './man-definition'
import { Woman } from './woman'
import { WomanDefinition } from './woman-definition'

/** The data source must be initialized: the API takes the types of columns and relations from it. */
export function createApp(dataSource: DataSource): Express {
  const api = createJsonApi({
    dataSource,
    resources: [Human, Man, Woman],
    definitions: [new HumanDefinition(), new ManDefinition(), new WomanDefinition()],
  })
  const app = express()
  app.use(api.router)
  return app
}
