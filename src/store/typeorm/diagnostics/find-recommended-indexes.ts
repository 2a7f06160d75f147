import type { RecommendedIndex } from '../../recommended-index'
import { quotePath } from '../dialects/dialect'
import { isIndexed } from '../mapping/declared-indexes'
import type { Mapping } from '../mapping/mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import type { ColumnLookup } from './find-column-lookups'

/** Merges lookups of one table by the same columns into one index. */
export function findRecommendedIndexes(
  lookups: readonly ColumnLookup[],
  mapping: Mapping,
): readonly RecommendedIndex[] {
  const byColumns = new Map<string, ColumnLookup[]>()
  for (const lookup of lookups) {
    const key = [lookup.table.tablePath, ...namesOf(lookup.columns)].join()
    byColumns.set(key, [...(byColumns.get(key) ?? []), lookup])
  }
  return [...byColumns.values()].map((lookups) => toRecommendedIndex(lookups, mapping))
}

function toRecommendedIndex(lookups: readonly ColumnLookup[], mapping: Mapping): RecommendedIndex {
  const [first] = lookups as [ColumnLookup, ...ColumnLookup[]]
  const { table, columns, at } = first
  return {
    table: table.tablePath,
    columns: namesOf(columns),
    declareAt: at,
    usedBy: [...new Set(lookups.map(({ serves }) => serves))],
    isDeclared: isIndexed(table, columns, mapping),
    sql: toStatement(first, mapping),
  }
}

function toStatement({ table, columns }: ColumnLookup, { dataSource, dialect }: Mapping): string {
  const names = namesOf(columns)
  const index = dataSource.namingStrategy.indexName(table.tableName, [...names])
  const list = names.map(dialect.quote).join(', ')
  return `create index ${dialect.quote(index)} on ${quotePath(table.tablePath, dialect)} (${list})`
}

function namesOf(columns: readonly ColumnMetadata[]): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
