import type { EntityMetadata } from 'typeorm'
import type { RelationDescription } from '../../../graph/entity-description'
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

/** Whether another relation of the same rows, or of some of them, has the column too. Those that have all of their columns in common are one. */
export function isSharedColumn(
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

/**
 * Of rows of a class and of those below it. In one table TypeORM gives a class all of them; of joined tables each has columns of its own.
 */
function relationsOfHierarchy(metadata: EntityMetadata): readonly RelationMetadata[] {
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return metadata.relations
  const below = hierarchyOf(metadata).filter((each) => isSubclassOf(each, metadata))
  return [metadata, ...below].flatMap(({ relations }) => relations)
}

/** Whether a row with such a key can be without what it refers to. */
export function canBeSetNull(relation: RelationMetadata): boolean {
  return relation.isNullable && columnsToSetNull(relation).length > 0
}

/** What becomes of a row with such a key when it is taken out of the relationship of the other side. */
export function orphanActionOf(relation: RelationMetadata): RelationDescription['removed'] {
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

/**
 * Those that are null where nothing is referred to: not what belongs to the primary key, nor, where there is another, what a second relation
 * shares. A column of a derived class may be null for the sake of rows of other types.
 */
export function columnsToSetNull(relation: RelationMetadata): readonly ColumnMetadata[] {
  const nullable = relation.joinColumns.filter((column) => column.isNullable && !column.isPrimary)
  const alone = nullable.length > 1 ? nullable.filter((column) => !isSharedColumn(column, relation)) : nullable
  return alone.length > 0 ? alone : nullable
}
