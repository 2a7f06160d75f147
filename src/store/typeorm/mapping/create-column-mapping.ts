import type { ValueConstraints } from '../../../graph/model/value-type'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import {
  columnMayStoreSubMilliseconds,
  createDatabaseToRuntimeConverter,
  createDatabaseToSerializableConverter,
  createEntityToRuntimeConverter,
  createRuntimeToDatabaseConverter,
} from './convert-values'
import type { ColumnMapping } from './database-mapping'
import type { DatabaseMappingContext } from './database-mapping-context'

/** Maps a column: its name, conversions and comparison. */
export function createColumnMapping(
  metadata: ColumnMetadata,
  constraints: ValueConstraints,
  { dataSource, dialect, nameOf }: Pick<DatabaseMappingContext, 'dataSource' | 'dialect' | 'nameOf'>,
): ColumnMapping {
  const column = dialect.quote(nameOf(metadata))
  const fromDatabase = createDatabaseToRuntimeConverter(dataSource, metadata, constraints)
  return {
    column,
    metadata,
    query: queryOf(metadata, column),
    fromDatabase,
    fromEntity: createEntityToRuntimeConverter(metadata, constraints),
    toSerialized: createDatabaseToSerializableConverter(fromDatabase, metadata, dialect),
    toDatabase: createRuntimeToDatabaseConverter(dataSource, metadata, constraints, dialect),
    comparedAs: TEXTUAL.has(constraints.valueType) ? 'text' : 'number',
    isNormalizedInKeys: NORMALIZED.has(constraints.valueType) || constraints.isPadded === true,
    selectAs: dialect.name === 'sqlite' && constraints.valueType === 'bigint' ? 'text' : 'plain',
    hasSubMillisecondPrecision:
      constraints.valueType === 'datetime' && columnMayStoreSubMilliseconds(metadata, dialect),
    databaseType: dataSource.driver.normalizeType(metadata),
  }
}

/** Returns the expression of a virtual column. In a union, the select of each table evaluates it, and the column contains the result. */
function queryOf({ query, entityMetadata }: ColumnMetadata, column: string): ColumnMapping['query'] {
  if (query === undefined || inheritanceStrategyOf(entityMetadata) !== 'tablePerConcreteClass') return query
  return (alias) => `${alias}.${column}`
}

const NORMALIZED: ReadonlySet<ValueConstraints['valueType']> = new Set(['date', 'time', 'datetime'] as const)

/** Types that are compared as text, exactly. Databases compare other types by value. */
const TEXTUAL: ReadonlySet<ValueConstraints['valueType']> = new Set(['string', 'uuid', 'enum'] as const)
