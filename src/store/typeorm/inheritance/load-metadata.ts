import type { DataSource } from 'typeorm'

/** Lets TypeORM read the entities without a connection: enough to describe them, not to read rows. */
export async function loadMetadata(dataSource: DataSource): Promise<void> {
  if (!dataSource.isInitialized) await toMetadataReader(dataSource).buildMetadatas()
}

/** A protected method in TypeORM's declarations. */
export interface MetadataReader {
  buildMetadatas(): Promise<void>
}

export function toMetadataReader(dataSource: DataSource): MetadataReader {
  return dataSource as unknown as MetadataReader
}
