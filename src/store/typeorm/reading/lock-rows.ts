import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import { Param } from '../../../query/tree/param'
import type { StatementResult } from '../drivers/run-statement'
import { type KeySql, keyInList } from '../joins/key-conditions'
import {
  compileFromItem,
  keyColumns,
  liveRowOfTypeConditions,
  qualifiedColumn,
  rootScope,
  storedTypeConditions,
  toLockableTable,
  whereClause,
} from '../joins/scope'
import type { ConcreteTable, Key, Mapping, TableMapping } from '../mapping/mapping'
import { usesJoinedTables } from '../metadata/inheritance-strategy'
import { keySelectListWithReader } from '../select/select-columns'
import { EMPTY_SQL, type Sql, sqlTag } from '../sql/sql'

/** The context of finding rows. */
interface FindContext {
  readonly mapping: Mapping
  readonly run: (sql: Sql) => Promise<Pick<StatementResult, 'records'>>
}

/** Returns columns for a condition, by their names in statements. */
export type QualifyColumns = (names: readonly string[]) => KeySql

/** A condition on columns that hold keys of rows. */
export type KeyCondition = (columns: KeySql) => Sql

/** The conditions on the rows of a type and its subtypes that a statement locks or changes. */
export interface RowConditions {
  readonly type: ResourceType
  /** Only rows of these. */
  readonly stored?: readonly StoredType[]
  /** Whether soft-deleted rows are found. */
  readonly deleted: 'included' | 'excluded'
  readonly where: (columns: QualifyColumns) => readonly Sql[]
}

/** Locks the rows that match and returns their keys. Every write locks the topmost table of a row first, so no other transaction changes any part of it. */
export async function lockMatchingRows(rows: RowConditions, context: FindContext): Promise<readonly Key[]> {
  const { mapping } = context
  const { concreteTables, key } = mapping.tableOf(rows.type)
  const found: Key[] = []
  for (const branch of concreteTables) {
    const locked = await findIn(branch, rows, context, 'lock')
    // PostgreSQL reads the current version of a locked row, but earlier versions of rows that are joined to it.
    const isSeenLate =
      mapping.dialect.name === 'postgres' && usesJoinedTables(mapping.tableOf(rows.type)) && locked.length > 0
    const where: RowConditions['where'] = (columns) => [
      keyInList(columns(key.map(({ column }) => column)), new Param(locked), key, mapping.dialect),
      ...rows.where(columns),
    ]
    found.push(...(isSeenLate ? await findIn(branch, { ...rows, where }, context, 'noLock') : locked))
  }
  return found
}

async function findIn(
  branch: ConcreteTable,
  { type, stored, deleted, where }: RowConditions,
  { mapping, run }: FindContext,
  lock: 'lock' | 'noLock',
): Promise<readonly Key[]> {
  const scope = rootScope(mapping, type)
  const there = deleted === 'included' ? [] : liveRowOfTypeConditions(scope)
  const named = where((names) => names.map((name) => qualifiedColumn(scope, name)))
  const conditions = [...named, ...there, ...storedTypeConditions(scope, stored)]
  const selected = keySelectListWithReader(keyColumns(scope), mapping.tableOf(type).key, { name: 'found', place: 0 })
  const [locked, { fromItem }] =
    lock === 'lock'
      ? [mapping.dialect.lock(scope.alias), toLockableTable(branch, mapping.dialect)]
      : [EMPTY_SQL, branch]
  const { records } = await run(
    sqlTag`select ${selected.sql} from ${compileFromItem(scope, fromItem)}${whereClause(conditions)}${locked}`,
  )
  return records.flatMap((rawRow) => [selected.readKey(rawRow) ?? []])
}

export function keyListCondition(keys: readonly Key[], { key }: TableMapping, { dialect }: Mapping): KeyCondition {
  return (columns) => keyInList(columns, new Param(keys), key, dialect)
}
