import type { DataSource } from 'typeorm'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { Attribute, Field, Relationship, StoredType } from '../../graph/resource-graph'
import { columnsBehind } from './column-parts'
import type { Mapping } from './mapping'
import type { Violation } from './violation'

/** The fields of a type that a broken constraint is about, in the order of its columns; none where that cannot be known. */
export function findViolatedFields(violation: Violation, mapping: Mapping, type: StoredType): readonly Field[] {
  if (violation.databaseType !== undefined) return findOfType(violation.databaseType, mapping, type)
  const place = placeOf(violation, mapping.dataSource, type)
  if (place.columns.length === 0) return findMentioned(place.condition, mapping, type)
  const linked = type.relationships.find((each) => isForeignKeyOf(each, place, mapping))
  if (linked !== undefined) return [linked]
  const fields = place.columns.flatMap((column) => findField(place.table, column, mapping, type) ?? [])
  return [...new Set(fields)]
}

/** Whether the constraint is the primary key of the type's own table. */
export function isOwnKey(violation: Violation, mapping: Mapping, type: StoredType): boolean {
  if (violation.kind === 'primaryKey') return true
  if (violation.kind !== 'unique') return false
  const { metadata } = mapping.tableOf(type)
  const { table, columns } = placeOf(violation, mapping.dataSource, type)
  const names = metadata.primaryColumns.map(({ databaseName }) => databaseName)
  return (
    table === metadata.tableName && columns.length === names.length && names.every((name) => columns.includes(name))
  )
}

interface Place {
  /** Without its schema. */
  readonly table: string
  readonly columns: readonly string[]
  readonly condition: string
}

/** Where a driver gives only the name of the constraint, TypeORM's metadata know the rest. */
function placeOf(violation: Violation, dataSource: DataSource, type: StoredType): Place {
  const { table, columns, constraint, condition = '' } = violation
  const named = constraint === undefined ? undefined : findConstraint(constraint, dataSource)
  return {
    table: table ?? named?.table ?? dataSource.getMetadata(type.resourceClass).tableName,
    columns: columns ?? named?.columns ?? [],
    condition: named?.condition ?? condition,
  }
}

function findConstraint(name: string, { entityMetadatas }: DataSource): Place | undefined {
  for (const metadata of entityMetadatas) {
    const { tableName: table, uniques, indices, foreignKeys } = metadata
    const onColumns = [...uniques, ...indices, ...foreignKeys].find((constraint) => constraint.name === name)
    if (onColumns !== undefined) {
      return { table, columns: onColumns.columns.map((column) => column.databaseName), condition: '' }
    }
    const condition = conditionOf(name, metadata)
    if (condition !== undefined) return { table, columns: [], condition }
  }
  return undefined
}

function conditionOf(name: string, { checks, exclusions }: EntityMetadata): string | undefined {
  return [...checks, ...exclusions].find((constraint) => constraint.name === name)?.expression
}

function findField(table: string, column: string, mapping: Mapping, type: StoredType): Field | undefined {
  const attribute = type.attributes.find((each) => isStoredIn(each, table, column, mapping, type))
  return attribute ?? type.relationships.find((each) => isLinkedBy(each, table, column, mapping))
}

function isStoredIn(attribute: Attribute, table: string, column: string, mapping: Mapping, type: StoredType): boolean {
  return columnsBehind(mapping.columnOf(type, attribute)).some(({ metadata }) => {
    return metadata.databaseName === column && metadata.entityMetadata.tableName === table
  })
}

function isLinkedBy(relationship: Relationship, table: string, column: string, mapping: Mapping): boolean {
  return linkingColumns(relationship, table, mapping).includes(mapping.dialect.quote(column))
}

/** All of several columns, of which others may be parts of other keys too. */
function isForeignKeyOf(relationship: Relationship, { table, columns }: Place, mapping: Mapping): boolean {
  const linking = linkingColumns(relationship, table, mapping)
  return (
    columns.length > 1 &&
    linking.length === columns.length &&
    columns.every((column) => linking.includes(mapping.dialect.quote(column)))
  )
}

function linkingColumns(relationship: Relationship, table: string, mapping: Mapping): readonly string[] {
  const link = mapping.relationOf(relationship)
  if (link.kind !== 'junction') {
    return link.metadata.entityMetadata.tableName === table ? link.columns.map(({ column }) => column) : []
  }
  // The left columns name this resource, which is there: what may be missing is at the right.
  return link.table.endsWith(mapping.dialect.quote(table)) ? link.rightColumns : []
}

/** The one attribute of this type. */
function findOfType(databaseType: string, mapping: Mapping, type: StoredType): readonly Field[] {
  const found = type.attributes.filter((each) => mapping.columnOf(type, each).databaseType === databaseType)
  return found.length === 1 ? found : []
}

/** The one attribute whose column the condition of a check names. */
function findMentioned(condition: string, mapping: Mapping, type: StoredType): readonly Field[] {
  const words = new Set(condition.match(/[\p{L}\p{N}_$]+/gu) ?? [])
  const mentioned = type.attributes.filter((each) => {
    return columnsBehind(mapping.columnOf(type, each)).some(({ metadata }) => words.has(metadata.databaseName))
  })
  return mentioned.length === 1 ? mentioned : []
}
