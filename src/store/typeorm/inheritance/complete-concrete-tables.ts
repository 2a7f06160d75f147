import type { EntityMetadata } from 'typeorm'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import { ancestorsAndSelf, type Hierarchy, type HierarchyClass, hasSubclassTables } from './find-hierarchies'

export type GetClassMetadata = (each: HierarchyClass) => EntityMetadata

/** Completes the metadata of a table for each concrete class. */
export function completeConcreteTables(hierarchy: Hierarchy, metadataOf: GetClassMetadata): void {
  for (const each of hierarchy.classes) {
    const metadata = metadataOf(each)
    if (each.isAbstract) metadata.synchronize = false
    const ancestors = ancestorsAndSelf(each).slice(0, -1).map(metadataOf)
    for (const column of metadata.columns) shareEnumType(column, ancestors)
    for (const relation of metadata.relations) completeInherited(relation, ancestors)
  }
}

/** PostgreSQL makes a type per table, and unites no rows of different ones. The name is that of the topmost table with the column. */
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
  if (!ancestors.some(({ relations }) => relations.some((each) => each.propertyPath === propertyPath))) return
  // MariaDB wants names of keys to differ in the whole database.
  for (const foreignKey of foreignKeys) {
    delete foreignKey.givenName
    foreignKey.build(entityMetadata.connection.namingStrategy)
  }
}

/** No foreign key can refer to several tables. The columns stay. */
export function dropForeignKeysToSeveralTables(
  metadatas: readonly EntityMetadata[],
  hierarchies: readonly Hierarchy[],
  metadataOf: GetClassMetadata,
): void {
  const spread = hierarchies.flatMap((hierarchy) =>
    hierarchy.classes.filter((each) => hasSubclassTables(each, hierarchy)).map(metadataOf),
  )
  for (const owner of [...metadatas, ...metadatas.flatMap(({ relations }) => relations)]) {
    owner.foreignKeys = owner.foreignKeys.filter(
      ({ referencedEntityMetadata }) => !spread.includes(referencedEntityMetadata),
    )
  }
}
