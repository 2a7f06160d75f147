import type { EntityMetadata, getMetadataArgsStorage } from 'typeorm'

// Types of TypeORM that its entry point does not export by name.

export type ColumnMetadata = EntityMetadata['columns'][number]
export type RelationMetadata = EntityMetadata['relations'][number]
export type EmbeddedMetadata = EntityMetadata['embeddeds'][number]

export type MetadataArgsStorage = ReturnType<typeof getMetadataArgsStorage>

export type ColumnMetadataArgs = MetadataArgsStorage['columns'][number]
export type TableMetadataArgs = MetadataArgsStorage['tables'][number]
