import { getMetadataArgsStorage } from 'typeorm'
import type { ColumnMetadata } from './typeorm-metadata'

/** In a hierarchy TypeORM lets all columns of embedded objects be null, for the sake of rows of other types in the same table. */
export function isDeclaredNullable({ target, propertyName, isNullable }: ColumnMetadata): boolean {
  const { columns } = getMetadataArgsStorage()
  const args = columns.find((each) => each.target === target && each.propertyName === propertyName)
  if (args === undefined || args.mode === 'deleteDate') return isNullable
  return args.options.nullable ?? args.options.default === null
}
