import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import { IndexMetadata } from 'typeorm/metadata/IndexMetadata'
import type { WantedIndex } from '../wanted-index'
import { isIndexed } from './declared-indexes'
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
    isDeclared: isIndexed(table, columns, mapping),
    sql: toStatement(first, mapping),
  }
}

function toStatement({ table, columns }: Lookup, { dataSource, dialect }: Mapping): string {
  const index = new IndexMetadata({ entityMetadata: table, columns: [...columns] }).build(dataSource.namingStrategy)
  const list = namesOf(columns).map(dialect.quote).join(', ')
  return `create index ${dialect.quote(index.name)} on ${quotePath(table.tablePath, dialect)} (${list})`
}

function namesOf(columns: readonly ColumnMetadata[]): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
