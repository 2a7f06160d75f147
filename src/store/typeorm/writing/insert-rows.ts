import { InvariantError } from '../../../errors/invariant'
import type { CreatePlan } from '../../../plan/write-plan'
import type { StatementResult } from '../drivers/run-statement'
import type { DatabaseMapping, Key, PhysicalTable, ResourceTypeMapping } from '../mapping/database-mapping'
import { flattenWrittenValue } from '../mapping/embedded-columns'
import type { MutableResourceRow } from '../select/mutable-resource-row'
import type { SelectedColumns } from '../select/select-columns'
import { boundConstantSql, boundValueSql, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { generatedInsertAssignments } from './automatic-columns'
import { ensureNewIdsUnusedInOtherTables } from './ensure-ids-are-unused'
import { clearPreviousOneToOne, lockAndCheckRelatedRows } from './lock-related-rows'
import {
  assignmentsOfForeignKeys,
  ensureForeignKeysAgree,
  type OwnedForeignKeyChange,
  toOwnedForeignKeyChanges,
} from './owned-foreign-keys'
import { readKeyOfInsertedRow, supportsInsertReturning } from './read-generated-key'
import {
  assignmentsOfReferencesToOwnRow,
  ensureNoEarlyReferenceToOwnRow,
  requiredReferencesToOwnRow,
  updateReferencesToOwnRow,
} from './references-to-own-row'
import { isAutoIncremented, type PartialKey, resolveKeyBeforeInsert } from './resolve-key-before-insert'
import {
  type Assignments,
  assignmentsInTable,
  type ColumnValues,
  compileInsert,
  hasSameAssignedColumns,
  MAX_VALUES_PER_STATEMENT,
  type SqlWriteContext,
} from './write-statements'

/** A row to insert. */
interface NewRow {
  readonly plan: CreatePlan
  /** The values that listeners changed. */
  readonly changed: ColumnValues
}

interface InsertedRow {
  readonly key: Key
  /** `undefined` if no columns are read back. */
  readonly row: MutableResourceRow | undefined
}

/** Inserts a row and returns its key. Columns without a value get their defaults. */
export async function insertRowReturningKey(row: NewRow, context: SqlWriteContext): Promise<Key> {
  const [inserted] = await insertRows([row], context)
  if (inserted === undefined) throw new InvariantError(`The row of '${row.plan.type.name}' was not inserted.`)
  return inserted.key
}

/**
 * Inserts rows of one type, in their order. The statements of rows that assign the same columns are shared. `readBack`: columns of rows in one table, which
 * the insert returns. Returns fewer rows if the database does not say which of them it has inserted.
 */
export async function insertRows(
  rows: readonly NewRow[],
  context: SqlWriteContext,
  readBack?: SelectedColumns,
): Promise<readonly InsertedRow[]> {
  const { mapping } = context
  const drafts = rows.map((row) => toDraft(row, mapping))
  await lockAndCheckRelatedRows(
    rows.flatMap(({ plan }) => plan.relationshipChanges),
    context,
  )
  await ensureNewIdsUnusedInOtherTables(drafts, context)
  for (const { keys } of drafts) await clearPreviousOneToOne(keys, () => [], context)
  const inserted: InsertedRow[] = []
  for (const series of splitIntoSeries(
    drafts.map((draft) => withAssignments(draft, mapping)),
    mapping,
  )) {
    inserted.push(...(await insertSeries(series, context, readBack)))
  }
  await advanceSequence(drafts, context)
  return inserted
}

/** A row whose key and foreign keys are resolved. */
interface Draft extends NewRow {
  readonly partialKey: PartialKey
  /** `undefined` if the database generates a part of it. */
  readonly knownKey: Key | undefined
  readonly keys: readonly OwnedForeignKeyChange[]
}

interface AssignedRow extends Draft {
  readonly assignments: Assignments
}

function toDraft(row: NewRow, mapping: DatabaseMapping): Draft {
  const { plan, changed } = row
  const partialKey = resolveKeyBeforeInsert(plan, changed, mapping)
  const knownKey = isComplete(partialKey) ? partialKey : undefined
  const keys = toOwnedForeignKeyChanges(plan.relationshipChanges, mapping, knownKey)
  ensureForeignKeysAgree(keys)
  ensureNoEarlyReferenceToOwnRow(keys, mapping.tableOf(plan.type).tables)
  return { plan, changed, partialKey, knownKey, keys }
}

function withAssignments(draft: Draft, mapping: DatabaseMapping): AssignedRow {
  const { plan, changed, partialKey, knownKey, keys } = draft
  const assignments = assignmentsOfNewRow(plan, draft, mapping)
  for (const [column, bound] of changed) assignments.set(column, boundValueSql(bound))
  // A member after a spread costs a microsecond on Node.js 20.
  return { plan, changed, partialKey, knownKey, keys, assignments }
}

/** Splits rows into series of consecutive rows that one statement can insert: they assign the same columns, and their keys can be told apart. */
function splitIntoSeries(
  rows: readonly AssignedRow[],
  mapping: DatabaseMapping,
): readonly (readonly [AssignedRow, ...AssignedRow[]])[] {
  const all: [AssignedRow, ...AssignedRow[]][] = []
  for (const row of rows) {
    const series = all.at(-1)
    if (series !== undefined && series.length < maxRowsOf(series[0]) && canShareInsert(series[0], row, mapping)) {
      series.push(row)
    } else all.push([row])
  }
  return all
}

function maxRowsOf({ assignments }: AssignedRow): number {
  return Math.floor(MAX_VALUES_PER_STATEMENT / Math.max(1, assignments.size))
}

function canShareInsert(first: AssignedRow, row: AssignedRow, mapping: DatabaseMapping): boolean {
  if (first.assignments.size === 0 || !hasSameAssignedColumns(first.assignments, row.assignments)) return false
  if (first.knownKey !== undefined) return row.knownKey !== undefined
  return row.knownKey === undefined && generatesAscendingKeys(mapping.tableOf(first.plan.type), mapping)
}

/** Returns true if the keys that a statement returns tell which row belongs to which plan: generated numbers ascend from row to row. */
function generatesAscendingKeys({ key: [column, ...others] }: ResourceTypeMapping, mapping: DatabaseMapping): boolean {
  return others.length === 0 && column !== undefined && isAutoIncremented(column) && supportsInsertReturning(mapping)
}

/** Inserts rows into each of their tables, the topmost first, with one statement each. */
async function insertSeries(
  series: readonly [AssignedRow, ...AssignedRow[]],
  context: SqlWriteContext,
  readBack: SelectedColumns | undefined,
): Promise<readonly InsertedRow[]> {
  const { mapping, run } = context
  const [first] = series
  const { type } = first.plan
  const table = mapping.tableOf(type)
  const [topmost, ...lowerTables] = table.tables
  const result = await run(insertIntoTopmost(topmost, series, mapping, readBack))
  const inserted =
    readBack === undefined
      ? toInsertedKeys(series, result, table, mapping)
      : toInsertedRows(series, result, readBack, table)
  if (inserted.length < series.length) return []
  const keys = inserted.map(({ key }) => key)
  // SQLite generates an integer that is unused in this table, but other tables of the hierarchy may use it.
  if (first.knownKey === undefined && mapping.dialect.name === 'sqlite') {
    await ensureNewIdsUnusedInOtherTables(
      series.map((row, index) => ({ ...row, knownKey: keys[index] })),
      context,
    )
  }
  for (const part of lowerTables) {
    const own = (row: AssignedRow, index: number) => {
      const key = keys[index] ?? []
      const toItself = assignmentsOfReferencesToOwnRow(requiredReferencesToOwnRow(row.keys), key)
      return assignmentsInTable(new Map([...withKey(row.assignments, table, key), ...toItself]), part)
    }
    const [firstRow, ...others] = series.map(own)
    if (firstRow !== undefined) await run(compileInsert(part, [firstRow, ...others], mapping))
  }
  for (const [index, row] of series.entries()) await updateReferencesToOwnRow(row, keys[index] ?? [], context)
  return inserted
}

function insertIntoTopmost(
  part: PhysicalTable,
  [first, ...others]: readonly [AssignedRow, ...AssignedRow[]],
  mapping: DatabaseMapping,
  readBack: SelectedColumns | undefined,
): Sql {
  const own = ({ assignments }: AssignedRow) => assignmentsInTable(assignments, part)
  const insert = compileInsert(part, [own(first), ...others.map(own)], mapping)
  if (readBack !== undefined) return sqlTag`${insert} returning ${readBack.sql}`
  if (first.knownKey !== undefined || !supportsInsertReturning(mapping)) return insert
  const key = part.key.map((column, index) => rawSql(`${column} as key${index}`))
  return sqlTag`${insert} returning ${joinSql(key, ', ')}`
}

function toInsertedKeys(
  series: readonly [AssignedRow, ...AssignedRow[]],
  result: StatementResult,
  table: ResourceTypeMapping,
  mapping: DatabaseMapping,
): readonly InsertedRow[] {
  const known = series.flatMap(({ knownKey }) => (knownKey === undefined ? [] : [knownKey]))
  const generated =
    series.length === 1
      ? series.flatMap(({ knownKey, partialKey }) =>
          knownKey ? [] : [readKeyOfInsertedRow(result, partialKey, table, mapping)],
        )
      : ascending(result.records.map(([part]) => [part])).slice(0, series.length - known.length)
  return [...known, ...generated].map((key) => ({ key, row: undefined }))
}

/** Matches returned rows with the inserted ones, because databases may return them in any order. */
function toInsertedRows(
  series: readonly [AssignedRow, ...AssignedRow[]],
  { records }: StatementResult,
  { readRow }: SelectedColumns,
  { toId }: ResourceTypeMapping,
): readonly InsertedRow[] {
  const returned = records.flatMap((record) => readRow(record) ?? [])
  const byId = new Map(returned.map((row) => [row.id, row]))
  const rowOf = (key: Key) => byId.get(toId(key))
  const rows =
    series[0].knownKey === undefined
      ? ascending(returned.map(({ key }) => key)).flatMap((key) => rowOf(key) ?? [])
      : series.flatMap(({ knownKey }) => (knownKey && rowOf(knownKey)) ?? [])
  return rows.map((row) => ({ key: row.key, row }))
}

/** Sorts generated keys of one column. */
function ascending(keys: readonly Key[]): readonly Key[] {
  if (keys.length < 2) return keys
  return keys.toSorted(([left], [right]) => (BigInt(String(left)) < BigInt(String(right)) ? -1 : 1))
}

/** Returns the assignments of a new row. */
export function assignmentsOfNewRow(
  plan: CreatePlan,
  { partialKey, keys }: { readonly partialKey: PartialKey; readonly keys: readonly OwnedForeignKeyChange[] },
  mapping: DatabaseMapping,
): Map<string, Sql> {
  const { defaults, discriminator, key } = mapping.tableOf(plan.type)
  const assignments = new Map([...defaults, ...generatedInsertAssignments(mapping, plan.type)])
  if (discriminator !== undefined)
    assignments.set(discriminator.column, boundConstantSql(discriminator.valueOf(plan.type)))
  for (const [index, { column }] of key.entries()) {
    if (partialKey[index] !== undefined) assignments.set(column, boundValueSql(partialKey[index]))
  }
  for (const [attribute, value] of plan.values) {
    for (const [{ column, toDatabase }, part] of flattenWrittenValue(mapping.columnOf(attribute), value)) {
      assignments.set(column, boundValueSql(toDatabase(part)))
    }
  }
  for (const [column, expression] of assignmentsOfForeignKeys(keys)) assignments.set(column, expression)
  return assignments
}

function isComplete(partialKey: PartialKey): boolean {
  return partialKey.every((part) => part !== undefined)
}

function withKey(assignments: Assignments, { key: columns }: ResourceTypeMapping, key: Key): Assignments {
  return new Map([...assignments, ...columns.map(({ column }, index) => [column, boundValueSql(key[index])] as const)])
}

/** Advances the counter of a generated key past the keys that the client set. Otherwise a later insert would fail when the counter reaches one of them. */
async function advanceSequence(drafts: readonly Draft[], { mapping, run }: SqlWriteContext): Promise<void> {
  const [first] = drafts
  if (first === undefined) return
  const {
    tables: [{ table }],
    key,
  } = mapping.tableOf(first.plan.type)
  const index = key.findIndex(isAutoIncremented)
  const column = key[index]
  if (column === undefined) return
  const set = drafts.flatMap(({ partialKey }) => (partialKey[index] === undefined ? [] : [[partialKey[index]]]))
  const [greatest] = ascending(set).at(-1) ?? []
  if (greatest === undefined) return
  const counter = { table, column: column.metadata.databaseName }
  const statement = mapping.dialect.advanceSequence(counter, boundValueSql(greatest))
  if (statement !== undefined) await run(statement)
}
