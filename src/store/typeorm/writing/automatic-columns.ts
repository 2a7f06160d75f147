import type { EntityMetadata } from 'typeorm'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Mapping, RowTable } from '../mapping/mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { bind, identifier, type Sql, toSql } from '../sql/sql'
import type { Assignments } from './write-statements'

/** Returns what TypeORM assigns on insert: create date, update date and version. */
export function automaticInsertAssignments(mapping: Mapping, type: StoredType): Assignments {
  const { createDateColumn, updateDateColumn, versionColumn } = findAutomaticColumns(metadataOf(mapping, type))
  const stamps = new Map<string, Sql>()
  const at = new Date()
  for (const column of [createDateColumn, updateDateColumn]) {
    // Else the column's default gives it.
    if (column !== undefined && takesDate(column)) stamps.set(mapping.nameOf(column), currentTime(mapping, column, at))
  }
  if (versionColumn !== undefined) stamps.set(mapping.nameOf(versionColumn), bind(1))
  return stamps
}

/** And on every update. */
export function automaticUpdateAssignments(mapping: Mapping, type: ResourceType): Assignments {
  return automaticUpdateAssignmentsOfTables(mapping, mapping.tableOf(type).tables)
}

export function automaticUpdateAssignmentsOfTables(mapping: Mapping, parts: readonly RowTable[]): Assignments {
  return assignAutomatic(
    mapping,
    parts.map(({ metadata }) => metadata),
    mapping.nameOf,
  )
}

/** Returns the automatic columns of any mapped class, by their names in its table. */
export function automaticUpdateAssignmentsOfEntity(mapping: Mapping, metadata: EntityMetadata): Assignments {
  return assignAutomatic(mapping, [metadata], ({ databaseName }) => mapping.dialect.quote(databaseName))
}

function assignAutomatic(
  mapping: Mapping,
  metadata: readonly EntityMetadata[],
  nameOf: (column: ColumnMetadata) => string,
): Assignments {
  const { updateDateColumn, versionColumn } = findAutomaticColumns(metadata)
  const stamps = new Map<string, Sql>()
  if (updateDateColumn !== undefined)
    stamps.set(nameOf(updateDateColumn), currentTime(mapping, updateDateColumn, new Date()))
  if (versionColumn !== undefined) {
    const version = mapping.dialect.quote(versionColumn.databaseName)
    stamps.set(nameOf(versionColumn), toSql`${identifier(version)} + 1`)
  }
  return stamps
}

type AutomaticColumn = 'createDateColumn' | 'updateDateColumn' | 'versionColumn'

function findAutomaticColumns(
  metadata: readonly EntityMetadata[],
): Readonly<Record<AutomaticColumn, ColumnMetadata | undefined>> {
  const find = (name: AutomaticColumn) => metadata.find((each) => each[name] !== undefined)?.[name]
  return {
    createDateColumn: find('createDateColumn'),
    updateDateColumn: find('updateDateColumn'),
    versionColumn: find('versionColumn'),
  }
}

function metadataOf(mapping: Mapping, type: ResourceType): readonly EntityMetadata[] {
  return mapping.tableOf(type).tables.map(({ metadata }) => metadata)
}

/** The present time as a column holds it; to the millisecond, where the database's own clock may give less. */
export function currentTime(mapping: Mapping, column: ColumnMetadata, at: Date): Sql {
  if (!takesDate(column)) return toSql`current_timestamp`
  return bind(mapping.dataSource.driver.preparePersistentValue(at, column))
}

/** A transformer expects a value of a type that is unknown here. */
function takesDate(column: ColumnMetadata): boolean {
  if (column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}
