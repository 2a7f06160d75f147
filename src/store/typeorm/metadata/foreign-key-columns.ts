import type { EntityMetadata } from 'typeorm'
import type { RelationDescription } from '../../../graph/model/entity-description'
import { hierarchyOf, inheritanceStrategyOf, isSubclassOf } from './inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from './typeorm-metadata'

/**
 * Returns foreign key columns in the order of the primary key, because a developer can declare them in another order. Returns `undefined` if they refer to
 * other columns or to a part of the key.
 */
export function findColumnsInKeyOrder(
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
  const namesOf = (columns: readonly ColumnMetadata[]) => new Set(columns.map((column) => column.databaseName))
  const ownNames = namesOf(joinColumns)
  return relationsOfHierarchy(entityMetadata)
    .filter(({ isWithJoinColumn }) => isWithJoinColumn)
    .map((relation) => namesOf(relation.joinColumns))
    .filter((names) => names.has(databaseName))
    .some((names) => names.size !== ownNames.size || [...names].some((name) => !ownNames.has(name)))
}

/** Returns the relations of a class and its subclasses. TypeORM gives a class all of them in a single table; joined tables have their own. */
function relationsOfHierarchy(metadata: EntityMetadata): readonly RelationMetadata[] {
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return metadata.relations
  const derived = hierarchyOf(metadata).filter((candidate) => isSubclassOf(candidate, metadata))
  return [metadata, ...derived].flatMap(({ relations }) => relations)
}

/** Returns true if the foreign key can be null. */
export function canBeSetNull(relation: RelationMetadata): boolean {
  return relation.isNullable && columnsToSetNull(relation).length > 0
}

/** Returns what happens to a row that is removed from the relationship of the other side. */
export function orphanActionOf(relation: RelationMetadata): RelationDescription['orphanAction'] {
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
