import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { EntityRelationDescription } from '../../../graph/model/entity-description'
import { inheritanceStrategyOf, isMetadataOfSubclass, multiTableHierarchyOrSelf } from './inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from './typeorm-metadata'

/**
 * Returns foreign key columns in the order of the primary key, because a developer can declare them in another order. Returns `undefined` if they refer to
 * other columns or to a part of the key.
 */
export function sortForeignKeyColumnsLikeKey(
  columns: readonly ColumnMetadata[],
  { primaryColumns }: EntityMetadata,
): readonly ColumnMetadata[] | undefined {
  const ordered = primaryColumns.flatMap(({ databaseName }) => {
    return columns.find(({ referencedColumn }) => referencedColumn?.databaseName === databaseName) ?? []
  })
  return ordered.length === columns.length && ordered.length === primaryColumns.length ? ordered : undefined
}

/** Returns true if another relation of the hierarchy uses the column. Relations that share all columns count as one. */
export function isSharedByForeignKeys(
  { databaseName }: ColumnMetadata,
  { joinColumns, entityMetadata }: RelationMetadata,
): boolean {
  const byColumn = getOrCompute(RELATIONS_BY_COLUMN, entityMetadata, groupByColumn)
  const relations = byColumn.get(databaseName) ?? []
  return relations.some((relation) => !haveSameColumns(relation.joinColumns, joinColumns))
}

const RELATIONS_BY_COLUMN = new WeakMap<EntityMetadata, ReadonlyMap<string, readonly RelationMetadata[]>>()

/** Groups the relations of a class and its subclasses by the columns of their foreign keys. */
function groupByColumn(metadata: EntityMetadata): ReadonlyMap<string, readonly RelationMetadata[]> {
  const byColumn = new Map<string, RelationMetadata[]>()
  for (const relation of relationsOfHierarchy(metadata).filter(({ isWithJoinColumn }) => isWithJoinColumn)) {
    for (const { databaseName } of relation.joinColumns) getOrCompute(byColumn, databaseName, () => []).push(relation)
  }
  return byColumn
}

function haveSameColumns(some: readonly ColumnMetadata[], others: readonly ColumnMetadata[]): boolean {
  const names = others.map(({ databaseName }) => databaseName)
  return some.length === names.length && some.every(({ databaseName }) => names.includes(databaseName))
}

/** Returns the relations of a class and its subclasses. TypeORM gives a class all of them in a single table; joined tables have their own. */
function relationsOfHierarchy(metadata: EntityMetadata): readonly RelationMetadata[] {
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return metadata.relations
  const derived = multiTableHierarchyOrSelf(metadata).filter((candidate) => isMetadataOfSubclass(candidate, metadata))
  return [metadata, ...derived].flatMap(({ relations }) => relations)
}

/** Returns true if the foreign key can be null. */
export function canBeSetNull(relation: RelationMetadata): boolean {
  return relation.isNullable && columnsToSetNull(relation).length > 0
}

/** Returns what happens to a row that is removed from the relationship of the other side. */
export function toGraphOrphanAction(relation: RelationMetadata): EntityRelationDescription['orphanAction'] {
  switch (relation.orphanedRowAction) {
    case 'delete':
    case 'soft-delete':
      return 'deleted'
    case 'disable':
      return 'refused'
    default:
      return canBeSetNull(relation) ? 'unlinked' : 'refused'
  }
}

/** Returns the columns to set to null. Columns of the primary key stay, and so do columns that a second relation shares, if there are others. */
export function columnsToSetNull(relation: RelationMetadata): readonly ColumnMetadata[] {
  const nullable = relation.joinColumns.filter((column) => column.isNullable && !column.isPrimary)
  const unshared =
    nullable.length > 1 ? nullable.filter((column) => !isSharedByForeignKeys(column, relation)) : nullable
  return unshared.length > 0 ? unshared : nullable
}
