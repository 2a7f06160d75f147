import type { ResourceClass } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDataSource } from './data-source'
import type { TestDatabase } from './database'
import { type ServerOptions, startServer, type TestServer } from './server'

/** A server with its own DataSource. `close` closes both. */
export interface OwnServer extends TestServer {
  readonly dataSource: DataSource
}

/** Starts a server on a second DataSource, which has its own options, on the same database. */
export async function startOwnServer(
  { connection }: Pick<TestDatabase, 'connection'>,
  entities: readonly ResourceClass[],
  options: object,
  serverOptions: Omit<ServerOptions, 'dataSource'>,
): Promise<OwnServer> {
  const dataSource = await createDataSource(connection, entities, options).initialize()
  const server = await startServer({ dataSource, ...serverOptions })
  return { ...server, dataSource, close: () => server.close().then(() => dataSource.destroy()) }
}

/** Calls `work` with such a server, and closes it. */
export async function withServer<Value>(
  database: Pick<TestDatabase, 'connection'>,
  entities: readonly ResourceClass[],
  options: object,
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
): Promise<Value> {
  const server = await startOwnServer(database, entities, options, serverOptions)
  try {
    return await work(server, server.dataSource)
  } finally {
    await server.close()
  }
}

/** Calls `work` with a server on a pool of one connection, so that an unreleased connection is detected. `reported`: the errors of `onError`. */
export function withSingleConnectionServer(
  database: TestDatabase,
  entities: readonly ResourceClass[],
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, reported: unknown[], dataSource: DataSource) => Promise<void>,
  options: object = {},
): Promise<void> {
  const reported: unknown[] = []
  const all = { onError: (error: unknown) => reported.push(error), ...serverOptions }
  return withServer(database, entities, { poolSize: 1, ...options }, all, (server, ownDataSource) =>
    work(server, reported, ownDataSource),
  )
}
