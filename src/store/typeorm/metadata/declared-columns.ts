import type { DataSource } from 'typeorm'
import type { ColumnDescription } from '../../../graph/model/entity-description'
import { dialectOf } from '../dialects/dialect-of'
import { metadataArgsOfDataSource } from './declared-arguments'
import type { ColumnMetadata } from './typeorm-metadata'

/** Returns true if the column is declared nullable. In a hierarchy, TypeORM makes all columns of embedded objects nullable for rows of other types. */
export function isDeclaredNullable({ target, propertyName, isNullable, entityMetadata }: ColumnMetadata): boolean {
  const { columns } = metadataArgsOfDataSource(entityMetadata.connection)
  const args = columns.find((column) => column.target === target && column.propertyName === propertyName)
  if (args === undefined || args.mode === 'deleteDate') return isNullable
  return args.options.nullable ?? args.options.default === null
}

/** Returns true if the column is nullable in the table, which can follow the declaration of another class. */
export function isNullableInTable({ isNullable, databaseName, entityMetadata }: ColumnMetadata): boolean {
  const { tableType, parentEntityMetadata } = entityMetadata
  const { columns } = tableType === 'entity-child' ? parentEntityMetadata : entityMetadata
  return columns.find((column) => column.databaseName === databaseName)?.isNullable ?? isNullable
}

/** Returns the writes that `insert: false` and `update: false` deny for columns that are written together. */
export function writeKindsDeniedByColumns(columns: readonly ColumnMetadata[]): ColumnDescription['deniedWrites'] {
  return [
    ...(columns.every(({ isInsert }) => isInsert) ? [] : ['create' as const]),
    ...(columns.every(({ isUpdate }) => isUpdate) ? [] : ['change' as const]),
  ]
}

/** Returns true if SQLite generates the key of a row. https://sqlite.org/lang_createtable.html#rowid */
export function isRowIdAlias(column: ColumnMetadata, dataSource: DataSource): boolean {
  const { isPrimary, entityMetadata } = column
  const isOnly = isPrimary && entityMetadata.primaryColumns.length === 1
  return isOnly && dialectOf(dataSource).name === 'sqlite' && dataSource.driver.normalizeType(column) === 'integer'
}

/** Returns true if an update of the row may change the column. A generated column may depend on every other column. */
export function isColumnSetAutomaticallyOnUpdate(column: ColumnMetadata): boolean {
  return column.onUpdate !== undefined || ['updateDate', 'version', 'generated'].includes(valueOriginOfColumn(column))
}

export function isMaintainedByServer(column: ColumnMetadata): boolean {
  return valueOriginOfColumn(column) !== 'client'
}

/** Returns which side sets the value of the column. */
export function valueOriginOfColumn(column: ColumnMetadata): ColumnDescription['valueOrigin'] {
  if (column.isVersion) return 'version'
  if (column.isCreateDate) return 'createDate'
  if (column.isUpdateDate) return 'updateDate'
  if (column.isDeleteDate) return 'deleteDate'
  const isNeverWritten = !column.isInsert && !column.isUpdate
  if (column.query !== undefined) return 'generated'
  return column.isGenerated || column.isTreeLevel || column.asExpression !== undefined || isNeverWritten
    ? 'generated'
    : 'client'
}
