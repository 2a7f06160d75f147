import express, { type Express } from 'express'
import { createJsonApi, type JsonApiOptions } from 'stemma'
import type { DataSource } from 'typeorm'
import { createApp as createBlogs } from '../../../examples/blogs/app'
import { Article } from '../../../examples/blogs/article'
import { Blog } from '../../../examples/blogs/blog'
import { Revision } from '../../../examples/blogs/revision'
import { seed as seedBlogs } from '../../../examples/blogs/seed'
import { Tag } from '../../../examples/blogs/tag'
import { configuration as configureHumans } from '../../../examples/humans/configuration'
import { Human } from '../../../examples/humans/human'
import { Man } from '../../../examples/humans/man'
import { seed as seedHumans } from '../../../examples/humans/seed'
import { Woman } from '../../../examples/humans/woman'
import { openDatabase } from '../../support/database'
import { serve, type TestServer } from '../../support/server'

/** An example that runs as with `npm start`, and the requests that it received. */
export interface RunningExample extends Pick<TestServer, 'url' | 'get' | 'close'> {
  /** Returns the requests since the last call: `GET /men/1`, with headers that differ between clients. */
  takeSent(): readonly Sent[]
}

export interface Sent {
  readonly line: string
  readonly status: number
  readonly accept: string | undefined
  readonly contentType: string | undefined
  readonly hasBody: boolean
}

/** Twelve men and women. Men have odd ids. */
export function startFamily(options: Pick<JsonApiOptions, 'fieldFilters' | 'updates'> = {}): Promise<RunningExample> {
  return startExample([Human, Man, Woman], seedHumans, (dataSource) =>
    express().use(createJsonApi({ ...configureHumans(dataSource), startupLog: false, ...options }).router),
  )
}

/** Options for clients that support only simple filters, or can't read a response without a body. */
export const FOR_SIMPLE_CLIENTS = { fieldFilters: true, updates: 'document' } as const

/** Three blogs with 60 articles. */
export function startBlogExample(): Promise<RunningExample> {
  return startExample([Blog, Article, Revision, Tag], seedBlogs, createBlogs)
}

async function startExample(
  entities: Parameters<typeof openDatabase>[0],
  seed: (dataSource: DataSource) => Promise<unknown>,
  createApp: (dataSource: DataSource) => Express,
): Promise<RunningExample> {
  const database = await openDatabase(entities)
  await seed(database.dataSource)
  let sent: Sent[] = []
  const app = express()
  app.use((request, response, next) => {
    const { method, originalUrl, headers } = request
    response.on('finish', () => {
      sent.push({
        line: `${method} ${originalUrl}`,
        status: response.statusCode,
        accept: headers.accept,
        contentType: headers['content-type'],
        hasBody: Number(headers['content-length'] ?? 0) > 0,
      })
    })
    next()
  })
  app.use(createApp(database.dataSource))
  const { url, get, close } = await serve(app)
  return {
    url,
    get,
    takeSent() {
      const taken = sent
      sent = []
      return taken
    },
    async close() {
      await close()
      await database.close()
    },
  }
}
