import type { DataSource } from 'typeorm'
import { dialectOf } from '../dialects/dialect-of'
import type { ColumnMetadata } from './typeorm-metadata'

/** Whether SQLite makes up the key of a row by itself. https://sqlite.org/lang_createtable.html#rowid */
export function isRowIdAlias(column: ColumnMetadata, dataSource: DataSource): boolean {
  const { isPrimary, entityMetadata } = column
  const isOnly = isPrimary && entityMetadata.primaryColumns.length === 1
  return isOnly && dialectOf(dataSource).name === 'sqlite' && dataSource.driver.normalizeType(column) === 'integer'
}
