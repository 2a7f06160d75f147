import type { ConfigurationWarning } from '../../../errors/configuration-warning'
import { rootTypeOf } from '../../../graph/model/inheritance'
import type { Field, ResourceGraph, ResourceType } from '../../../graph/model/resource-graph'
import type { DatabaseMapping } from '../mapping/database-mapping'

/**
 * Finds `not null` columns that rows of other types of the table can't fill. With single-table inheritance, TypeORM makes columns of subclasses nullable,
 * but not those of relations and of nested embedded objects.
 */
export function findNotNullSubclassColumnWarnings(
  { types }: ResourceGraph,
  mapping: DatabaseMapping,
): readonly ConfigurationWarning[] {
  const derived = [...types.values()].filter((type) => mapping.tableOf(type).metadata.tableType === 'entity-child')
  return derived.flatMap((type) =>
    fieldsOf(type)
      .filter(({ declaringType }) => declaringType === type)
      .flatMap((field) => warnAboutColumns(field, findNotNullColumns(field, mapping), mapping)),
  )
}

function fieldsOf({ attributes, relationships }: ResourceType): readonly Field[] {
  return [...attributes, ...relationships]
}

function findNotNullColumns(field: Field, mapping: DatabaseMapping): readonly string[] {
  const names = columnNamesOf(field, mapping)
  if (names.length === 0) return []
  const { parentEntityMetadata: table } = mapping.tableOf(field.declaringType).metadata
  // The table may follow the declaration of another class.
  return table.columns
    .filter(({ databaseName, isNullable, default: preset }) => {
      return names.includes(databaseName) && !isNullable && preset === undefined
    })
    .map(({ databaseName }) => databaseName)
}

/** Returns the columns that TypeORM does not make nullable: those of an embedded object, or of a foreign key. */
function columnNamesOf(field: Field, mapping: DatabaseMapping): readonly string[] {
  if (field.kind === 'attribute') {
    const { embeddedColumns = [] } = mapping.columnOf(field)
    return embeddedColumns.map(({ column: { metadata } }) => metadata.databaseName)
  }
  const relation = mapping.relationOf(field)
  return relation.kind === 'owning' ? relation.metadata.joinColumns.map(({ databaseName }) => databaseName) : []
}

function warnAboutColumns(
  { kind, declaringType, property }: Field,
  columns: readonly string[],
  mapping: DatabaseMapping,
): readonly ConfigurationWarning[] {
  const others = rootTypeOf(declaringType).concreteTypes.filter((type) => !canFill(type, columns, mapping))
  if (others.length === 0) return []
  const [what, remedy] = TEXTS[kind === 'attribute' ? 'object' : 'relationship']
  return [
    {
      kind: 'unsatisfiable-not-null',
      location: `${declaringType.resourceClass.name}.${property}`,
      message: `rows of ${others.map(({ name }) => name).join(', ')} are in the same table without this ${what}, but ${columns.join(', ')} can't be null there, so they can't be stored.`,
      remedy,
    },
  ]
}

/** Siblings can share columns. */
function canFill(type: ResourceType, columns: readonly string[], mapping: DatabaseMapping): boolean {
  const names = new Set(fieldsOf(type).flatMap((field) => columnNamesOf(field, mapping)))
  return columns.every((column) => names.has(column))
}

const TEXTS = {
  object: ['object', 'Set { nullable: true } on these columns, and require them in a schema.'],
  relationship: ['relationship', 'Set { nullable: true } on the relation, and use @ToOne({ required: true }).'],
} as const
