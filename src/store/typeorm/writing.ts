import type { StoredType } from '../../graph/resource-graph'
import type { Mapping, TablePart } from './mapping'
import type { StatementResult } from './run-statement'
import { identifier, join, type Sql, toSql, value } from './sql'

/** What every part of a write works with. */
export interface Writing {
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
export function presentIn(part: TablePart, types: readonly StoredType[], mapping: Mapping): readonly Sql[] {
  const dates = new Set(types.flatMap((each) => mapping.tableOf(each).goneBy))
  const deleted = [...dates].flatMap((date) => part.columns.get(date) ?? [])
  return [...storedIn(part, types, mapping), ...deleted.map((date) => toSql`${identifier(date)} is null`)]
}

/** The same, and those that only count as deleted. */
export function storedIn(part: TablePart, types: readonly StoredType[], mapping: Mapping): readonly Sql[] {
  const [type] = types
  const discriminator = type && mapping.tableOf(type).discriminator
  const kind = discriminator && part.columns.get(discriminator.column)
  if (discriminator === undefined || kind === undefined) return []
  const kinds = types.map((each) => value(discriminator.valueOf(each)))
  return [toSql`${identifier(kind)} in (${join(kinds, ', ')})`]
}
