import type { DataSource, EntityMetadata } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import type { Attribute, ResourceGraph } from '../../../graph/model/resource-graph'
import type { EmbeddedMember } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { createColumnMapping } from './create-column-mapping'
import type { ColumnMapping, DatabaseMapping, EmbeddedColumn } from './database-mapping'
import { createDatabaseMappingContext, type DatabaseMappingContext } from './database-mapping-context'
import { mapInboundReferences } from './map-inbound-references'
import { mapRelationshipToColumns } from './map-relation'
import { mapTypesToTables } from './map-types-to-tables'

/** Builds the mapping of the graph to the tables of an initialized DataSource. */
export function buildDatabaseMapping(dataSource: DataSource, dialect: Dialect, graph: ResourceGraph): DatabaseMapping {
  const types = [...graph.types.values()]
  const context = createDatabaseMappingContext(dataSource, dialect, graph)
  const tables = mapTypesToTables(types, context)
  const attributes = new Set(types.flatMap((type) => type.attributes))
  const columns = new Map([...attributes].map((attribute) => [attribute, mapAttribute(attribute, context)]))
  const relationships = new Set(types.flatMap((type) => type.relationships))
  const relations = new Map(
    [...relationships].map((relationship) => [relationship, mapRelationshipToColumns(relationship, context)]),
  )
  const referencesOf = mapInboundReferences(context)
  const stored = new Set(types.flatMap((type) => type.concreteTypes))
  const references = new Map([...stored].map((type) => [type, referencesOf(type)]))

  return {
    dataSource,
    dialect,
    tableOf: (type) => get(tables, type, type.name),
    columnOf: (attribute) => get(columns, attribute, attribute.name),
    nameOf: (column) => dialect.quote(context.nameOf(column)),
    relationOf: (relationship) => get(relations, relationship, relationship.name),
    inboundForeignKeys: (type) => get(references, type, type.name).foreignKeys,
    inboundJunctionTablesOf: (type) => get(references, type, type.name).junctionTables,
  }
}

function mapAttribute(attribute: Attribute, context: DatabaseMappingContext): ColumnMapping {
  const { property, declaringType, constraints } = attribute
  const metadata = context.dataSource.getMetadata(declaringType.resourceClass)
  return constraints.shape === undefined
    ? createColumnMapping(columnOfProperty(metadata, property), constraints, context)
    : mapEmbedded(embeddedColumnsOf([property], constraints.shape, metadata, context))
}

function embeddedColumnsOf(
  path: readonly string[],
  shape: ReadonlyMap<string, EmbeddedMember>,
  metadata: EntityMetadata,
  context: DatabaseMappingContext,
): readonly EmbeddedColumn[] {
  return [...shape].flatMap(([name, { constraints }]) => {
    const inner = [...path, name]
    if (constraints.shape !== undefined) return embeddedColumnsOf(inner, constraints.shape, metadata, context)
    const column = createColumnMapping(columnOfProperty(metadata, inner.join('.')), constraints, context)
    return [{ path: inner.slice(1), constraints, column }]
  })
}

function mapEmbedded(embeddedColumns: readonly EmbeddedColumn[]): ColumnMapping {
  const [first] = embeddedColumns
  if (first === undefined) throw new InvariantError('An embedded object has no columns.')
  return { ...first.column, column: '', query: undefined, embeddedColumns }
}

/** Finds the column of a property. If siblings declare columns of the same name, the declaration of the class itself is used. */
function columnOfProperty(metadata: EntityMetadata, property: string): ColumnMetadata {
  const candidates = metadata.columns.filter(
    (column) => column.propertyPath === property && column.relationMetadata === undefined,
  )
  const column =
    candidates.find(({ target }) => target === metadata.target) ??
    candidates[0] ??
    metadata.findColumnWithPropertyPath(property)
  if (column === undefined) throw new InvariantError(`${metadata.name}.${property} has no column.`)
  return column
}

function get<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, name: string): Value {
  const value = map.get(key)
  if (value === undefined) throw new InvariantError(`'${name}' is not mapped.`)
  return value
}
