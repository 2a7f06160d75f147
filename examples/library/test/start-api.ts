import type { RequestListener } from 'node:http'
import { assertExchange } from 'stemma/testing'
import request, { type Response } from 'supertest'
import { DataSource } from 'typeorm'
import { createApp } from '../app'
import { type Client, createToken } from '../authentication'
import { createDataSource } from '../data-source'
import { seed } from '../seed'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** Sends a request with a token. Throws if the response violates JSON:API. */
export type Send = (method: Method, path: string, document?: object) => Promise<Response>

export interface RunningApi {
  readonly app: RequestListener
  readonly dataSource: DataSource
  as(client: Client): Send
  stop(): Promise<void>
}

/** Creates the application on a seeded database of its own. */
export async function startApi(): Promise<RunningApi> {
  const database = await createDatabase()
  const dataSource = await createDataSource(database.url).initialize()
  await seed(dataSource)
  const app = createApp(dataSource)
  return {
    app,
    dataSource,
    as: (client) => sendWith(app, createToken(client)),
    async stop() {
      await dataSource.destroy()
      await database.drop()
    },
  }
}

export function sendWith(app: RequestListener, token: string): Send {
  return async (method, path, document) => {
    const url = `/api${path}`
    const extension = path === '/operations' ? ';ext="https://jsonapi.org/ext/atomic"' : ''
    const requestBody = document === undefined ? '' : JSON.stringify(document)
    const sent = request(app)[method](url).auth(token, { type: 'bearer' })
    if (requestBody !== '') sent.set('Content-Type', `application/vnd.api+json${extension}`).send(requestBody)
    const response = await sent
    const { status, headers, text: body } = response
    assertExchange({ method: method.toUpperCase(), url, requestBody, status, headers, body })
    return response
  }
}

/** In memory, or a new schema in the database at `TEST_DATABASE_URL`. */
async function createDatabase() {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return { url: ':memory:', drop: async () => undefined }
  const name = `library_${process.pid}`
  await runOn(server, `create schema ${name}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${name}`)
  return { url: url.href, drop: () => runOn(server, `drop schema ${name} cascade`) }
}

async function runOn(url: string, statement: string): Promise<void> {
  const server = await new DataSource({ type: 'postgres', url }).initialize()
  await server.query(statement)
  await server.destroy()
}
