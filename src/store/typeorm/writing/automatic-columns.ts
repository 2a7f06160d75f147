import type { EntityMetadata } from 'typeorm'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Mapping, PhysicalTable } from '../mapping/mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { bindValue, rawSql, type Sql, sqlTag } from '../sql/sql'
import type { Assignments } from './write-statements'

/** Returns what TypeORM assigns on insert: create date, update date and version. */
export function dateAndVersionInsertAssignments(mapping: Mapping, type: StoredType): Assignments {
  const { tables } = mapping.tableOf(type)
  const now = new Date()
  // Other dates have the column's default.
  const dates = [findColumn('createDateColumn', tables), findColumn('updateDateColumn', tables)].filter(takesDate)
  const version = findColumn('versionColumn', tables)
  return new Map([
    ...dates.map((column) => [mapping.nameOf(column), currentTime(mapping, column, now)] as const),
    ...(version === undefined ? [] : [[mapping.nameOf(version), bindValue(1)] as const]),
  ])
}

/** Returns what TypeORM assigns on every update: update date and version. */
export function dateAndVersionUpdateAssignments(mapping: Mapping, type: ResourceType): Assignments {
  return dateAndVersionUpdateAssignmentsOfTables(mapping, mapping.tableOf(type).tables)
}

/** Returns the automatic columns of any mapped class, by their names in its table. */
export function dateAndVersionUpdateAssignmentsOfEntity(mapping: Mapping, metadata: EntityMetadata): Assignments {
  const nameOf = ({ databaseName }: ColumnMetadata) => mapping.dialect.quote(databaseName)
  return dateAndVersionUpdateAssignmentsOfTables(mapping, [{ metadata }], nameOf)
}

export function dateAndVersionUpdateAssignmentsOfTables(
  mapping: Mapping,
  tables: readonly Pick<PhysicalTable, 'metadata'>[],
  nameOf = mapping.nameOf,
): Assignments {
  const date = findColumn('updateDateColumn', tables)
  const version = findColumn('versionColumn', tables)
  return new Map([
    ...(date === undefined ? [] : [[nameOf(date), currentTime(mapping, date)] as const]),
    ...(version === undefined ? [] : [[nameOf(version), versionAfter(version, mapping)] as const]),
  ])
}

function findColumn(
  name: 'createDateColumn' | 'updateDateColumn' | 'versionColumn',
  tables: readonly Pick<PhysicalTable, 'metadata'>[],
): ColumnMetadata | undefined {
  return tables.find(({ metadata }) => metadata[name] !== undefined)?.metadata[name]
}

function versionAfter({ databaseName }: ColumnMetadata, { dialect }: Mapping): Sql {
  return sqlTag`${rawSql(dialect.quote(databaseName))} + 1`
}

/** Returns the present time as a column holds it; to the millisecond, where the database's own clock may give less. */
export function currentTime(mapping: Mapping, column: ColumnMetadata, now = new Date()): Sql {
  if (!takesDate(column)) return sqlTag`current_timestamp`
  return bindValue(mapping.dataSource.driver.preparePersistentValue(now, column))
}

/** A transformer expects a value of a type that is unknown here. */
function takesDate(column: ColumnMetadata | undefined): column is ColumnMetadata {
  if (column === undefined || column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}
