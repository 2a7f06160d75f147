import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { IndexMetadata } from 'typeorm/metadata/IndexMetadata'
import type { WantedIndex } from '../wanted-index'
import type { Lookup } from './lookups'
import type { Mapping } from './mapping'
import { quotePath } from './quote-path'

/** One index for all that looks for rows of a table by the same columns. */
export function findWantedIndexes(lookups: readonly Lookup[], mapping: Mapping): readonly WantedIndex[] {
  const byColumns = new Map<string, Lookup[]>()
  for (const lookup of lookups) {
    const place = [lookup.table.tablePath, ...namesOf(lookup.columns)].join()
    byColumns.set(place, [...(byColumns.get(place) ?? []), lookup])
  }
  return [...byColumns.values()].map((alike) => toWantedIndex(alike, mapping))
}

function toWantedIndex(alike: readonly Lookup[], mapping: Mapping): WantedIndex {
  const [first] = alike as [Lookup, ...Lookup[]]
  const { table, columns, at } = first
  return {
    table: table.tablePath,
    columns: namesOf(columns),
    at,
    serves: [...new Set(alike.map(({ serves }) => serves))],
    isDeclared: isDeclared(first, mapping),
    sql: toStatement(first, mapping),
  }
}

/** An index serves a look-up by its first columns, in whatever order. One for a part of the rows is taken to be there on purpose. */
function isDeclared({ table, columns }: Lookup, { dataSource, dialect }: Mapping): boolean {
  const names = namesOf(columns)
  return declaredOn(table.tablePath, dataSource)
    .flatMap((metadata) => [...indexesOf(metadata), ...(dialect.name === 'mysql' ? keysOf(metadata) : [])])
    .map(namesOf)
    .some(
      (indexed) =>
        indexed.length >= names.length && indexed.slice(0, names.length).every((each) => names.includes(each)),
    )
}

/** Classes of a hierarchy declare indexes of their common table, each its own. */
function declaredOn(tablePath: string, { entityMetadatas }: DataSource): readonly EntityMetadata[] {
  return entityMetadatas.filter((metadata) => metadata.tablePath === tablePath)
}

type Columns = readonly ColumnMetadata[]

function indexesOf({ primaryColumns, uniques, indices }: EntityMetadata): readonly Columns[] {
  const usable = indices.filter(({ isSpatial, isFulltext }) => !isSpatial && !isFulltext)
  return [primaryColumns, ...uniques.map(({ columns }) => columns), ...usable.map(({ columns }) => columns)]
}

/** InnoDB makes an index for each foreign key itself. */
function keysOf({ foreignKeys }: EntityMetadata): readonly Columns[] {
  return foreignKeys.map(({ columns }) => columns)
}

function toStatement({ table, columns }: Lookup, { dataSource, dialect }: Mapping): string {
  const index = new IndexMetadata({ entityMetadata: table, columns: [...columns] }).build(dataSource.namingStrategy)
  const list = namesOf(columns).map(dialect.quote).join(', ')
  return `create index ${dialect.quote(index.name)} on ${quotePath(table.tablePath, dialect)} (${list})`
}

function namesOf(columns: Columns): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
