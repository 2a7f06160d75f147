import type { StoredType } from '../../../graph/model/resource-graph'
import type { StatementResult } from '../drivers/run-statement'
import type { Mapping, RowTable } from '../mapping/mapping'
import { identifier, join, type Sql, toSql, value } from '../sql/sql'

/** What every part of a write works with. */
export interface SqlWriteContext {
  readonly mapping: Mapping
  readonly run: (sql: Sql) => Promise<StatementResult>
}

/** What a statement sets, by quoted column: a column is set once, by what comes last. */
export type Assignments = ReadonlyMap<string, Sql>

export function setClause(assignments: Assignments): Sql {
  return join(
    [...assignments].map(([column, expression]) => toSql`${identifier(column)} = ${expression}`),
    ', ',
  )
}

/** Rows that can be rows of these types, and that are not deleted: as far as this table of theirs tells. */
export function ofTypesNotDeleted(part: RowTable, types: readonly StoredType[], mapping: Mapping): readonly Sql[] {
  const dates = new Set(types.flatMap((each) => mapping.tableOf(each).deleteDateColumns))
  const deleted = [...dates].flatMap((date) => part.columns.get(date) ?? [])
  return [...ofTypes(part, types, mapping), ...deleted.map((date) => toSql`${identifier(date)} is null`)]
}

/** The same, and those that only count as deleted. */
export function ofTypes(part: RowTable, types: readonly StoredType[], mapping: Mapping): readonly Sql[] {
  const [type] = types
  const discriminator = type && mapping.tableOf(type).discriminator
  const kind = discriminator && part.columns.get(discriminator.column)
  if (discriminator === undefined || kind === undefined) return []
  const kinds = types.map((each) => value(discriminator.valueOf(each)))
  return [toSql`${identifier(kind)} in (${join(kinds, ', ')})`]
}
