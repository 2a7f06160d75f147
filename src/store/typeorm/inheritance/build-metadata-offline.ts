import type { DataSource } from 'typeorm'

/** Lets TypeORM read the entities without a connection: enough to describe them, not to read rows. */
export async function buildMetadataOffline(dataSource: DataSource): Promise<void> {
  if (!dataSource.isInitialized) await toDataSourceInternals(dataSource).buildMetadatas()
}

/** A protected method in TypeORM's declarations. */
export interface DataSourceInternals {
  buildMetadatas(): Promise<void>
}

export function toDataSourceInternals(dataSource: DataSource): DataSourceInternals {
  return dataSource as unknown as DataSourceInternals
}
