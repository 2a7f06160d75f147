import type { DataSource, EntityMetadata } from 'typeorm'
import type { Dialect } from '../dialects/dialect'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

type Columns = readonly ColumnMetadata[]

/** The columns of each index that entities declare, by the path of the table. Indexes with the same columns occur once. */
export type DeclaredIndexes = ReadonlyMap<string, readonly (readonly string[])[]>

/** Lists the indexes of all tables. Each class of a hierarchy can declare indexes of their common table. */
export function declaredIndexesByTable(dataSource: DataSource, dialect: Dialect): DeclaredIndexes {
  const byTable = new Map<string, Map<string, readonly string[]>>()
  for (const metadata of dataSource.entityMetadatas) {
    const known = byTable.get(metadata.tablePath) ?? new Map<string, readonly string[]>()
    const declared = [...indexesOf(metadata), ...(dialect.name === 'mysql' ? foreignKeysOf(metadata) : [])]
    for (const names of declared.map(namesOf)) known.set(names.join(), names)
    byTable.set(metadata.tablePath, known)
  }
  return new Map([...byTable].map(([tablePath, indexes]) => [tablePath, [...indexes.values()]]))
}

/** Returns true if an index starts with these columns, in any order. A partial index counts too. */
export function areColumnsIndexed(table: EntityMetadata, columns: Columns, indexes: DeclaredIndexes): boolean {
  const names = namesOf(columns)
  return indexPrefixes(table, names.length, indexes).some((prefix) => prefix.every((name) => names.includes(name)))
}

/** Returns true if an index starts with these columns, in this order. */
export function areColumnsIndexedInOrder(table: EntityMetadata, columns: Columns, indexes: DeclaredIndexes): boolean {
  const names = namesOf(columns)
  return indexPrefixes(table, names.length, indexes).some((prefix) => prefix.join() === names.join())
}

/** Returns the first columns of each index with at least this number of columns. */
function indexPrefixes(
  { tablePath }: EntityMetadata,
  count: number,
  indexes: DeclaredIndexes,
): readonly (readonly string[])[] {
  const ofTable = indexes.get(tablePath) ?? []
  return ofTable.filter(({ length }) => length >= count).map((names) => names.slice(0, count))
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
