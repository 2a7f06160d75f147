import type { DataSource } from 'typeorm'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { StoredType } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import type { ForeignKey, PairTable } from './mapping'
import { quotePath } from './quote-path'

/** What refers to rows of a type, from any mapped class: to be loosened before such a row goes. */
export interface References {
  readonly foreignKeys: readonly ForeignKey[]
  readonly pairTables: readonly PairTable[]
}

export function mapReferences(type: StoredType, dataSource: DataSource, dialect: Dialect): References {
  const relations = new Set(dataSource.entityMetadatas.flatMap((metadata) => metadata.relations))
  const stored = dataSource.getMetadata(type.resourceClass)
  return {
    foreignKeys: mapForeignKeys([...relations], stored, dialect),
    pairTables: mapPairTables([...relations], stored, dialect),
  }
}

/**
 * Where the developer has said what becomes of the key (`onDelete`), the database does it; but it does not count up the version of a row
 * whose key it empties.
 */
function mapForeignKeys(
  relations: readonly RelationMetadata[],
  stored: EntityMetadata,
  dialect: Dialect,
): readonly ForeignKey[] {
  const optional = relations.filter(
    (relation) =>
      (relation.isManyToOne || relation.isOneToOneOwner) &&
      relation.isNullable &&
      (relation.onDelete === undefined || (relation.onDelete === 'SET NULL' && isVersioned(relation))) &&
      holds(relation.inverseEntityMetadata, stored),
  )
  const keys = optional.flatMap((relation) =>
    relation.joinColumns
      .filter((column) => column.isNullable)
      .map((column) => ({
        table: quotePath(relation.entityMetadata.tablePath, dialect),
        column: dialect.quote(column.databaseName),
        metadata: relation.entityMetadata,
      })),
  )
  return [...new Map(keys.map((key) => [`${key.table}.${key.column}`, key])).values()]
}

function isVersioned({ entityMetadata }: RelationMetadata): boolean {
  return entityMetadata.versionColumn !== undefined
}

function mapPairTables(
  relations: readonly RelationMetadata[],
  stored: EntityMetadata,
  dialect: Dialect,
): readonly PairTable[] {
  const columns = new Map<string, Set<string>>()
  for (const relation of relations) {
    const { junctionEntityMetadata: junction } = relation
    if (!relation.isManyToManyOwner || junction === undefined) continue
    const ends = [
      ...(holds(relation.entityMetadata, stored) ? relation.joinColumns : []),
      ...(holds(relation.inverseEntityMetadata, stored) ? relation.inverseJoinColumns : []),
    ]
    if (ends.length === 0) continue
    const table = quotePath(junction.tablePath, dialect)
    const known = columns.get(table) ?? new Set<string>()
    columns.set(table, new Set([...known, ...ends.map((column) => dialect.quote(column.databaseName))]))
  }
  return [...columns].map(([table, names]) => ({ table, columns: [...names] }))
}

/** Whether rows of a class can be rows of the other one, which lie in the same table. */
function holds(referred: EntityMetadata, stored: EntityMetadata): boolean {
  if (referred.tablePath !== stored.tablePath) return false
  return referred.target === stored.target || isBelow(stored, referred)
}

function isBelow(stored: EntityMetadata, referred: EntityMetadata): boolean {
  const { target } = referred
  return (
    typeof target === 'function' && typeof stored.target === 'function' && stored.target.prototype instanceof target
  )
}
