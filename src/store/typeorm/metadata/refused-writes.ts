import type { ColumnDescription } from '../../../graph/entity-description'
import type { ColumnMetadata } from './typeorm-metadata'

/** What `insert: false` and `update: false` say of columns that are written together. */
export function refusedWrites(columns: readonly ColumnMetadata[]): ColumnDescription['deniedWrites'] {
  return [
    ...(columns.every(({ isInsert }) => isInsert) ? [] : ['create' as const]),
    ...(columns.every(({ isUpdate }) => isUpdate) ? [] : ['change' as const]),
  ]
}
