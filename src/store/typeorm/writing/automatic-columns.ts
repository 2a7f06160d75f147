import { randomUUID } from 'node:crypto'
import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { DatabaseMapping, ResourceTypeMapping } from '../mapping/database-mapping'
import { columnsOfClassAndSuperclasses } from '../metadata/columns-of-class-and-superclasses'
import { isNullableInTable } from '../metadata/declared-columns'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { boundValueSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import type { Assignments } from './write-statements'

/** The columns that TypeORM fills in an insert, with their names. */
interface GeneratedColumns {
  readonly dates: readonly (readonly [name: string, column: ColumnMetadata])[]
  readonly versions: readonly string[]
  /** The UUIDs outside the primary key. */
  readonly uuids: readonly string[]
}

/** Returns the assignments that TypeORM adds to an insert: create date, update date, version, and the UUIDs of columns outside the primary key. */
export function generatedInsertAssignments(mapping: DatabaseMapping, type: StoredType): Assignments {
  const { dates, versions, uuids } = getOrCompute(GENERATED_COLUMNS, mapping.tableOf(type), () =>
    findGeneratedColumns(type, mapping),
  )
  const assignments = new Map<string, Sql>()
  const now = dates.length === 0 ? undefined : new Date()
  for (const [name, column] of dates) assignments.set(name, currentTimeAsColumnValue(mapping, column, now))
  for (const name of versions) assignments.set(name, boundValueSql(1))
  for (const name of uuids) assignments.set(name, boundValueSql(randomUUID()))
  return assignments
}

const GENERATED_COLUMNS = new WeakMap<ResourceTypeMapping, GeneratedColumns>()

function findGeneratedColumns(type: StoredType, mapping: DatabaseMapping): GeneratedColumns {
  const { nameOf } = mapping
  const columns = columnsOfRow(type, mapping)
  // The database fills the other date columns with their defaults.
  const dates = columns.filter((column) => (column.isCreateDate || column.isUpdateDate) && acceptsDate(column))
  const uuids = columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return {
    dates: dates.map((column) => [nameOf(column), column]),
    versions: columns.filter(({ isVersion }) => isVersion).map(nameOf),
    uuids: [...new Set(uuids.map(nameOf))],
  }
}

/** Returns the assignments that TypeORM adds to an update of rows of these types: update dates and versions. */
export function dateAndVersionUpdateAssignments(mapping: DatabaseMapping, types: readonly StoredType[]): Assignments {
  const columns = types.flatMap((type) => columnsOfRow(type, mapping))
  return assignmentsToColumns(columns, mapping, mapping.nameOf)
}

/** Returns the columns of the tables of a row that the class of the row has. */
function columnsOfRow(type: StoredType, { tableOf, dataSource }: DatabaseMapping): readonly ColumnMetadata[] {
  return getOrCompute(COLUMNS_OF_ROW, tableOf(type), ({ tables }) => {
    const columns = tables.flatMap(({ metadata }) => metadata.columns)
    return columnsOfClassAndSuperclasses(columns, type.resourceClass, dataSource)
  })
}

const COLUMNS_OF_ROW = new WeakMap<ResourceTypeMapping, readonly ColumnMetadata[]>()

/** Returns the same assignments for rows of any mapped class and its subclasses in the table, with the column names of the table. */
export function dateAndVersionUpdateAssignmentsOfEntity(
  mapping: DatabaseMapping,
  metadata: EntityMetadata,
): Assignments {
  const nameOf = ({ databaseName }: ColumnMetadata) => mapping.dialect.quote(databaseName)
  return assignmentsToColumns(metadata.columns, mapping, nameOf)
}

function assignmentsToColumns(
  columns: readonly ColumnMetadata[],
  mapping: DatabaseMapping,
  nameOf: DatabaseMapping['nameOf'],
): Assignments {
  const dates = columns.filter(({ isUpdateDate }) => isUpdateDate)
  const versions = columns.filter(({ isVersion }) => isVersion)
  return new Map([
    ...dates.map((column) => [nameOf(column), currentTimeAsColumnValue(mapping, column)] as const),
    ...versions.map((column) => [nameOf(column), nextVersion(column, mapping)] as const),
  ])
}

/** With single-table inheritance, the column is null in rows that were stored before their class had it. */
function nextVersion(column: ColumnMetadata, { dialect }: DatabaseMapping): Sql {
  const version = rawSql(dialect.quote(column.databaseName))
  return isNullableInTable(column) ? sqlTag`coalesce(${version}, 0) + 1` : sqlTag`${version} + 1`
}

/** Returns the present time as a value of a column, in milliseconds. `current_timestamp` can be less precise. */
export function currentTimeAsColumnValue(mapping: DatabaseMapping, column: ColumnMetadata, now = new Date()): Sql {
  if (!acceptsDate(column)) return sqlTag`current_timestamp`
  return boundValueSql(mapping.dataSource.driver.preparePersistentValue(now, column))
}

/** Returns true if a date can be bound to the column. A transformer can expect another type. */
function acceptsDate(column: ColumnMetadata | undefined): column is ColumnMetadata {
  if (column === undefined || column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}
