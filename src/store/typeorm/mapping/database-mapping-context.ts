import type { DataSource, EntityMetadata } from 'typeorm'
import type { ResourceGraph, StoredType } from '../../../graph/model/resource-graph'
import type { Dialect } from '../dialects/dialect'
import { canBeSetNull, columnsToSetNull } from '../metadata/foreign-key-columns'
import { tablesOfRow } from '../metadata/inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import { createColumnNamerUniqueInHierarchy, type GetColumnName } from './create-column-namer-unique-in-hierarchy'
import { type DeclaredIndexes, declaredIndexesByTable } from './declared-indexes'

/** The context of all mapping functions. */
export interface DatabaseMappingContext {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  readonly nameOf: GetColumnName
  /** Returns the types whose rows are stored in a table, entirely or in part. */
  readonly typesStoredIn: (table: EntityMetadata) => readonly StoredType[]
  /** Returns true if a foreign key can be null, and no required relationship has a column that would be cleared. */
  readonly canBeCleared: (relation: RelationMetadata) => boolean
  readonly declaredIndexes: DeclaredIndexes
}

export function createDatabaseMappingContext(
  dataSource: DataSource,
  dialect: Dialect,
  { types }: ResourceGraph,
): DatabaseMappingContext {
  const byTable = new Map<string, Set<StoredType>>()
  const requiredColumns = new Set<string>()
  for (const type of new Set([...types.values()].flatMap(({ concreteTypes }) => concreteTypes))) {
    for (const metadata of tablesOfRow(dataSource.getMetadata(type.resourceClass))) {
      const { tablePath } = metadata
      byTable.set(tablePath, (byTable.get(tablePath) ?? new Set()).add(type))
      for (const column of requiredKeyColumns(type, metadata)) requiredColumns.add(columnPath(tablePath, column))
    }
  }
  const typesByTable = new Map([...byTable].map(([tablePath, stored]) => [tablePath, [...stored]]))
  const typesStoredIn = ({ tablePath }: EntityMetadata) => typesByTable.get(tablePath) ?? []
  return {
    dataSource,
    dialect,
    nameOf: createColumnNamerUniqueInHierarchy(dataSource),
    typesStoredIn,
    canBeCleared: (relation) =>
      canBeSetNull(relation) &&
      columnsToSetNull(relation).every(
        (column) => !requiredColumns.has(columnPath(relation.entityMetadata.tablePath, column)),
      ),
    declaredIndexes: declaredIndexesByTable(dataSource, dialect),
  }
}

/** Returns the columns of the foreign keys that a type requires. */
function requiredKeyColumns({ relationships }: StoredType, { relations }: EntityMetadata): readonly ColumnMetadata[] {
  const required = relationships.filter((each) => each.kind === 'toOne' && !each.isNullable)
  return relations
    .filter(({ propertyPath }) => required.some(({ property }) => property === propertyPath))
    .flatMap(({ joinColumns }) => joinColumns)
}

function columnPath(tablePath: string, { databaseName }: ColumnMetadata): string {
  return JSON.stringify([tablePath, databaseName])
}
