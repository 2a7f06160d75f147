import type { DataSource, EntityMetadata } from 'typeorm'
import type { ResourceGraph, StoredType } from '../../../graph/model/resource-graph'
import type { Dialect } from '../dialects/dialect'
import { canBeSetNull } from '../metadata/foreign-key-columns'
import { tablesOfRow } from '../metadata/inheritance-strategy'
import type { RelationMetadata } from '../metadata/typeorm-metadata'
import { createUniqueColumnNamer, type GetColumnName } from './create-unique-column-namer'
import { type DeclaredIndexes, declaredIndexesByTable } from './declared-indexes'

/** The context of all mapping functions. */
export interface DatabaseMappingContext {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  readonly nameOf: GetColumnName
  /** Returns the types whose rows are stored in a table, entirely or in part. */
  readonly typesStoredIn: (table: EntityMetadata) => readonly StoredType[]
  /** Returns true if a foreign key can be null and no type requires it. */
  readonly canBeCleared: (relation: RelationMetadata) => boolean
  readonly declaredIndexes: DeclaredIndexes
}

export function createDatabaseMappingContext(
  dataSource: DataSource,
  dialect: Dialect,
  { types }: ResourceGraph,
): DatabaseMappingContext {
  const byTable = new Map<string, Set<StoredType>>()
  for (const type of new Set([...types.values()].flatMap(({ concreteTypes }) => concreteTypes))) {
    for (const { tablePath } of tablesOfRow(dataSource.getMetadata(type.resourceClass))) {
      byTable.set(tablePath, (byTable.get(tablePath) ?? new Set()).add(type))
    }
  }
  const typesByTable = new Map([...byTable].map(([tablePath, stored]) => [tablePath, [...stored]]))
  const typesStoredIn = ({ tablePath }: EntityMetadata) => typesByTable.get(tablePath) ?? []
  return {
    dataSource,
    dialect,
    nameOf: createUniqueColumnNamer(dataSource),
    typesStoredIn,
    canBeCleared: (relation) =>
      canBeSetNull(relation) &&
      typesStoredIn(relation.entityMetadata)
        .flatMap(({ relationships }) => relationships)
        .every((each) => each.kind === 'toMany' || each.isNullable || each.property !== relation.propertyPath),
    declaredIndexes: declaredIndexesByTable(dataSource, dialect),
  }
}
