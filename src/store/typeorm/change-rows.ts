import type { ResourceType, StoredType } from '../../graph/resource-graph'
import { isAmongKeys, type KeySql } from './key-sql'
import type { Branch, Key, Mapping, TableMapping, TablePart } from './mapping'
import { fromClause, keyColumns, lockable, onlyCondition, presence, qualified, rootScope, whereClause } from './scope'
import { selectKey } from './select-columns'
import { identifier, join, NOTHING, type Sql, toSql } from './sql'
import { stampsOfEntity, stampsOfParts } from './stamps'
import { layoutOf } from './table-layout'
import { type Assignments, presentIn, setClause, type Writing } from './writing'

/** How a condition gets at columns, by the names that statements know. */
export type ReadColumns = (names: readonly string[]) => KeySql

/** A condition on columns that hold keys of rows. */
export type Among = (columns: KeySql) => Sql

/** Rows of all types below this one. */
export interface RowsWhere {
  readonly type: ResourceType
  /** Only rows of these. */
  readonly stored?: readonly StoredType[]
  /** Whether rows that only count as deleted are among them. */
  readonly deleted: 'too' | 'not'
  readonly where: (columns: ReadColumns) => readonly Sql[]
}

/** What becomes of rows. */
export interface RowChange {
  readonly set: Assignments
  /** Which of the rows count as changed; left out: all. */
  readonly isChange?: (columns: ReadColumns) => Sql
}

/** The tables that rows of these types lie in, each once, with the columns of all types that share it. */
export function tablesOf(types: readonly StoredType[], mapping: Mapping): readonly TableMapping[] {
  const byTable = new Map<string | undefined, TableMapping>()
  for (const type of types) {
    const table = mapping.tableOf(type)
    const name = table.parts.at(-1)?.table
    const other = byTable.get(name)
    byTable.set(name, other === undefined ? table : withColumnsOf(table, other))
  }
  return [...byTable.values()]
}

function withColumnsOf(table: TableMapping, { parts: [other] }: TableMapping): TableMapping {
  const [part, ...further] = table.parts
  return { ...table, parts: [{ ...part, columns: new Map([...other.columns, ...part.columns]) }, ...further] }
}

/** Also where no class below adds a column: its rows have a part in the topmost table all the same. */
export function isJoined({ metadata }: TableMapping): boolean {
  return layoutOf(metadata) === 'joined'
}

/** Changes rows with their dates and versions: one statement for each table. Gives the number of rows that were there. */
export async function changeRows(rows: RowsWhere, change: RowChange, writing: Writing): Promise<number> {
  const { mapping, run } = writing
  if (isJoined(mapping.tableOf(rows.type))) return changeJoined(rows, change, writing)
  let changed = 0
  for (const table of tablesOf(rows.type.concreteTypes, mapping)) {
    const [part] = table.parts
    const columns = columnsOfPart(part)
    // In one table TypeORM gives the dates and the version of any class to those above it.
    const { parts } = layoutOf(part.metadata) === 'single' ? mapping.tableOf(rows.type) : table
    const stamps = [...stampsOfParts(mapping, parts)].map(([name, stamp]) => {
      return [name, change.isChange === undefined ? stamp : stampIf(change.isChange(columns), stamp, columns([name]))]
    }) as [string, Sql][]
    const set = inPart(new Map([...stamps, ...change.set]), part)
    const there = rows.deleted === 'too' ? [] : presentIn(part, rows.type.concreteTypes, mapping)
    const where = whereClause([...rows.where(columns), ...there])
    changed += (await run(toSql`update ${identifier(part.table)} set ${setClause(set)}${where}`)).affected
  }
  return changed
}

function stampIf(isChanged: Sql, stamp: Sql, [column = NOTHING]: KeySql): Sql {
  return toSql`case when ${isChanged} then ${stamp} else ${column} end`
}

/** No statement changes several tables: the rows are found and locked, and then changed by their keys. */
async function changeJoined(rows: RowsWhere, { set, isChange }: RowChange, writing: Writing): Promise<number> {
  const { mapping } = writing
  const table = mapping.tableOf(rows.type)
  const keys = await findRows(rows, writing)
  if (keys.length === 0) return 0
  const among = amongKeys(keys, table, mapping)
  const where = (columns: ReadColumns) => [
    ...rows.where(columns),
    ...(isChange === undefined ? [] : [isChange(columns)]),
  ]
  const changed = isChange === undefined ? keys : await findRows({ ...rows, where }, writing)
  const tables = tablesOf(rows.type.concreteTypes, mapping)
  if (changed.length > 0) await stampParts(tables, amongKeys(changed, table, mapping), writing)
  await setInParts(tables, set, among, writing)
  return keys.length
}

/** Each class of the hierarchy may keep dates and a version of its own. */
async function stampParts(tables: readonly TableMapping[], among: Among, { mapping, run }: Writing): Promise<void> {
  const parts = new Map(tables.flatMap((each) => each.parts).map((part) => [part.table, part]))
  for (const { table, metadata, key } of parts.values()) {
    const stamps = stampsOfEntity(mapping, metadata)
    const rows = among(key.map(identifier))
    if (stamps.size > 0) await run(toSql`update ${identifier(table)} set ${setClause(stamps)} where ${rows}`)
  }
}

export function amongKeys(keys: readonly Key[], { key }: TableMapping, { dialect }: Mapping): Among {
  return (columns) => isAmongKeys(columns, keys, key, dialect)
}

/** The keys of rows, which nobody else changes from now on: whoever changes any part of a row locks the topmost one before. */
export async function findRows(rows: RowsWhere, writing: Writing): Promise<readonly Key[]> {
  const { mapping } = writing
  const { branches, key } = mapping.tableOf(rows.type)
  const found: Key[] = []
  for (const branch of branches) {
    const locked = await findIn(branch, rows, writing, 'lock')
    // PostgreSQL sees a row as it is once it is locked, and rows that are joined to it as they were before.
    const isSeenLate = mapping.dialect.name === 'postgres' && isJoined(mapping.tableOf(rows.type)) && locked.length > 0
    const where: RowsWhere['where'] = (columns) => [
      isAmongKeys(columns(key.map(({ column }) => column)), locked, key, mapping.dialect),
      ...rows.where(columns),
    ]
    found.push(...(isSeenLate ? await findIn(branch, { ...rows, where }, writing, 'noLock') : locked))
  }
  return found
}

async function findIn(
  branch: Branch,
  { type, stored, deleted, where }: RowsWhere,
  { mapping, run }: Writing,
  lock: 'lock' | 'noLock',
): Promise<readonly Key[]> {
  const scope = rootScope(mapping, type)
  const there = deleted === 'too' ? [] : presence(scope)
  const named = where((names) => names.map((name) => qualified(scope, name)))
  const conditions = [...named, ...there, ...onlyCondition(scope, stored)]
  const selected = selectKey(keyColumns(scope), mapping.tableOf(type).key, { name: 'found', place: 0 })
  const [locked, { source }] =
    lock === 'lock' ? [mapping.dialect.lock(scope.alias), lockable(branch, mapping.dialect)] : [NOTHING, branch]
  const { records } = await run(
    toSql`select ${selected.sql} from ${fromClause(scope, source)}${whereClause(conditions)}${locked}`,
  )
  return records.flatMap((cells) => [selected.readKey(cells) ?? []])
}

/** The same for rows whose keys are known: one statement for each table that has something to set. */
export async function setByKey(
  types: readonly StoredType[],
  set: Assignments,
  among: Among,
  writing: Writing,
): Promise<number> {
  const tables = tablesOf(types, writing.mapping)
  const [first] = tables
  if (first !== undefined && isJoined(first)) return setInParts(tables, set, among, writing, types)
  let changed = 0
  for (const { parts } of tables) changed += await setInPart(parts[0], set, among, writing, types)
  return changed
}

/** Parts that classes share are changed once. Each row that is there has all of its parts. */
async function setInParts(
  tables: readonly TableMapping[],
  set: Assignments,
  among: Among,
  writing: Writing,
  types?: readonly StoredType[],
): Promise<number> {
  const parts = new Map(tables.flatMap((each) => each.parts).map((part) => [part.table, part]))
  let changed = 0
  for (const part of parts.values()) changed = Math.max(changed, await setInPart(part, set, among, writing, types))
  return changed
}

async function setInPart(
  part: TablePart,
  set: Assignments,
  among: Among,
  { mapping, run }: Writing,
  types: readonly StoredType[] = [],
): Promise<number> {
  const own = inPart(set, part)
  if (own.size === 0) return 0
  const rows = join([among(part.key.map(identifier)), ...presentIn(part, types, mapping)], ' and ')
  return (await run(toSql`update ${identifier(part.table)} set ${setClause(own)} where ${rows}`)).affected
}

/** What of it lies in this table, by the names there. */
export function inPart(assignments: Assignments, { columns }: TablePart): Assignments {
  return new Map(
    [...assignments].flatMap(([name, expression]) => {
      const column = columns.get(name)
      return column === undefined ? [] : [[column, expression] as const]
    }),
  )
}

function columnsOfPart({ columns }: TablePart): ReadColumns {
  return (names) => names.map((name) => identifier(columns.get(name) ?? name))
}
