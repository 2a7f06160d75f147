import type { UpdatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { compileKeyEqualsValue, compileKeyNotEqualsValue } from '../joins/key-conditions'
import type { DatabaseMapping, Key, PhysicalTable } from '../mapping/database-mapping'
import { flattenWrittenValue } from '../mapping/embedded-columns'
import { isSameKeyPart } from '../mapping/keys'
import { type CompileKeyColumnsCondition, createColumnsInKeysCompiler } from '../reading/lock-rows'
import { EMPTY_SQL, joinSql, rawSql, sqlTag } from '../sql/sql'
import { dateAndVersionUpdateAssignments } from './automatic-columns'
import { clearPreviousOneToOne, lockAndCheckRelatedRows } from './lock-related-rows'
import { ensureOverlappingForeignKeysUnchanged } from './overlapping-foreign-keys'
import {
  assignmentsOfForeignKeys,
  ensureForeignKeysAgree,
  foreignKeyValuesAgreeWithPrimaryKey,
  idChangeByRuleError,
  idPartChangeError,
  type OwnedForeignKeyChange,
  toOwnedForeignKeyChanges,
} from './owned-foreign-keys'
import { updateRowsByKey } from './update-matching-rows'
import {
  type Assignments,
  assignmentsInTable,
  assignmentsOfColumnValues,
  type ColumnValues,
  columnNamesOf,
  hasSameAssignedColumns,
  MAX_VALUES_PER_STATEMENT,
  type SqlWriteContext,
} from './write-statements'

/** A row to update. */
interface RowToUpdate {
  readonly plan: UpdatePlan
  readonly key: Key
  /** The values that listeners changed. */
  readonly changed: ColumnValues
}

/**
 * Updates the columns of rows of one type: values, foreign keys, and the dates and version, which change with any relationship. The statements of rows that
 * assign the same columns are shared. Returns the number of rows found.
 */
export async function updatePlannedRows(rows: readonly RowToUpdate[], context: SqlWriteContext): Promise<number> {
  const { mapping } = context
  const drafts = rows.map((row) => ({ ...row, keys: foreignKeysOf(row, mapping) }))
  for (const { plan, key, keys } of drafts)
    await ensureOverlappingForeignKeysUnchanged(keys, { type: plan.type, key }, context)
  await lockAndCheckRelatedRows(
    rows.flatMap(({ plan }) => plan.relationshipChanges),
    context,
  )
  for (const { plan, key, keys } of drafts) {
    const names = columnNamesOf(mapping.tableOf(plan.type).key)
    await clearPreviousOneToOne(keys, (read) => [compileKeyNotEqualsValue(read(names), new Param(key))], context)
  }
  let found = 0
  for (const series of splitIntoSeries(drafts.map((draft) => withAssignments(draft, mapping)))) {
    found += await updateSeries(series, context)
  }
  return found
}

/** Returns the foreign keys that a row gets. Throws if they change its primary key or contradict each other. */
function foreignKeysOf({ plan, key }: RowToUpdate, mapping: DatabaseMapping): readonly OwnedForeignKeyChange[] {
  const keys = toOwnedForeignKeyChanges(plan.relationshipChanges, mapping, key)
  for (const { relationship, key: target, relation } of keys) {
    if (target != null && !foreignKeyValuesAgreeWithPrimaryKey(key, relation.columns, target))
      throw idPartChangeError(relationship)
  }
  ensureForeignKeysAgree(keys)
  return keys
}

interface AssignedRow extends RowToUpdate {
  /** The values of the row itself, without those that the database computes. */
  readonly assignments: Assignments
}

function withAssignments(
  row: RowToUpdate & { readonly keys: readonly OwnedForeignKeyChange[] },
  mapping: DatabaseMapping,
): AssignedRow {
  const { plan, key, keys, changed } = row
  const assignments = new Map([
    ...writtenValues(plan, key, mapping),
    ...assignmentsOfForeignKeys(keys),
    ...assignmentsOfColumnValues(changed),
  ])
  return { ...row, assignments }
}

/** Splits rows into series that assign the same columns. */
function splitIntoSeries(rows: readonly AssignedRow[]): readonly (readonly [AssignedRow, ...AssignedRow[]])[] {
  const all: [AssignedRow, ...AssignedRow[]][] = []
  for (const row of rows) {
    const series = all.at(-1)
    const isShared =
      series !== undefined &&
      series.length < maxRowsOf(row) &&
      isTouched(series[0]) === isTouched(row) &&
      hasSameAssignedColumns(series[0].assignments, row.assignments)
    if (isShared) series.push(row)
    else all.push([row])
  }
  return all
}

/** Limits the values of a statement. The database compares each row with half of the keys of its statement. */
function maxRowsOf({ assignments, key }: AssignedRow): number {
  return Math.floor(MAX_VALUES_PER_STATEMENT / Math.max(1, assignments.size * (1 + key.length)))
}

/** Returns true if the dates and the version of the row change. */
function isTouched({ plan: { values, relationshipChanges } }: RowToUpdate): boolean {
  return values.size + relationshipChanges.length > 0
}

async function updateSeries(
  series: readonly [AssignedRow, ...AssignedRow[]],
  context: SqlWriteContext,
): Promise<number> {
  const { mapping } = context
  const [first, ...others] = series
  const { type } = first.plan
  const touched = isTouched(first) ? dateAndVersionUpdateAssignments(mapping, [type]) : NO_ASSIGNMENTS
  if (touched.size + first.assignments.size === 0) return series.length
  const keys = series.map(({ key }) => key)
  const hasKey: CompileKeyColumnsCondition =
    others.length === 0
      ? (columns) => compileKeyEqualsValue(columns, new Param(first.key))
      : createColumnsInKeysCompiler(keys, mapping.tableOf(type), mapping)
  const assignmentsIn = (part: PhysicalTable) =>
    new Map([...assignmentsInTable(touched, part), ...assignmentsByKey(series, part)])
  return updateRowsByKey([type], assignmentsIn, hasKey, context)
}

const NO_ASSIGNMENTS: Assignments = new Map()

/** `"title" = ?`, or for several rows `"title" = case when "id" = ? then ? when "id" = ? then ? else "title" end` */
function assignmentsByKey(
  [first, ...others]: readonly [AssignedRow, ...AssignedRow[]],
  part: PhysicalTable,
): Assignments {
  const own = assignmentsInTable(first.assignments, part)
  if (others.length === 0) return own
  const keyColumns = part.key.map(rawSql)
  const rows = [first, ...others].map(({ key, assignments }) => ({
    hasKey: compileKeyEqualsValue(keyColumns, new Param(key)),
    values: assignmentsInTable(assignments, part),
  }))
  const caseOf = (column: string) => {
    const branches = rows.map(({ hasKey, values }) => sqlTag`when ${hasKey} then ${values.get(column) ?? EMPTY_SQL}`)
    // The last branch gives the values the type of the column.
    return sqlTag`case ${joinSql(branches, ' ')} else ${rawSql(column)} end`
  }
  return new Map([...own.keys()].map((column) => [column, caseOf(column)]))
}

/** Returns the assignments to the row's own columns. */
export function assignmentsOfUpdate(
  plan: UpdatePlan,
  { key, keys }: { readonly key: Key; readonly keys: readonly OwnedForeignKeyChange[] },
  mapping: DatabaseMapping,
): Assignments {
  const { type, values, relationshipChanges } = plan
  return new Map([
    ...(values.size + relationshipChanges.length === 0 ? [] : dateAndVersionUpdateAssignments(mapping, [type])),
    ...writtenValues(plan, key, mapping),
    ...assignmentsOfForeignKeys(keys),
  ])
}

/** Returns the assignments of attributes. A hook may repeat the primary key but not change it. */
function writtenValues({ type, values }: UpdatePlan, key: Key, mapping: DatabaseMapping): Assignments {
  const keyNames = columnNamesOf(mapping.tableOf(type).key)
  const written = [...values].flatMap(([attribute, value]) => {
    return flattenWrittenValue(mapping.columnOf(attribute), value).map(([{ column, toDatabase }, part]) => {
      return { column, keyIndex: keyNames.indexOf(column), bound: toDatabase(part) }
    })
  })
  const isKeyChanged = written.some(({ keyIndex, bound }) => keyIndex >= 0 && !isSameKeyPart(bound, key[keyIndex]))
  if (isKeyChanged) throw idChangeByRuleError()
  return assignmentsOfColumnValues(
    new Map(written.filter(({ keyIndex }) => keyIndex < 0).map(({ column, bound }) => [column, bound])),
  )
}
