import type { EntityMetadata } from 'typeorm'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Mapping, PhysicalTable } from '../mapping/mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { boundValueSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import type { Assignments } from './write-statements'

/** Returns the assignments that TypeORM adds to an insert: create date, update date and version. */
export function dateAndVersionInsertAssignments(mapping: Mapping, type: StoredType): Assignments {
  const { tables } = mapping.tableOf(type)
  const now = new Date()
  // The database fills the other date columns with their defaults.
  const dates = [findColumn('createDateColumn', tables), findColumn('updateDateColumn', tables)].filter(acceptsDate)
  const version = findColumn('versionColumn', tables)
  return new Map([
    ...dates.map((column) => [mapping.nameOf(column), currentTimeSql(mapping, column, now)] as const),
    ...(version === undefined ? [] : [[mapping.nameOf(version), boundValueSql(1)] as const]),
  ])
}

/** Returns the assignments that TypeORM adds to an update: update date and version. */
export function dateAndVersionUpdateAssignments(mapping: Mapping, type: ResourceType): Assignments {
  return dateAndVersionUpdateAssignmentsOfTables(mapping, mapping.tableOf(type).tables)
}

/** Returns the same assignments for any mapped class, with the column names of its table. */
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
    ...(date === undefined ? [] : [[nameOf(date), currentTimeSql(mapping, date)] as const]),
    ...(version === undefined ? [] : [[nameOf(version), nextVersion(version, mapping)] as const]),
  ])
}

function findColumn(
  name: 'createDateColumn' | 'updateDateColumn' | 'versionColumn',
  tables: readonly Pick<PhysicalTable, 'metadata'>[],
): ColumnMetadata | undefined {
  return tables.find(({ metadata }) => metadata[name] !== undefined)?.metadata[name]
}

function nextVersion({ databaseName }: ColumnMetadata, { dialect }: Mapping): Sql {
  return sqlTag`${rawSql(dialect.quote(databaseName))} + 1`
}

/** Returns the present time as a value of a column, in milliseconds. `current_timestamp` can be less precise. */
export function currentTimeSql(mapping: Mapping, column: ColumnMetadata, now = new Date()): Sql {
  if (!acceptsDate(column)) return sqlTag`current_timestamp`
  return boundValueSql(mapping.dataSource.driver.preparePersistentValue(now, column))
}

/** Returns true if a date can be bound to the column. A transformer can expect another type. */
function acceptsDate(column: ColumnMetadata | undefined): column is ColumnMetadata {
  if (column === undefined || column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}
