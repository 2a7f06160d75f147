import type { DataSource } from 'typeorm'
import { createDataSource } from '../src/data-source'

/** Returns the data source of a new database in memory. */
export async function createTestDataSource(): Promise<DataSource> {
  return createDataSource(':memory:')
}
