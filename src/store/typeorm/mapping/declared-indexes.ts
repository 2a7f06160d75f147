import type { DataSource, EntityMetadata } from 'typeorm'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import type { Mapping } from './mapping'

type Columns = readonly ColumnMetadata[]

type IndexContext = Pick<Mapping, 'dataSource' | 'dialect'>

/** An index serves a look-up by its first columns, in whatever order. One for a part of the rows is taken to be there on purpose. */
export function isIndexed(table: EntityMetadata, columns: Columns, declaring: IndexContext): boolean {
  const names = namesOf(columns)
  return firstOfIndexes(table, names.length, declaring).some((first) => first.every((each) => names.includes(each)))
}

/** Returns true if an index starts with these columns, in this order. */
export function isIndexedInOrder(table: EntityMetadata, columns: Columns, declaring: IndexContext): boolean {
  const names = namesOf(columns)
  return firstOfIndexes(table, names.length, declaring).some((first) => first.join() === names.join())
}

/** The first columns of each index that has as many. */
function firstOfIndexes(
  { tablePath }: EntityMetadata,
  count: number,
  { dataSource, dialect }: IndexContext,
): readonly (readonly string[])[] {
  return declaredOn(tablePath, dataSource)
    .flatMap((metadata) => [...indexesOf(metadata), ...(dialect.name === 'mysql' ? keysOf(metadata) : [])])
    .filter(({ length }) => length >= count)
    .map((indexed) => namesOf(indexed.slice(0, count)))
}

/** Classes of a hierarchy declare indexes of their common table, each its own. */
function declaredOn(tablePath: string, { entityMetadatas }: DataSource): readonly EntityMetadata[] {
  return entityMetadatas.filter((metadata) => metadata.tablePath === tablePath)
}

function indexesOf({ primaryColumns, uniques, indices }: EntityMetadata): readonly Columns[] {
  const usable = indices.filter(({ isSpatial, isFulltext }) => !isSpatial && !isFulltext)
  return [primaryColumns, ...uniques.map(({ columns }) => columns), ...usable.map(({ columns }) => columns)]
}

/** InnoDB makes an index for each foreign key itself. */
function keysOf({ foreignKeys }: EntityMetadata): readonly Columns[] {
  return foreignKeys.map(({ columns }) => columns)
}

function namesOf(columns: Columns): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
