import type { ResourceClass } from 'stemma'
import type { DataSource } from 'typeorm'
import { createDataSource } from './data-source'
import type { TestDatabase } from './database'
import { type ServerOptions, startServer, type TestServer } from './server'

/** Serves a second DataSource on the same database, with options of its own. */
export async function serveThrough<Value>(
  { place }: Pick<TestDatabase, 'place'>,
  entities: readonly ResourceClass[],
  options: object,
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
): Promise<Value> {
  const dataSource = await createDataSource(place, entities, options).initialize()
  const server = await startServer({ dataSource, ...serverOptions })
  try {
    return await work(server, dataSource)
  } finally {
    await server.close()
    await dataSource.destroy()
  }
}

/** Serves it through a pool of one connection, so that an unreleased connection is noticed. `work` receives the reported errors. */
export function servePoolOfOne(
  database: TestDatabase,
  entities: readonly ResourceClass[],
  serverOptions: Omit<ServerOptions, 'dataSource'>,
  work: (server: TestServer, reported: unknown[], dataSource: DataSource) => Promise<void>,
): Promise<void> {
  const reported: unknown[] = []
  const all = { onError: (error: unknown) => reported.push(error), ...serverOptions }
  return serveThrough(database, entities, { poolSize: 1 }, all, (server, own) => work(server, reported, own))
}
