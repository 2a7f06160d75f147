import type { EntityMetadata } from 'typeorm'
import type { RelationDescription } from '../../../graph/model/entity-description'
import { hierarchyOf, inheritanceStrategyOf, isSubclassOf } from './inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from './typeorm-metadata'

/**
 * Columns that refer to the primary key of a table, in its order: a developer may have written them in another. `undefined`: they refer
 * to something else, or to a part of it.
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

/** Returns true if another relation of the same or some of these rows has the column. Relations that share all columns count as one. */
export function isSharedByForeignKeys(
  { databaseName }: ColumnMetadata,
  { joinColumns, entityMetadata }: RelationMetadata,
): boolean {
  const namesOf = (columns: readonly ColumnMetadata[]) => new Set(columns.map((each) => each.databaseName))
  const own = namesOf(joinColumns)
  return relationsOfHierarchy(entityMetadata)
    .filter(({ isWithJoinColumn }) => isWithJoinColumn)
    .map((each) => namesOf(each.joinColumns))
    .some((names) => names.has(databaseName) && (names.size !== own.size || [...names].some((name) => !own.has(name))))
}

/** Returns the relations of a class and its subclasses. TypeORM gives a class all of them in a single table; joined tables have their own. */
function relationsOfHierarchy(metadata: EntityMetadata): readonly RelationMetadata[] {
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return metadata.relations
  const derived = hierarchyOf(metadata).filter((each) => isSubclassOf(each, metadata))
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
  const alone = nullable.length > 1 ? nullable.filter((column) => !isSharedByForeignKeys(column, relation)) : nullable
  return alone.length > 0 ? alone : nullable
}
