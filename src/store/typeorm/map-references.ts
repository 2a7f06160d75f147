import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { StoredType } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import { clearableColumns, findInKeyOrder } from './foreign-columns'
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
 * whose key it empties, and empties all columns, also what is not the relation's alone.
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
      (relation.onDelete === undefined ||
        (relation.onDelete === 'SET NULL' && (isVersioned(relation) || isShared(relation)))) &&
      holds(relation.inverseEntityMetadata, stored),
  )
  const keys = optional.flatMap((relation): readonly ForeignKey[] => {
    const { entityMetadata: metadata, joinColumns, inverseEntityMetadata } = relation
    const columns = findInKeyOrder(joinColumns, inverseEntityMetadata)
    const emptied = quoted(clearableColumns(relation), dialect)
    if (columns === undefined || emptied.length === 0) return []
    return [{ table: quotePath(metadata.tablePath, dialect), columns: quoted(columns, dialect), emptied, metadata }]
  })
  return [...new Map(keys.map((key) => [`${key.table}.${key.columns}`, key])).values()]
}

function isVersioned({ entityMetadata }: RelationMetadata): boolean {
  return entityMetadata.versionColumn !== undefined
}

function isShared(relation: RelationMetadata): boolean {
  return clearableColumns(relation).length < relation.joinColumns.length
}

function mapPairTables(
  relations: readonly RelationMetadata[],
  stored: EntityMetadata,
  dialect: Dialect,
): readonly PairTable[] {
  const tables = new Map<string, Map<string, readonly string[]>>()
  for (const relation of relations) {
    const { junctionEntityMetadata: junction, entityMetadata: left, inverseEntityMetadata: right } = relation
    if (!relation.isManyToManyOwner || junction === undefined) continue
    const ends = [
      ...(holds(left, stored) ? [findInKeyOrder(relation.joinColumns, left)] : []),
      ...(holds(right, stored) ? [findInKeyOrder(relation.inverseJoinColumns, right)] : []),
    ].flatMap((end) => (end === undefined ? [] : [quoted(end, dialect)]))
    if (ends.length === 0) continue
    const table = quotePath(junction.tablePath, dialect)
    const known = tables.get(table) ?? new Map<string, readonly string[]>()
    tables.set(table, new Map([...known, ...ends.map((end) => [end.join(), end] as const)]))
  }
  return [...tables].map(([table, ends]) => ({ table, ends: [...ends.values()] }))
}

function quoted(columns: readonly ColumnMetadata[], dialect: Dialect): readonly string[] {
  return columns.map(({ databaseName }) => dialect.quote(databaseName))
}

/** Whether rows of a class can be rows of the other one, which lie in the same table. */
export function holds(referred: EntityMetadata, stored: EntityMetadata): boolean {
  if (referred.tablePath !== stored.tablePath) return false
  return referred.target === stored.target || isBelow(stored, referred)
}

function isBelow(stored: EntityMetadata, referred: EntityMetadata): boolean {
  const { target } = referred
  return (
    typeof target === 'function' && typeof stored.target === 'function' && stored.target.prototype instanceof target
  )
}
