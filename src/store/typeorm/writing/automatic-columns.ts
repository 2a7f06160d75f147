import { randomUUID } from 'node:crypto'
import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { DatabaseMapping, PhysicalTable, ResourceTypeMapping } from '../mapping/database-mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { boundValueSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import type { Assignments } from './write-statements'

/** The columns that TypeORM fills in an insert, with their names. */
interface GeneratedColumns {
  readonly dates: readonly (readonly [name: string, column: ColumnMetadata])[]
  readonly version: string | undefined
  /** The UUIDs outside the primary key. */
  readonly uuids: readonly string[]
}

/** Returns the assignments that TypeORM adds to an insert: create date, update date, version, and the UUIDs of columns outside the primary key. */
export function generatedInsertAssignments(mapping: DatabaseMapping, type: StoredType): Assignments {
  const { dates, version, uuids } = getOrCompute(GENERATED_COLUMNS, mapping.tableOf(type), (table) =>
    findGeneratedColumns(table, mapping),
  )
  const assignments = new Map<string, Sql>()
  const now = dates.length === 0 ? undefined : new Date()
  for (const [name, column] of dates) assignments.set(name, currentTimeSql(mapping, column, now))
  if (version !== undefined) assignments.set(version, boundValueSql(1))
  for (const name of uuids) assignments.set(name, boundValueSql(randomUUID()))
  return assignments
}

const GENERATED_COLUMNS = new WeakMap<ResourceTypeMapping, GeneratedColumns>()

function findGeneratedColumns({ tables }: ResourceTypeMapping, { nameOf }: DatabaseMapping): GeneratedColumns {
  // The database fills the other date columns with their defaults.
  const dates = [findColumn('createDateColumn', tables), findColumn('updateDateColumn', tables)].filter(acceptsDate)
  const version = findColumn('versionColumn', tables)
  const columns = tables.flatMap(({ metadata }) => metadata.columns)
  const uuids = columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return {
    dates: dates.map((column) => [nameOf(column), column]),
    version: version && nameOf(version),
    uuids: [...new Set(uuids.map(nameOf))],
  }
}

/** Returns the assignments that TypeORM adds to an update: update date and version. */
export function dateAndVersionUpdateAssignments(mapping: DatabaseMapping, type: ResourceType): Assignments {
  return dateAndVersionUpdateAssignmentsOfTables(mapping, mapping.tableOf(type).tables)
}

/** Returns the same assignments for any mapped class, with the column names of its table. */
export function dateAndVersionUpdateAssignmentsOfEntity(
  mapping: DatabaseMapping,
  metadata: EntityMetadata,
): Assignments {
  const nameOf = ({ databaseName }: ColumnMetadata) => mapping.dialect.quote(databaseName)
  return dateAndVersionUpdateAssignmentsOfTables(mapping, [{ metadata }], nameOf)
}

export function dateAndVersionUpdateAssignmentsOfTables(
  mapping: DatabaseMapping,
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

function nextVersion({ databaseName }: ColumnMetadata, { dialect }: DatabaseMapping): Sql {
  return sqlTag`${rawSql(dialect.quote(databaseName))} + 1`
}

/** Returns the present time as a value of a column, in milliseconds. `current_timestamp` can be less precise. */
export function currentTimeSql(mapping: DatabaseMapping, column: ColumnMetadata, now = new Date()): Sql {
  if (!acceptsDate(column)) return sqlTag`current_timestamp`
  return boundValueSql(mapping.dataSource.driver.preparePersistentValue(now, column))
}

/** Returns true if a date can be bound to the column. A transformer can expect another type. */
function acceptsDate(column: ColumnMetadata | undefined): column is ColumnMetadata {
  if (column === undefined || column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}
