import type { StoredType } from '../../../graph/model/resource-graph'
import type { KeySql } from '../joins/key-conditions'
import type { Mapping, PhysicalTable, TableMapping } from '../mapping/mapping'
import { inheritanceStrategyOf, usesJoinedTables } from '../metadata/inheritance-strategy'
import {
  type KeyCondition,
  keyListCondition,
  lockMatchingRows,
  type QualifyColumns,
  type RowConditions,
} from '../reading/lock-rows'
import { EMPTY_SQL, rawSql, type Sql, sqlTag } from '../sql/sql'
import { dateAndVersionUpdateAssignmentsOfEntity, dateAndVersionUpdateAssignmentsOfTables } from './automatic-columns'
import {
  type Assignments,
  assignmentsInTable,
  compileUpdate,
  liveRowOfTypesConditions,
  type SqlWriteContext,
} from './write-statements'

/** A change of rows. */
interface RowChange {
  readonly set: Assignments
  /** The rows that count as changed. Default: all. */
  readonly isChange?: (columns: QualifyColumns) => Sql
}

/** The tables that rows of these types lie in, each once, with the columns of all types that share it. */
export function tablesOfTypes(types: readonly StoredType[], mapping: Mapping): readonly TableMapping[] {
  const byTable = new Map<string | undefined, TableMapping>()
  for (const type of types) {
    const table = mapping.tableOf(type)
    const name = table.tables.at(-1)?.table
    const other = byTable.get(name)
    byTable.set(name, other === undefined ? table : withColumnsOf(table, other))
  }
  return [...byTable.values()]
}

function withColumnsOf(table: TableMapping, { tables: [other] }: TableMapping): TableMapping {
  const [part, ...others] = table.tables
  return { ...table, tables: [{ ...part, columns: new Map([...other.columns, ...part.columns]) }, ...others] }
}

/** Changes rows with their dates and versions: one statement for each table. Gives the number of rows that were there. */
export async function updateMatchingRows(
  rows: RowConditions,
  change: RowChange,
  context: SqlWriteContext,
): Promise<number> {
  const { mapping, run } = context
  if (usesJoinedTables(mapping.tableOf(rows.type))) return changeJoinedRows(rows, change, context)
  let changed = 0
  for (const table of tablesOfTypes(rows.type.concreteTypes, mapping)) {
    const [part] = table.tables
    const columns = readColumnsOf(part)
    // In a single table, TypeORM gives dates and version of any class to its base classes.
    const { tables } = inheritanceStrategyOf(part.metadata) === 'single' ? mapping.tableOf(rows.type) : table
    const stamps = [...dateAndVersionUpdateAssignmentsOfTables(mapping, tables)].map(([name, stamp]) => {
      return [name, change.isChange === undefined ? stamp : assignIf(change.isChange(columns), stamp, columns([name]))]
    }) as [string, Sql][]
    const set = assignmentsInTable(new Map([...stamps, ...change.set]), part)
    const there = rows.deleted === 'included' ? [] : liveRowOfTypesConditions(part, rows.type.concreteTypes, mapping)
    changed += (await run(compileUpdate(part, set, [...rows.where(columns), ...there]))).affected
  }
  return changed
}

function assignIf(isChanged: Sql, stamp: Sql, [column = EMPTY_SQL]: KeySql): Sql {
  return sqlTag`case when ${isChanged} then ${stamp} else ${column} end`
}

/** No statement changes several tables: the rows are found and locked, and then changed by their keys. */
async function changeJoinedRows(
  rows: RowConditions,
  { set, isChange }: RowChange,
  context: SqlWriteContext,
): Promise<number> {
  const { mapping } = context
  const table = mapping.tableOf(rows.type)
  const keys = await lockMatchingRows(rows, context)
  if (keys.length === 0) return 0
  const hasKey = keyListCondition(keys, table, mapping)
  const where = (columns: QualifyColumns) => [
    ...rows.where(columns),
    ...(isChange === undefined ? [] : [isChange(columns)]),
  ]
  const changed = isChange === undefined ? keys : await lockMatchingRows({ ...rows, where }, context)
  const tables = tablesOfTypes(rows.type.concreteTypes, mapping)
  if (changed.length > 0) await touchTables(tables, keyListCondition(changed, table, mapping), context)
  await updateTables(tables, set, hasKey, context)
  return keys.length
}

/** Each class of the hierarchy may keep dates and a version of its own. */
async function touchTables(
  tables: readonly TableMapping[],
  hasKey: KeyCondition,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  for (const part of physicalTablesOf(tables)) {
    const stamps = dateAndVersionUpdateAssignmentsOfEntity(mapping, part.metadata)
    if (stamps.size > 0) await run(compileUpdate(part, stamps, [hasKey(part.key.map(rawSql))]))
  }
}

/** Changes rows by key: one statement for each table with an assigned column. Returns the number of rows found. */
export function updateRowsByKey(
  types: readonly StoredType[],
  set: Assignments,
  hasKey: KeyCondition,
  context: SqlWriteContext,
): Promise<number> {
  return updateTables(tablesOfTypes(types, context.mapping), set, hasKey, context, types)
}

async function updateTables(
  tables: readonly TableMapping[],
  set: Assignments,
  hasKey: KeyCondition,
  { mapping, run }: SqlWriteContext,
  types: readonly StoredType[] = [],
): Promise<number> {
  const counts: number[] = []
  for (const part of physicalTablesOf(tables)) {
    const own = assignmentsInTable(set, part)
    if (own.size === 0) continue
    const conditions = [hasKey(part.key.map(rawSql)), ...liveRowOfTypesConditions(part, types, mapping)]
    counts.push((await run(compileUpdate(part, own, conditions))).affected)
  }
  return rowCountFromTableCounts(tables, counts)
}

/** The tables that hold parts of such rows, each once, also if classes share it. */
export function physicalTablesOf(tables: readonly TableMapping[]): readonly PhysicalTable[] {
  return [...new Map(tables.flatMap((each) => each.tables).map((part) => [part.table, part])).values()]
}

/** Returns the number of rows by the counts of each table. A row has a part in each of its joined tables. */
export function rowCountFromTableCounts([first]: readonly TableMapping[], counts: readonly number[]): number {
  if (first !== undefined && usesJoinedTables(first)) return Math.max(0, ...counts)
  return counts.reduce((sum, count) => sum + count, 0)
}

function readColumnsOf({ columns }: PhysicalTable): QualifyColumns {
  return (names) => names.map((name) => rawSql(columns.get(name) ?? name))
}
