import type { StoredType } from '../../../graph/model/resource-graph'
import type { KeyColumnsSql } from '../joins/key-conditions'
import type { DatabaseMapping, PhysicalTable, ResourceTypeMapping } from '../mapping/database-mapping'
import { usesJoinedTables } from '../metadata/inheritance-strategy'
import {
  type CompileKeyColumnsCondition,
  createColumnsInKeysCompiler,
  lockMatchingRows,
  type MatchingRowsCriteria,
  type QualifyColumns,
} from '../reading/lock-rows'
import { EMPTY_SQL, rawSql, type Sql, sqlTag } from '../sql/sql'
import { dateAndVersionUpdateAssignments, dateAndVersionUpdateAssignmentsOfEntity } from './automatic-columns'
import {
  type Assignments,
  assignmentsInTable,
  compileUpdate,
  liveRowOfTypesConditions,
  type SqlWriteContext,
} from './write-statements'

/** An update of several rows. */
interface RowChange {
  readonly set: Assignments
  /** Restricts the rows whose dates and versions change. Default: all rows. */
  readonly isChange?: (columns: QualifyColumns) => Sql
}

/** Returns the tables of these types, each once, with the columns of all types that share it. */
export function listDistinctTableMappings(
  types: readonly StoredType[],
  mapping: DatabaseMapping,
): readonly ResourceTypeMapping[] {
  const byTable = new Map<string | undefined, ResourceTypeMapping>()
  for (const type of types) {
    const table = mapping.tableOf(type)
    const name = table.tables.at(-1)?.table
    const known = byTable.get(name)
    byTable.set(name, known === undefined ? table : withColumnsOf(table, known))
  }
  return [...byTable.values()]
}

function withColumnsOf(table: ResourceTypeMapping, { tables: [other] }: ResourceTypeMapping): ResourceTypeMapping {
  const [topmost, ...lower] = table.tables
  return { ...table, tables: [{ ...topmost, columns: new Map([...other.columns, ...topmost.columns]) }, ...lower] }
}

/** Updates rows with their dates and versions, with one statement for each table. Returns the number of rows found. */
export async function updateMatchingRows(
  rows: MatchingRowsCriteria,
  change: RowChange,
  context: SqlWriteContext,
): Promise<number> {
  const { mapping, run } = context
  if (usesJoinedTables(mapping.tableOf(rows.type))) return updateJoinedRows(rows, change, context)
  let rowCount = 0
  for (const table of listDistinctTableMappings(rows.type.concreteTypes, mapping)) {
    const [part] = table.tables
    const columns = readColumnsOf(part)
    const types = rows.type.concreteTypes.filter((type) => table.types.includes(type))
    const dates = [...dateAndVersionUpdateAssignments(mapping, types)].map(([name, date]) => {
      return [name, change.isChange === undefined ? date : assignIf(change.isChange(columns), date, columns([name]))]
    }) as [string, Sql][]
    const set = assignmentsInTable(new Map([...dates, ...change.set]), part)
    const live = rows.deleted === 'included' ? [] : liveRowOfTypesConditions(part, rows.type.concreteTypes, mapping)
    rowCount += (await run(compileUpdate(part, set, [...rows.where(columns), ...live]))).affected
  }
  return rowCount
}

function assignIf(condition: Sql, expression: Sql, [column = EMPTY_SQL]: KeyColumnsSql): Sql {
  return sqlTag`case when ${condition} then ${expression} else ${column} end`
}

/** Finds and locks rows, then updates them by key, because one statement can't update several tables. */
async function updateJoinedRows(
  rows: MatchingRowsCriteria,
  { set, isChange }: RowChange,
  context: SqlWriteContext,
): Promise<number> {
  const { mapping } = context
  const table = mapping.tableOf(rows.type)
  const keys = await lockMatchingRows(rows, context)
  if (keys.length === 0) return 0
  const hasKey = createColumnsInKeysCompiler(keys, table, mapping)
  const where = (columns: QualifyColumns) => [
    ...rows.where(columns),
    ...(isChange === undefined ? [] : [isChange(columns)]),
  ]
  const changedKeys = isChange === undefined ? keys : await lockMatchingRows({ ...rows, where }, context)
  const tables = listDistinctTableMappings(rows.type.concreteTypes, mapping)
  if (changedKeys.length > 0)
    await touchTables(tables, createColumnsInKeysCompiler(changedKeys, table, mapping), context)
  await updateTables(tables, (part) => assignmentsInTable(set, part), hasKey, context)
  return keys.length
}

/** Updates dates and versions in all tables, because each class of a hierarchy can have its own. */
async function touchTables(
  tables: readonly ResourceTypeMapping[],
  hasKey: CompileKeyColumnsCondition,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  for (const part of physicalTablesOf(tables)) {
    const assignments = dateAndVersionUpdateAssignmentsOfEntity(mapping, part.metadata)
    if (assignments.size > 0) await run(compileUpdate(part, assignments, [hasKey(part.key.map(rawSql))]))
  }
}

/** Updates rows by key, with one statement for each table with an assigned column. Returns the number of rows found. */
export function updateRowsByKey(
  types: readonly StoredType[],
  assignmentsIn: AssignmentsIn,
  hasKey: CompileKeyColumnsCondition,
  context: SqlWriteContext,
): Promise<number> {
  return updateTables(listDistinctTableMappings(types, context.mapping), assignmentsIn, hasKey, context, types)
}

/** Returns the assignments to the columns of one table. */
type AssignmentsIn = (part: PhysicalTable) => Assignments

async function updateTables(
  tables: readonly ResourceTypeMapping[],
  assignmentsIn: AssignmentsIn,
  hasKey: CompileKeyColumnsCondition,
  { mapping, run }: SqlWriteContext,
  types: readonly StoredType[] = [],
): Promise<number> {
  const counts: number[] = []
  for (const part of physicalTablesOf(tables)) {
    const assignments = assignmentsIn(part)
    if (assignments.size === 0) continue
    const conditions = [hasKey(part.key.map(rawSql)), ...liveRowOfTypesConditions(part, types, mapping)]
    counts.push((await run(compileUpdate(part, assignments, conditions))).affected)
  }
  return affectedRowsFromTableCounts(tables, counts)
}

/** Returns the tables that store parts of these rows, each once, also if several classes share it. */
export function physicalTablesOf(tables: readonly ResourceTypeMapping[]): readonly PhysicalTable[] {
  return [...new Map(tables.flatMap((table) => table.tables).map((part) => [part.table, part])).values()]
}

/** Computes the number of rows from the row counts of the tables. With joined tables, a row has a part in several tables. */
function affectedRowsFromTableCounts([first]: readonly ResourceTypeMapping[], counts: readonly number[]): number {
  if (first !== undefined && usesJoinedTables(first)) return Math.max(0, ...counts)
  return counts.reduce((sum, count) => sum + count, 0)
}

function readColumnsOf({ columns }: PhysicalTable): QualifyColumns {
  return (names) => names.map((name) => rawSql(columns.get(name) ?? name))
}
