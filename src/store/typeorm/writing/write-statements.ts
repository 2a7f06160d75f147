import type { StoredType } from '../../../graph/model/resource-graph'
import type { CertifyGaleraRows } from '../cluster/certify-rows'
import type { StatementResult } from '../drivers/run-statement'
import { whereClause } from '../joins/scope'
import type { DatabaseMapping, PhysicalTable } from '../mapping/database-mapping'
import { boundConstantSql, boundValueSql, EMPTY_SQL, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'

/** The context of all writes. */
export interface SqlWriteContext {
  readonly mapping: DatabaseMapping
  readonly run: (sql: Sql) => Promise<StatementResult>
  readonly certify: CertifyGaleraRows | undefined
}

/** The expressions that a statement assigns, by quoted column. */
export type Assignments = ReadonlyMap<string, Sql>

/** Driver parameters by quoted column. */
export type ColumnValues = ReadonlyMap<string, unknown>

export function columnNamesOf(columns: readonly { readonly column: string }[]): readonly string[] {
  return columns.map(({ column }) => column)
}

export function assignmentsOfColumnValues(values: ColumnValues): Assignments {
  const assignments = new Map<string, Sql>()
  for (const [column, bound] of values) assignments.set(column, boundValueSql(bound))
  return assignments
}

/** Returns the assignments to columns of this table, with the column names of this table. */
export function assignmentsInTable(assignments: Assignments, { columns }: PhysicalTable): Assignments {
  const own = new Map<string, Sql>()
  for (const [name, expression] of assignments) {
    const column = columns.get(name)
    if (column !== undefined) own.set(column, expression)
  }
  return own
}

/**
 * The maximum number of values in a statement for several rows. SQLite allows 32,766 and PostgreSQL 65,535, but each number of rows is a statement of its
 * own to prepare and keep.
 */
export const MAX_VALUES_PER_STATEMENT = 1000

/** Returns true if both assign the same columns. */
export function hasSameAssignedColumns(assignments: Assignments, others: Assignments): boolean {
  if (assignments.size !== others.size) return false
  for (const column of assignments.keys()) if (!others.has(column)) return false
  return true
}

/** `insert into "articles" ("title") values (?), (?)`. All rows assign the columns of the first one. */
export function compileInsert(
  part: PhysicalTable,
  [first, ...others]: readonly [Assignments, ...Assignments[]],
  { dialect }: DatabaseMapping,
): Sql {
  const into = insertInto(part, first)
  if (first.size === 0) return dialect.name === 'mysql' ? sqlTag`${into} () values ()` : sqlTag`${into} default values`
  const columns = [...first.keys()]
  const rows = [first, ...others].map((row) => {
    return sqlTag`(${joinSql(
      columns.flatMap((column) => row.get(column) ?? []),
      ', ',
    )})`
  })
  return sqlTag`${into} values ${joinSql(rows, ', ')}`
}

/** `insert into "articles" ("title") select ? where …` */
export function compileConditionalInsert(
  part: PhysicalTable,
  assignments: Assignments,
  conditions: readonly Sql[],
): Sql {
  const values = joinSql([...assignments.values()], ', ')
  return sqlTag`${insertInto(part, assignments)} select ${values}${whereClause(conditions)}`
}

/** `insert into "articles" ("title")` */
function insertInto({ table }: PhysicalTable, assignments: Assignments): Sql {
  const into = sqlTag`insert into ${rawSql(table)}`
  if (assignments.size === 0) return into
  return sqlTag`${into} (${joinSql([...assignments.keys()].map(rawSql), ', ')})`
}

/** `update "articles" set "title" = ? where "id" = ?` */
export function compileUpdate(
  { table }: Pick<PhysicalTable, 'table'>,
  assignments: Assignments,
  conditions: readonly Sql[],
): Sql {
  const set = joinSql(
    [...assignments].map(([column, expression]) => sqlTag`${rawSql(column)} = ${expression}`),
    ', ',
  )
  return sqlTag`update ${rawSql(table)} set ${set}${whereClause(conditions)}`
}

/** `delete from "articles" where "id" = ?` */
export function compileDelete({ table }: Pick<PhysicalTable, 'table'>, conditions: readonly Sql[]): Sql {
  return sqlTag`delete from ${rawSql(table)}${whereClause(conditions)}`
}

/** `select "id" from "articles" each_row where "id" = ? for update`. MySQL locks the gap too, in which no other transaction can insert a row. */
export function compileSelectForUpdate(
  selected: Sql,
  { table }: Pick<PhysicalTable, 'table'>,
  conditions: readonly Sql[],
  { dialect }: DatabaseMapping,
  limit: Sql = EMPTY_SQL,
): Sql {
  const from = sqlTag`from ${rawSql(`${table} ${ALIAS}`)}${whereClause(conditions)}${limit}`
  return sqlTag`select ${selected} ${from}${dialect.lock(ALIAS)}`
}

const ALIAS = 'each_row'

/** Restricts to rows of these types that are not deleted, by the columns of this table. */
export function liveRowOfTypesConditions(
  part: PhysicalTable,
  types: readonly StoredType[],
  mapping: DatabaseMapping,
): readonly Sql[] {
  const dates = new Set(types.flatMap((type) => mapping.tableOf(type).deleteDateColumns))
  const deleted = [...dates].flatMap((date) => part.columns.get(date) ?? [])
  return [...discriminatorConditions(part, types, mapping), ...deleted.map((date) => sqlTag`${rawSql(date)} is null`)]
}

/** Restricts to rows of these types, soft-deleted ones included. */
export function discriminatorConditions(
  part: PhysicalTable,
  types: readonly StoredType[],
  mapping: DatabaseMapping,
): readonly Sql[] {
  const [type] = types
  const discriminator = type && mapping.tableOf(type).discriminator
  const column = discriminator && part.columns.get(discriminator.column)
  if (discriminator === undefined || column === undefined) return []
  const values = types.map((stored) => boundConstantSql(discriminator.valueOf(stored)))
  return [sqlTag`${rawSql(column)} in (${joinSql(values, ', ')})`]
}
