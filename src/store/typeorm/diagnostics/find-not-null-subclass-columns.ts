import type { ConfigurationWarning } from '../../../errors/configuration-warning'
import { hasExactField, rootTypeOf } from '../../../graph/model/inheritance'
import type { Attribute, ResourceGraph } from '../../../graph/model/resource-graph'
import type { DatabaseMapping } from '../mapping/database-mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

/**
 * Finds `not null` columns that rows of other types of the table can't fill. With single-table inheritance, TypeORM makes columns of subclasses nullable,
 * but not those of nested embedded objects.
 */
export function findNotNullSubclassColumns(
  { types }: ResourceGraph,
  mapping: DatabaseMapping,
): readonly ConfigurationWarning[] {
  const derived = [...types.values()].filter((type) => mapping.tableOf(type).metadata.tableType === 'entity-child')
  return derived.flatMap((type) =>
    type.attributes
      .filter(({ declaringType }) => declaringType === type)
      .flatMap((attribute) => warnAboutColumns(attribute, findNotNullColumns(attribute, mapping))),
  )
}

function findNotNullColumns(attribute: Attribute, mapping: DatabaseMapping): readonly ColumnMetadata[] {
  const { embeddedColumns } = mapping.columnOf(attribute)
  if (embeddedColumns === undefined) return []
  const { parentEntityMetadata: table } = mapping.tableOf(attribute.declaringType).metadata
  const names = new Set(embeddedColumns.map(({ column: { metadata } }) => metadata.databaseName))
  // The table may follow the declaration of another class.
  return table.columns.filter(({ databaseName, isNullable, default: preset }) => {
    return names.has(databaseName) && !isNullable && preset === undefined
  })
}

function warnAboutColumns(attribute: Attribute, columns: readonly ColumnMetadata[]): readonly ConfigurationWarning[] {
  if (columns.length === 0) return []
  const { declaringType, property } = attribute
  const others = rootTypeOf(declaringType).concreteTypes.filter((type) => !hasExactField(type, attribute))
  if (others.length === 0) return []
  const names = columns.map(({ databaseName }) => databaseName).join(', ')
  return [
    {
      kind: 'unsatisfiable-not-null',
      location: `${declaringType.resourceClass.name}.${property}`,
      message: `rows of ${others.map(({ name }) => name).join(', ')} are in the same table without this object, but ${names} can't be null there, so they can't be stored.`,
      remedy: 'Set { nullable: true } on these columns, and require them in a schema.',
    },
  ]
}
