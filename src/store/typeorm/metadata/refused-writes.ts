import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { ColumnDescription } from '../../../graph/model/entity-description'

/** What `insert: false` and `update: false` say of columns that are written together. */
export function refusedWrites(columns: readonly ColumnMetadata[]): ColumnDescription['deniedWrites'] {
  return [
    ...(columns.every(({ isInsert }) => isInsert) ? [] : ['create' as const]),
    ...(columns.every(({ isUpdate }) => isUpdate) ? [] : ['change' as const]),
  ]
}
