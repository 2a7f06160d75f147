import type { TestDatabase } from './database'
import { type ServerOptions, startServer, type TestServer } from './server'

/** A database is not left behind when a configuration is refused. */
export async function startServerOn(
  database: TestDatabase,
  options: Omit<ServerOptions, 'dataSource'>,
): Promise<TestServer> {
  try {
    return await startServer({ dataSource: database.dataSource, ...options })
  } catch (error) {
    await database.close()
    throw error
  }
}
