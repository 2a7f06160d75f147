import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import type { ReadPlan } from '../../../plan/read-plan'
import type { CreatePlan } from '../../../plan/write-plan'
import type { ResourceRow } from '../../read-result'
import { findViolation } from '../drivers/find-violation'
import type { RunStatement } from '../drivers/run-statement'
import { rootScope } from '../joins/scope'
import type { Mapping, ResourceTypeMapping } from '../mapping/mapping'
import type { LoadedRow } from '../select/loaded-row'
import { selectPlanLayerColumns } from '../select/select-columns'
import { rawSql, sqlTag, toSqlStatement } from '../sql/sql'
import { hasTriggers, planReadsOnlyOwnRow, supportsInsertReturning } from './single-statement-support'
import { type RowWrite, toRowWrite } from './write-in-one-statement'
import { type Assignments, assignmentsInTable, compileInsert } from './write-statements'

interface BulkInsertContext {
  readonly mapping: Mapping
  readonly caches: Caches
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
}

/** Returns true if one statement can insert rows of the type of a plan and return what the plan reads. */
export function supportsBulkInsert(readPlan: ReadPlan, mapping: Mapping): boolean {
  const [type, ...others] = readPlan.layer.type.concreteTypes
  if (type === undefined || others.length > 0) return false
  return supportsInsertReturning(type, mapping) && planReadsOnlyOwnRow(readPlan, type)
}

/**
 * Inserts rows of one type and reads them back with the same statement, in the order of the plans. `undefined`: nothing was written, because the rows need
 * several statements each, differ in their columns, or violate a constraint. A database does not say which row violates it.
 */
export async function bulkInsert(
  plans: readonly [CreatePlan, ...CreatePlan[]],
  readPlan: ReadPlan,
  context: BulkInsertContext,
): Promise<readonly ResourceRow[] | undefined> {
  const { mapping, queryRunner } = context
  const table = mapping.tableOf(plans[0].type)
  const rows = plans.flatMap((plan) => toRowWrite(plan, mapping) ?? [])
  if (rows.length < plans.length || !canShareStatement(rows, table)) return undefined
  if (await hasTriggers(table.tables[0], queryRunner, context)) return undefined
  return runInSavepoint(context, async () => {
    const inserted: ResourceRow[] = []
    for (const part of splitByValueCount(rows)) inserted.push(...(await insertRows(part, readPlan, context)))
    return inserted.length < plans.length ? undefined : inserted
  })
}

/** Returns true if all rows assign the same columns, and the keys tell which returned row belongs to which plan. */
function canShareStatement(
  [first, ...others]: readonly RowWrite[],
  { key: [keyColumn] }: ResourceTypeMapping,
): boolean {
  if (first === undefined || first.assignments.size === 0) return false
  if (first.key === undefined && keyColumn?.metadata.generationStrategy !== 'increment') return false
  return others.every(({ key, assignments }) => {
    const isSameKey = (key === undefined) === (first.key === undefined)
    return isSameKey && assignments.size === first.assignments.size && hasColumns(assignments, first.assignments)
  })
}

function hasColumns(assignments: Assignments, others: Assignments): boolean {
  return [...others.keys()].every((column) => assignments.has(column))
}

/** Splits rows so that each statement has at most `MAX_VALUES` values. */
function* splitByValueCount(rows: readonly RowWrite[]): Iterable<readonly RowWrite[]> {
  const rowsPerStatement = Math.max(1, Math.floor(MAX_VALUES / (rows[0]?.assignments.size ?? 1)))
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement)
}

/** SQLite allows 32,766 values and PostgreSQL 65,535, but each number of rows is a statement of its own to prepare and keep. */
const MAX_VALUES = 1000

async function insertRows(
  rows: readonly RowWrite[],
  { layer, projection }: ReadPlan,
  { mapping, queryRunner, run }: BulkInsertContext,
): Promise<readonly ResourceRow[]> {
  const [first, ...others] = rows
  if (first === undefined) return []
  const [part] = mapping.tableOf(first.type).tables
  const columns = selectPlanLayerColumns(layer, projection, { ...rootScope(mapping, first.type), alias: part.table })
  const own = ({ assignments }: RowWrite) => assignmentsInTable(assignments, part)
  const sql = sqlTag`${compileInsert(part, [own(first), ...others.map(own)], mapping)} returning ${columns.sql}`
  const { records } = await run(queryRunner, toSqlStatement(sql, mapping.dialect))
  const returned = records.flatMap((record) => columns.readRow(record) ?? [])
  return inOrderOf(rows, returned, mapping.tableOf(first.type))
}

/** Sorts returned rows as they were inserted, because databases may return them in any order. Generated numbers ascend from row to row. */
function inOrderOf(
  rows: readonly RowWrite[],
  returned: readonly LoadedRow[],
  { toId }: ResourceTypeMapping,
): readonly LoadedRow[] {
  const byId = new Map(returned.map((row) => [row.id, row]))
  return rows[0]?.key === undefined
    ? returned.toSorted((left, right) => (BigInt(String(left.key[0])) < BigInt(String(right.key[0])) ? -1 : 1))
    : rows.flatMap(({ key }) => (key && byId.get(toId(key))) ?? [])
}

/** Undoes work that violates a constraint or returns `undefined`, and returns `undefined`. PostgreSQL accepts no other statement after a violation. */
async function runInSavepoint<Value>(
  { mapping: { dialect }, queryRunner, run }: BulkInsertContext,
  work: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const runText = (text: string) => run(queryRunner, toSqlStatement(rawSql(text), dialect))
  await runText('savepoint bulk_insert')
  const value = await work().catch((error: unknown) => {
    if (findViolation(error) === undefined) throw error
    return undefined
  })
  if (value === undefined) await runText('rollback to savepoint bulk_insert')
  await runText('release savepoint bulk_insert')
  return value
}
