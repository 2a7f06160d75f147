import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { InvariantError } from '../../errors/invariant'
import type { Attribute, ResourceGraph, ResourceType } from '../../graph/resource-graph'
import type { ShapeMember, ValueRange } from '../../graph/value-type'
import { compileFromDatabase, compileToDatabase, isFiner } from './convert-values'
import type { Dialect } from './dialect'
import { idOfKey } from './keys'
import { findListeners } from './listeners'
import { mapReferences } from './map-references'
import { mapRelation } from './map-relation'
import type { ColumnMapping, ColumnPart, Discriminator, Mapping, TableMapping } from './mapping'
import { quotePath } from './quote-path'

/** Where everything of the graph lies in the database of an initialised DataSource. */
export function buildMapping(dataSource: DataSource, dialect: Dialect, graph: ResourceGraph): Mapping {
  const types = [...graph.types.values()]
  const around: Surroundings = { dataSource, dialect, types }
  const tables = new Map(types.map((type) => [type, mapTable(type, around)]))
  const attributes = new Set(types.flatMap((type) => type.attributes))
  const columns = new Map([...attributes].map((attribute) => [attribute, mapAttribute(attribute, around)]))
  const relationships = new Set(types.flatMap((type) => type.relationships))
  const relations = new Map([...relationships].map((each) => [each, mapRelation(each, dataSource, dialect)]))
  const references = new Map(
    types.flatMap((type) => type.concreteTypes).map((type) => [type, mapReferences(type, dataSource, dialect)]),
  )

  return {
    dataSource,
    dialect,
    tableOf: (type) => get(tables, type, type.name),
    columnOf: (_type, attribute) => get(columns, attribute, attribute.name),
    relationOf: (relationship) => get(relations, relationship, relationship.name),
    referencesTo: (type) => get(references, type, type.name).foreignKeys,
    pairsWith: (type) => get(references, type, type.name).pairTables,
  }
}

interface Surroundings {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  readonly types: readonly ResourceType[]
}

function mapTable(type: ResourceType, around: Surroundings): TableMapping {
  const metadata = around.dataSource.getMetadata(type.resourceClass)
  const { deleteDateColumn } = metadata
  const key = mapKey(type, metadata, around)
  return {
    name: quotePath(metadata.tablePath, around.dialect),
    metadata,
    key,
    toId: compileToId(key, type),
    discriminator: mapDiscriminator(metadata, around),
    listeners: findListeners(metadata, around.dataSource),
    deletedAt: deleteDateColumn && mapColumn(deleteDateColumn, { valueType: 'datetime' }, around),
  }
}

/** Most keys are shown as they come. */
function compileToId(key: TableMapping['key'], type: ResourceType): TableMapping['toId'] {
  const { range, isTransformed } = type.id
  if (range.codec === undefined && !isTransformed) return ([only]) => String(only)
  return (raw) => idOfKey(key, type, raw)
}

function mapKey({ id: { range } }: ResourceType, metadata: EntityMetadata, around: Surroundings): TableMapping['key'] {
  const { primaryColumns } = metadata
  if (primaryColumns.length === 0) throw new InvariantError(`${metadata.name} has no primary key.`)
  return primaryColumns.map((column, place) => mapColumn(column, range.parts?.[place] ?? range, around))
}

function mapDiscriminator(
  metadata: EntityMetadata,
  { dataSource, dialect, types }: Surroundings,
): Discriminator | undefined {
  const { discriminatorColumn } = metadata
  if (discriminatorColumn === undefined) return undefined
  const inThisTable = types
    .flatMap((type) => type.concreteTypes)
    .map((type) => ({ type, stored: dataSource.getMetadata(type.resourceClass) }))
    .filter(({ stored }) => stored.tablePath === metadata.tablePath)
  const values = new Map(inThisTable.map(({ type, stored }) => [type, String(stored.discriminatorValue)]))
  const byValue = new Map([...values].map(([type, value]) => [value, type]))
  return {
    column: dialect.quote(discriminatorColumn.databaseName),
    valueOf: (type) => get(values, type, type.name),
    typeOf: (value) => byValue.get(String(value)),
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
    return [{ path: inner.slice(1), column: mapColumn(columnOfProperty(metadata, inner.join('.')), range, around) }]
  })
}

/** It is there where any of its columns has a value. */
function mapEmbedded(parts: readonly ColumnPart[]): ColumnMapping {
  const [first] = parts
  if (first === undefined) throw new InvariantError('An embedded object has no columns.')
  const query = (alias: string) => {
    const areNull = parts.map(({ column: { column } }) => `${alias}.${column} is null`)
    return `case when ${areNull.join(' and ')} then null else 1 end`
  }
  return { ...first.column, column: '', query, parts }
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

function mapColumn(metadata: ColumnMetadata, range: ValueRange, { dataSource, dialect }: Surroundings): ColumnMapping {
  return {
    column: dialect.quote(metadata.databaseName),
    metadata,
    query: metadata.query,
    fromDatabase: compileFromDatabase(dataSource, metadata, range),
    toDatabase: compileToDatabase(dataSource, metadata, range, dialect),
    comparedAs: TEXTUAL.has(range.valueType) ? 'text' : 'number',
    selectAs: dialect.name === 'sqlite' && range.valueType === 'bigint' ? 'text' : 'plain',
    isFiner: range.valueType === 'datetime' && isFiner(metadata, dialect),
    databaseType: dataSource.driver.normalizeType(metadata),
  }
}

/** Compared character by character; all else as the database compares values of the column's type. */
const TEXTUAL: ReadonlySet<ValueRange['valueType']> = new Set(['string', 'uuid', 'enum'] as const)

function get<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, name: string): Value {
  const value = map.get(key)
  if (value === undefined) throw new InvariantError(`'${name}' is not mapped.`)
  return value
}
