import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { InvariantError } from '../../errors/invariant'
import type { Attribute, ResourceGraph } from '../../graph/resource-graph'
import type { ShapeMember } from '../../graph/value-type'
import type { Dialect } from './dialect'
import { mapColumn } from './map-column'
import { mapReferences } from './map-references'
import { mapRelation } from './map-relation'
import { mapTable } from './map-table'
import type { ColumnMapping, ColumnPart, Mapping } from './mapping'
import { type Surroundings, surround } from './surroundings'

/** Where everything of the graph lies in the database of an initialised DataSource. */
export function buildMapping(dataSource: DataSource, dialect: Dialect, graph: ResourceGraph): Mapping {
  const types = [...graph.types.values()]
  const around = surround(dataSource, dialect, graph)
  const tables = new Map(types.map((type) => [type, mapTable(type, around)]))
  const attributes = new Set(types.flatMap((type) => type.attributes))
  const columns = new Map([...attributes].map((attribute) => [attribute, mapAttribute(attribute, around)]))
  const relationships = new Set(types.flatMap((type) => type.relationships))
  const relations = new Map([...relationships].map((each) => [each, mapRelation(each, around)]))
  const referencesOf = mapReferences(around)
  const stored = new Set(types.flatMap((type) => type.concreteTypes))
  const references = new Map([...stored].map((type) => [type, referencesOf(type)]))

  return {
    dataSource,
    dialect,
    tableOf: (type) => get(tables, type, type.name),
    columnOf: (_type, attribute) => get(columns, attribute, attribute.name),
    nameOf: (column) => dialect.quote(around.nameOf(column)),
    relationOf: (relationship) => get(relations, relationship, relationship.name),
    referencesTo: (type) => get(references, type, type.name).foreignKeys,
    pairsWith: (type) => get(references, type, type.name).pairTables,
  }
}

function mapAttribute(attribute: Attribute, around: Surroundings): ColumnMapping {
  const { property, declaringType, range } = attribute
  const metadata = around.dataSource.getMetadata(declaringType.resourceClass)
  return range.shape === undefined
    ? mapColumn(columnOfProperty(metadata, property), range, around)
    : mapEmbedded(partsOf([property], range.shape, metadata, around))
}

function partsOf(
  path: readonly string[],
  shape: ReadonlyMap<string, ShapeMember>,
  metadata: EntityMetadata,
  around: Surroundings,
): readonly ColumnPart[] {
  return [...shape].flatMap(([name, { range }]) => {
    const inner = [...path, name]
    if (range.shape !== undefined) return partsOf(inner, range.shape, metadata, around)
    const column = mapColumn(columnOfProperty(metadata, inner.join('.')), range, around)
    return [{ path: inner.slice(1), range, column }]
  })
}

function mapEmbedded(parts: readonly ColumnPart[]): ColumnMapping {
  const [first] = parts
  if (first === undefined) throw new InvariantError('An embedded object has no columns.')
  return { ...first.column, column: '', query: undefined, parts }
}

/** What siblings declared under one name may be found twice among the columns: the class's own declaration is meant. */
function columnOfProperty(metadata: EntityMetadata, property: string): ColumnMetadata {
  const found = metadata.columns.filter(
    (column) => column.propertyPath === property && column.relationMetadata === undefined,
  )
  const column =
    found.find(({ target }) => target === metadata.target) ?? found[0] ?? metadata.findColumnWithPropertyPath(property)
  if (column === undefined) throw new InvariantError(`${metadata.name}.${property} has no column.`)
  return column
}

function get<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, name: string): Value {
  const value = map.get(key)
  if (value === undefined) throw new InvariantError(`'${name}' is not mapped.`)
  return value
}
