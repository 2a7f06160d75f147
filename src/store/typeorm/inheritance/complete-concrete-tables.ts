import type { EntityMetadata } from 'typeorm'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import {
  type HierarchyClass,
  hierarchyClassesFromRoot,
  type MultiTableHierarchy,
  storesRowsInSubclassTables,
} from './find-multi-table-hierarchies'

export type GetEntityMetadata = (hierarchyClass: HierarchyClass) => EntityMetadata

/** Completes the metadata of a hierarchy with one table per concrete class. */
export function completeConcreteTableMetadata(hierarchy: MultiTableHierarchy, metadataOf: GetEntityMetadata): void {
  for (const hierarchyClass of hierarchy.classes) {
    const metadata = metadataOf(hierarchyClass)
    if (hierarchyClass.isAbstract) metadata.synchronize = false
    const ancestors = hierarchyClassesFromRoot(hierarchyClass).slice(0, -1).map(metadataOf)
    for (const column of metadata.columns) shareEnumType(column, ancestors)
    for (const relation of metadata.relations) completeInherited(relation, ancestors)
  }
}

/** Gives the enum columns of a hierarchy one type, named after the topmost table. PostgreSQL can't unite columns of different enum types. */
function shareEnumType(column: ColumnMetadata, ancestors: readonly EntityMetadata[]): void {
  if ((column.type !== 'enum' && column.type !== 'simple-enum') || column.enumName !== undefined) return
  const declaring = ancestors.find(({ columns }) =>
    columns.some(({ propertyPath }) => propertyPath === column.propertyPath),
  )
  if (declaring === undefined || column.entityMetadata.connection.options.type !== 'postgres') return
  column.enumName = `${declaring.tableName}_${column.databaseName.toLowerCase()}_enum`
}

function completeInherited(relation: RelationMetadata, ancestors: readonly EntityMetadata[]): void {
  const { inverseRelation, foreignKeys, entityMetadata, propertyPath } = relation
  if (relation.isManyToMany) {
    // TypeORM links only the relation that the owner names.
    const junction = relation.junctionEntityMetadata ?? inverseRelation?.junctionEntityMetadata
    if (junction === undefined) return
    relation.junctionEntityMetadata = junction
    relation.joinTableName = junction.tableName
    return
  }
  if (!ancestors.some(({ relations }) => relations.some((inherited) => inherited.propertyPath === propertyPath))) return
  // On MariaDB, the names of foreign keys must be unique in the database.
  for (const foreignKey of foreignKeys) {
    delete foreignKey.givenName
    foreignKey.build(entityMetadata.connection.namingStrategy)
  }
}

/** Removes foreign key constraints that would refer to several tables. Their columns stay. */
export function removeMultiTargetForeignKeys(
  metadatas: readonly EntityMetadata[],
  hierarchies: readonly MultiTableHierarchy[],
  metadataOf: GetEntityMetadata,
): void {
  const severalTables = hierarchies.flatMap((hierarchy) =>
    hierarchy.classes.filter((candidate) => storesRowsInSubclassTables(candidate, hierarchy)).map(metadataOf),
  )
  for (const owner of [...metadatas, ...metadatas.flatMap(({ relations }) => relations)]) {
    owner.foreignKeys = owner.foreignKeys.filter(
      ({ referencedEntityMetadata }) => !severalTables.includes(referencedEntityMetadata),
    )
  }
}
