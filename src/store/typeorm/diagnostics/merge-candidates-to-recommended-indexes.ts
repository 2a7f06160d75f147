import type { RecommendedIndex } from '../../recommended-index'
import { quoteTablePath } from '../dialects/dialect'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { areColumnsIndexed, type DeclaredIndexes, declaredIndexesByTable } from '../mapping/declared-indexes'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import type { IndexCandidate } from './find-columns-used-in-lookups'

/** Merges candidates of one table with the same columns into one index. */
export function mergeCandidatesToRecommendedIndexes(
  candidates: readonly IndexCandidate[],
  mapping: DatabaseMapping,
): readonly RecommendedIndex[] {
  const byColumns = new Map<string, IndexCandidate[]>()
  for (const candidate of candidates) {
    const key = [candidate.table.tablePath, ...namesOf(candidate.columns)].join()
    byColumns.set(key, [...(byColumns.get(key) ?? []), candidate])
  }
  const declared = declaredIndexesByTable(mapping.dataSource, mapping.dialect)
  return [...byColumns.values()].map((candidates) => toRecommendedIndex(candidates, declared, mapping))
}

function toRecommendedIndex(
  candidates: readonly IndexCandidate[],
  declared: DeclaredIndexes,
  mapping: DatabaseMapping,
): RecommendedIndex {
  const [first] = candidates as [IndexCandidate, ...IndexCandidate[]]
  const { table, columns, declareAt } = first
  return {
    table: table.tablePath,
    columns: namesOf(columns),
    declareAt,
    usedBy: [...new Set(candidates.flatMap(({ usedBy }) => usedBy))],
    isDeclared: areColumnsIndexed(table, columns, declared),
    sql: toStatement(first, mapping),
  }
}

function toStatement({ table, columns }: IndexCandidate, { dataSource, dialect }: DatabaseMapping): string {
  const names = namesOf(columns)
  const index = dataSource.namingStrategy.indexName(table.tableName, [...names])
  const list = names.map(dialect.quote).join(', ')
  return `create index ${dialect.quote(index)} on ${quoteTablePath(table.tablePath, dialect)} (${list})`
}

function namesOf(columns: readonly ColumnMetadata[]): readonly string[] {
  return columns.map(({ databaseName }) => databaseName)
}
