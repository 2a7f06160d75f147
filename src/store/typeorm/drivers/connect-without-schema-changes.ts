import type { DataSource } from 'typeorm'

/** Connects a data source that is not connected yet. Leaves the schema as it is, also with `synchronize`, `dropSchema` or `migrationsRun`. */
export async function connectWithoutSchemaChanges(dataSource: DataSource): Promise<void> {
  if (dataSource.isInitialized) return
  dataSource.setOptions({ synchronize: false, dropSchema: false, migrationsRun: false })
  await dataSource.initialize()
}
