import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import { Param } from '../../../query/tree/param'
import type { StatementResult } from '../drivers/run-statement'
import { compileKeyInList, type KeyColumnsSql } from '../joins/key-conditions'
import {
  addForUpdateInsideDerivedTable,
  compileTableAndJoins,
  liveRowOfTypeConditions,
  qualifiedColumn,
  qualifiedKeyColumns,
  rootSqlScope,
  storedTypeConditions,
  whereClause,
} from '../joins/scope'
import type { DatabaseMapping, Key, ResourceTypeMapping, TableRowSource } from '../mapping/database-mapping'
import { usesJoinedTables } from '../metadata/inheritance-strategy'
import { keySelectListWithReader } from '../select/select-columns'
import { EMPTY_SQL, type Sql, sqlTag } from '../sql/sql'

/** The context in which rows are found. */
interface FindContext {
  readonly mapping: DatabaseMapping
  readonly run: (sql: Sql) => Promise<Pick<StatementResult, 'records'>>
}

/** Returns columns for a condition, by their names in statements. */
export type QualifyColumns = (names: readonly string[]) => KeyColumnsSql

/** Compiles a condition on columns that contain keys of rows. */
export type CompileKeyColumnsCondition = (columns: KeyColumnsSql) => Sql

/** The conditions on the rows of a type and its subtypes that a statement locks or changes. */
export interface MatchingRowsCriteria {
  readonly type: ResourceType
  /** Restricts the rows to these types. */
  readonly stored?: readonly StoredType[]
  /** `included`: finds soft-deleted rows too. */
  readonly deleted: 'included' | 'excluded'
  readonly where: (columns: QualifyColumns) => readonly Sql[]
}

/**
 * Locks the rows that match and returns their keys. Every write locks the topmost table of a row first, so that no other transaction changes any part of
 * it.
 */
export async function lockMatchingRows(rows: MatchingRowsCriteria, context: FindContext): Promise<readonly Key[]> {
  const { mapping } = context
  const { tableRowSources, key } = mapping.tableOf(rows.type)
  const keys: Key[] = []
  for (const table of tableRowSources) {
    const locked = await findIn(table, rows, context, 'lock')
    // PostgreSQL reads the current version of a locked row, but may read older versions of rows that are joined to it.
    const needsRecheck =
      mapping.dialect.name === 'postgres' && usesJoinedTables(mapping.tableOf(rows.type)) && locked.length > 0
    const where: MatchingRowsCriteria['where'] = (columns) => [
      compileKeyInList(columns(key.map(({ column }) => column)), new Param(locked), key, mapping.dialect),
      ...rows.where(columns),
    ]
    keys.push(...(needsRecheck ? await findIn(table, { ...rows, where }, context, 'noLock') : locked))
  }
  return keys
}

async function findIn(
  table: TableRowSource,
  { type, stored, deleted, where }: MatchingRowsCriteria,
  { mapping, run }: FindContext,
  lock: 'lock' | 'noLock',
): Promise<readonly Key[]> {
  const scope = rootSqlScope(mapping, type)
  const live = deleted === 'included' ? [] : liveRowOfTypeConditions(scope)
  const queried = where((names) => names.map((name) => qualifiedColumn(scope, name)))
  const conditions = [...queried, ...live, ...storedTypeConditions(scope, stored)]
  const selected = keySelectListWithReader(qualifiedKeyColumns(scope), mapping.tableOf(type).key, {
    name: 'found',
    firstIndex: 0,
  })
  const [lockClause, { fromItem }] =
    lock === 'lock'
      ? [mapping.dialect.lock(scope.alias), addForUpdateInsideDerivedTable(table, mapping.dialect)]
      : [EMPTY_SQL, table]
  const { records } = await run(
    sqlTag`select ${selected.sql} from ${compileTableAndJoins(scope, fromItem)}${whereClause(conditions)}${lockClause}`,
  )
  return records.flatMap((rawRow) => [selected.readKey(rawRow) ?? []])
}

export function createColumnsInKeysCompiler(
  keys: readonly Key[],
  { key }: ResourceTypeMapping,
  { dialect }: DatabaseMapping,
): CompileKeyColumnsCondition {
  return (columns) => compileKeyInList(columns, new Param(keys), key, dialect)
}
