import type { StoredType } from '../../graph/resource-graph'
import type { Discriminator, Mapping, TablePart } from './mapping'
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
  const [type] = types
  if (type === undefined) return []
  const { discriminator } = mapping.tableOf(type)
  const kind = discriminator && part.columns.get(discriminator.column)
  const dates = new Set(types.flatMap((each) => mapping.tableOf(each).goneBy))
  const deleted = [...dates].flatMap((date) => part.columns.get(date) ?? [])
  const kindsOf = (of: Discriminator) => types.map((each) => value(of.valueOf(each)))
  return [
    ...(discriminator === undefined || kind === undefined
      ? []
      : [toSql`${identifier(kind)} in (${join(kindsOf(discriminator), ', ')})`]),
    ...deleted.map((date) => toSql`${identifier(date)} is null`),
  ]
}
