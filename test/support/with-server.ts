import type { ResourceClass } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDataSource } from './data-source'
import type { TestDatabase } from './database'
import { type ServerOptions, startServer, type TestServer } from './server'

/** Calls `work` with a server on a second DataSource, which has its ownDataSource options, on the same database. */
export async function withServer<Value>(
  { connection }: Pick<TestDatabase, 'connection'>,
  entities: readonly ResourceClass[],
  options: object,
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
): Promise<Value> {
  const dataSource = await createDataSource(connection, entities, options).initialize()
  const server = await startServer({ dataSource, ...serverOptions })
  try {
    return await work(server, dataSource)
  } finally {
    await server.close()
    await dataSource.destroy()
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
