import express, { type Express } from 'express'
import { createJsonApi } from 'stemma'
import type { DataSource } from 'typeorm'
import { Article } from './article'
import { Blog } from './blog'
import { Revision } from './revision'
import { RevisionDefinition } from './revision-definition'
import { Tag } from './tag'

/** The data source must be initialized: the API takes the types of columns and relations from it. */
export function createApp(dataSource: DataSource): Express {
  const api = createJsonApi({
    dataSource,
    resources: [Blog, Article, Revision, Tag],
    definitions: [new RevisionDefinition()],
  })
  const app = express()
  app.use(api.router)
  return app
}
