import type { DataSource } from 'typeorm'

/** Builds the metadata of entities without a connection. They can be described, but rows can't be read. */
export async function buildMetadataOffline(dataSource: DataSource): Promise<void> {
  if (!dataSource.isInitialized) await asDataSourceInternals(dataSource).buildMetadatas()
}

/** A method that is protected in the declarations of TypeORM. */
export interface DataSourceInternals {
  buildMetadatas(): Promise<void>
}

export function asDataSourceInternals(dataSource: DataSource): DataSourceInternals {
  return dataSource as unknown as DataSourceInternals
}
