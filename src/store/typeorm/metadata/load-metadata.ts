import type { DataSource } from 'typeorm'

/** Has TypeORM read the entities, as `initialize` does, and connects to nothing: enough to describe them, not to ask for rows. */
export async function loadMetadata(dataSource: DataSource): Promise<void> {
  if (!dataSource.isInitialized) await (dataSource as unknown as ReadingEntities).buildMetadatas()
}

/** It is for subclasses in TypeORM's declarations. */
interface ReadingEntities {
  buildMetadatas(): Promise<void>
}
