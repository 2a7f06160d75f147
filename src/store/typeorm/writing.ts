import type { StoredType } from '../../graph/resource-graph'
import type { Mapping } from './mapping'
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

/** Rows of the table that can be rows of these types, and that are not deleted. */
export function present(mapping: Mapping, types: readonly StoredType[]): readonly Sql[] {
  const [type] = types
  if (type === undefined) return []
  const { discriminator, deletedAt } = mapping.tableOf(type)
  const kinds = discriminator && types.map((each) => value(discriminator.valueOf(each)))
  return [
    ...(discriminator && kinds ? [toSql`${identifier(discriminator.column)} in (${join(kinds, ', ')})`] : []),
    ...(deletedAt ? [toSql`${identifier(deletedAt.column)} is null`] : []),
  ]
}
