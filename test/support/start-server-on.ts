import type { TestDatabase } from './database'
import { type ServerOptions, startServer, type TestServer } from './server'

/** Closes the database if the configuration is invalid. */
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
