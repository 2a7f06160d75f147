import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { ValueRange } from '../../graph/value-type'
import { compileFromDatabase, compileFromEntity, compileToDatabase, compileToWritten, isFiner } from './convert-values'
import type { ColumnMapping } from './mapping'
import type { Surroundings } from './surroundings'
import { layoutOf } from './table-layout'

/** How a column is named, read, written and compared. */
export function mapColumn(
  metadata: ColumnMetadata,
  range: ValueRange,
  { dataSource, dialect, nameOf }: Pick<Surroundings, 'dataSource' | 'dialect' | 'nameOf'>,
): ColumnMapping {
  const column = dialect.quote(nameOf(metadata))
  const fromDatabase = compileFromDatabase(dataSource, metadata, range)
  return {
    column,
    metadata,
    query: queryOf(metadata, column),
    fromDatabase,
    fromEntity: compileFromEntity(metadata, range),
    toWritten: compileToWritten(fromDatabase, metadata, dialect),
    toDatabase: compileToDatabase(dataSource, metadata, range, dialect),
    comparedAs: TEXTUAL.has(range.valueType) ? 'text' : 'number',
    selectAs: dialect.name === 'sqlite' && range.valueType === 'bigint' ? 'text' : 'plain',
    isFiner: range.valueType === 'datetime' && isFiner(metadata, dialect),
    databaseType: dataSource.driver.normalizeType(metadata),
  }
}

/** Where tables are united, each has worked out its own expression already. */
function queryOf({ query, entityMetadata }: ColumnMetadata, column: string): ColumnMapping['query'] {
  if (query === undefined || layoutOf(entityMetadata) !== 'perConcreteType') return query
  return (alias) => `${alias}.${column}`
}

/** Compared character by character; all else as the database compares values of the column's type. */
const TEXTUAL: ReadonlySet<ValueRange['valueType']> = new Set(['string', 'uuid', 'enum'] as const)
