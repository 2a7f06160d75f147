import type { DataSource } from 'typeorm'

/** Closes the connections of a data source, which need not be initialized: its read connections to a file open without it. */
export async function closeDataSourceConnections(dataSource: DataSource): Promise<void> {
  const { isInitialized } = dataSource
  try {
    await dataSource.destroy()
  } catch (error) {
    // After it has closed the read connections, TypeORM refuses a data source that is not initialized.
    if (isInitialized) throw error
  }
}
