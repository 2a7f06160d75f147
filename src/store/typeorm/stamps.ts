import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { Mapping } from './mapping'
import { identifier, type Sql, toSql, value } from './sql'
import type { Assignments } from './writing'

/** What TypeORM would keep up on insert: the dates of creation and of the last change, and the version. */
export function stampsOfCreate(mapping: Mapping, type: StoredType): Assignments {
  const { createDateColumn, updateDateColumn, versionColumn } = mapping.tableOf(type).metadata
  const stamps = new Map<string, Sql>()
  const at = new Date()
  for (const column of [createDateColumn, updateDateColumn]) {
    // Else the column's default gives it.
    if (column !== undefined && takesDate(column)) stamps.set(quoted(mapping, column), time(mapping, column, at))
  }
  if (versionColumn !== undefined) stamps.set(quoted(mapping, versionColumn), value(1))
  return stamps
}

/** And on every update. */
export function stampsOfUpdate(mapping: Mapping, type: ResourceType): Assignments {
  return stampsOfEntity(mapping, mapping.tableOf(type).metadata)
}

/** The same for rows of any mapped class. */
export function stampsOfEntity(mapping: Mapping, { updateDateColumn, versionColumn }: EntityMetadata): Assignments {
  const stamps = new Map<string, Sql>()
  if (updateDateColumn !== undefined) {
    stamps.set(quoted(mapping, updateDateColumn), time(mapping, updateDateColumn, new Date()))
  }
  if (versionColumn !== undefined) {
    const version = quoted(mapping, versionColumn)
    stamps.set(version, toSql`${identifier(version)} + 1`)
  }
  return stamps
}

/** The present time as a column holds it; to the millisecond, where the database's own clock may give less. */
export function time(mapping: Mapping, column: ColumnMetadata, at: Date): Sql {
  if (!takesDate(column)) return toSql`current_timestamp`
  return value(mapping.dataSource.driver.preparePersistentValue(at, column))
}

/** A transformer would be given a value of its own kind, of which nothing is known here. */
function takesDate(column: ColumnMetadata): boolean {
  if (column.transformer !== undefined) return false
  return column.type === Date || /^(date|time)/.test(String(column.type))
}

function quoted(mapping: Mapping, column: ColumnMetadata): string {
  return mapping.dialect.quote(column.databaseName)
}
