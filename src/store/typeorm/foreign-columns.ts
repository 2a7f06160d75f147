import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { RelationDescription } from '../../graph/entity-description'

/**
 * Columns that refer to the primary key of a table, in its order: a developer may have written them in another. `undefined`: they refer
 * to something else, or to a part of it.
 */
export function findInKeyOrder(
  columns: readonly ColumnMetadata[],
  { primaryColumns }: EntityMetadata,
): readonly ColumnMetadata[] | undefined {
  const ordered = primaryColumns.flatMap(({ databaseName }) => {
    return columns.find(({ referencedColumn }) => referencedColumn?.databaseName === databaseName) ?? []
  })
  return ordered.length === columns.length && ordered.length === primaryColumns.length ? ordered : undefined
}

/** Whether another relation of the same rows has the column too. Those that have all of their columns in common are one. */
export function isShared({ databaseName }: ColumnMetadata, { joinColumns, entityMetadata }: RelationMetadata): boolean {
  const namesOf = (columns: readonly ColumnMetadata[]) => new Set(columns.map((each) => each.databaseName))
  const own = namesOf(joinColumns)
  return entityMetadata.relations
    .filter(({ isWithJoinColumn }) => isWithJoinColumn)
    .map((each) => namesOf(each.joinColumns))
    .some((names) => names.has(databaseName) && (names.size !== own.size || [...names].some((name) => !own.has(name))))
}

/** Whether a row with such a key can be without what it refers to. */
export function canBeEmptied(relation: RelationMetadata): boolean {
  return relation.isNullable && clearableColumns(relation).length > 0
}

/** What becomes of a row with such a key when it is taken out of the relationship of the other side. */
export function removalOf(relation: RelationMetadata): RelationDescription['removed'] {
  switch (relation.orphanedRowAction) {
    case 'delete':
    case 'soft-delete':
      return 'deleted'
    case 'disable':
      return 'refused'
    default:
      return canBeEmptied(relation) ? 'unlinked' : 'refused'
  }
}

/**
 * Those that are null where nothing is referred to: not what belongs to the primary key, nor, where there is another, what a second relation
 * shares. A column of a derived class may be null for the sake of rows of other types.
 */
export function clearableColumns({ joinColumns, entityMetadata }: RelationMetadata): readonly ColumnMetadata[] {
  const nullable = joinColumns.filter((column) => column.isNullable && !column.isPrimary)
  const owners = (column: ColumnMetadata) =>
    entityMetadata.relations.filter((each) =>
      each.joinColumns.some((other) => other.databaseName === column.databaseName),
    )
  const alone = nullable.length > 1 ? nullable.filter((column) => owners(column).length === 1) : nullable
  return alone.length > 0 ? alone : nullable
}
