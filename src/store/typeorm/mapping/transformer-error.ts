import type { ColumnMetadata } from '../metadata/typeorm-metadata'

/** A transformer of the application has failed on a value that was to be written, or compared with. */
export class TransformerError extends Error {
  override readonly name = 'TransformerError'
  readonly column: string

  constructor({ entityMetadata, propertyPath, databaseName }: ColumnMetadata, cause: unknown) {
    super(`The transformer of ${entityMetadata.name}.${propertyPath} has failed on a value.`, { cause })
    this.column = databaseName
  }
}
