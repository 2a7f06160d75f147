import type { EntityMetadata } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import type { ResourceClass, ResourceType, StoredType } from '../../../graph/model/resource-graph'
import { superclasses } from '../../../graph/model/superclasses'
import { quotePath } from '../dialects/dialect'
import { findObservedEvents } from '../metadata/entity-listeners'
import { hierarchyOf, inheritanceStrategyOf, tablesOfRow } from '../metadata/inheritance-strategy'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { findDefaults } from './find-defaults'
import { idOfKey } from './keys'
import { mapColumn } from './map-column'
import { mapDiscriminator } from './map-discriminator'
import type { JoinedColumn, RowTable, TableMapping } from './mapping'
import type { MappingContext } from './mapping-context'
import { type UnionTables, unionTables } from './union-tables'

/** Maps a type to its tables. */
export function mapTable(type: ResourceType, context: MappingContext): TableMapping {
  const { dataSource } = context
  const metadata = dataSource.getMetadata(type.resourceClass)
  const key = mapKey(type, metadata, context)
  const tables = tablesOfRow(metadata).map((part) => mapRowTable(part, context))
  const [topmost] = tables
  if (topmost === undefined) throw new InvariantError(`${metadata.name} has no table.`)
  const dates = findDeleteDateColumns(type, context)
  // In a single table, TypeORM gives such a column to all classes, not only to the one that declares it.
  const deleted = dates.find(({ target }) => superclasses(type.resourceClass).includes(target as ResourceClass))
  return {
    ...(inheritanceStrategyOf(metadata) === 'tablePerConcreteClass'
      ? unionTables(type, context)
      : singleTable(topmost.table)),
    types: typesOf(type, metadata, context),
    joinedColumns: inheritanceStrategyOf(metadata) === 'joined' ? findJoinedColumns(metadata, context) : new Map(),
    tables: tables as [RowTable, ...RowTable[]],
    metadata,
    key,
    toId: compileToId(key, type),
    discriminator: mapDiscriminator(type, context),
    defaults: findDefaults(tablesOfRow(metadata), context),
    listeners: findObservedEvents(metadata, dataSource),
    deletedAt: deleted && mapColumn(deleted, { valueType: 'datetime' }, context),
    deleteDateColumns: [...new Set(dates.map((date) => context.dialect.quote(context.nameOf(date))))],
  }
}

/** Finds the columns of the class, its base classes and its subclasses. */
function findDeleteDateColumns(
  { resourceClass, concreteTypes }: ResourceType,
  { dataSource }: MappingContext,
): ColumnMetadata[] {
  const classes = [resourceClass, ...concreteTypes.map((each) => each.resourceClass)]
  const metadatas = classes.flatMap((each) => tablesOfRow(dataSource.getMetadata(each)))
  return [...new Set(metadatas)].flatMap(({ deleteDateColumn }) => deleteDateColumn ?? [])
}

/** All of a table, whatever of it is read: what is asked of rows can be about any. */
function typesOf(
  type: ResourceType,
  metadata: EntityMetadata,
  { typesStoredIn }: MappingContext,
): readonly StoredType[] {
  if (inheritanceStrategyOf(metadata) === 'tablePerConcreteClass') return type.concreteTypes
  const [topmost = metadata] = tablesOfRow(metadata)
  return typesStoredIn(topmost)
}

function singleTable(table: string): UnionTables {
  const fromItem = () => table
  return { fromItem, concreteTables: [{ fromItem, columns: undefined }], columns: undefined }
}

function mapRowTable(metadata: EntityMetadata, { dialect, nameOf }: MappingContext): RowTable {
  const stored = metadata.columns.filter(({ isVirtualProperty }) => !isVirtualProperty)
  return {
    table: quotePath(metadata.tablePath, dialect),
    metadata,
    key: metadata.primaryColumns.map(({ databaseName }) => dialect.quote(databaseName)),
    columns: new Map(stored.map((column) => [dialect.quote(nameOf(column)), dialect.quote(column.databaseName)])),
  }
}

/** Finds the columns of the whole hierarchy: rows of a base type are read with the columns of subclasses. */
function findJoinedColumns(
  metadata: EntityMetadata,
  { dialect, nameOf }: MappingContext,
): ReadonlyMap<string, JoinedColumn> {
  const [, ...below] = hierarchyOf(metadata)
  return new Map(
    below.flatMap((each, place) => {
      const table = quotePath(each.tablePath, dialect)
      const key = each.primaryColumns.map(({ databaseName }) => dialect.quote(databaseName))
      return each.columns
        .filter(({ isPrimary }) => !isPrimary)
        .map((column) => {
          const extension = { table, key, column: dialect.quote(column.databaseName), suffix: `_${place + 1}` }
          return [dialect.quote(nameOf(column)), extension] as const
        })
    }),
  )
}

function mapKey(
  { id: { range } }: ResourceType,
  metadata: EntityMetadata,
  context: MappingContext,
): TableMapping['key'] {
  const { primaryColumns } = tablesOfRow(metadata)[0] ?? metadata
  if (primaryColumns.length === 0) throw new InvariantError(`${metadata.name} has no primary key.`)
  return primaryColumns.map((column, place) => mapColumn(column, range.parts?.[place] ?? range, context))
}

/** Most keys are shown as they come. */
function compileToId(key: TableMapping['key'], type: ResourceType): TableMapping['toId'] {
  const { range, isTransformed } = type.id
  if (range.codec === undefined && !isTransformed) return ([only]) => String(only)
  return (raw) => idOfKey(key, type, raw)
}
