import type { DataSource, EntityMetadata } from 'typeorm'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import type { Mapping } from './mapping'

type Columns = readonly ColumnMetadata[]

type IndexContext = Pick<Mapping, 'dataSource' | 'dialect'>

/** Returns true if an index starts with these columns, in any order. A partial index counts too. */
export function isIndexed(table: EntityMetadata, columns: Columns, context: IndexContext): boolean {
  const names = namesOf(columns)
  return indexPrefixes(table, names.length, context).some((prefix) => prefix.every((name) => names.includes(name)))
}

/** Returns true if an index starts with these columns, in this order. */
export function isIndexedInOrder(table: EntityMetadata, columns: Columns, context: IndexContext): boolean {
  const names = namesOf(columns)
  return indexPrefixes(table, names.length, context).some((prefix) => prefix.join() === names.join())
}

/** Returns the first columns of each index with at least this number of columns. */
function indexPrefixes(
  { tablePath }: EntityMetadata,
  count: number,
  { dataSource, dialect }: IndexContext,
): readonly (readonly string[])[] {
  return entitiesOfTable(tablePath, dataSource)
    .flatMap((metadata) => [...indexesOf(metadata), ...(dialect.name === 'mysql' ? foreignKeysOf(metadata) : [])])
    .filter(({ length }) => length >= count)
    .map((columns) => namesOf(columns.slice(0, count)))
}

/** Returns the classes of a table, because each class of a hierarchy can declare indexes of their common table. */
function entitiesOfTable(tablePath: string, { entityMetadatas }: DataSource): readonly EntityMetadata[] {
  return entityMetadatas.filter((metadata) => metadata.tablePath === tablePath)
}

function indexesOf({ primaryColumns, uniques, indices }: EntityMetadata): readonly Columns[] {
  const usable = indices.filter(({ isSpatial, isFulltext }) => !isSpatial && !isFulltext)
  return [primaryColumns, ...uniques.map(({ columns }) => columns), ...usable.map(({ columns }) => columns)]
}

/** Returns the columns of foreign keys, for which InnoDB creates indexes. */
function foreignKeysOf({ foreignKeys }: EntityMetadata): readonly Columns[] {
  return foreignKeys.map(({ columns }) => columns)
}

function namesOf(columns: Columns): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
