import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { Param } from '../../../query/tree/param'
import { keyEquals } from '../joins/key-conditions'
import type { ForeignKeyColumn, Key, Mapping } from '../mapping/mapping'
import { keyListCondition, lockMatchingRows, type QualifyColumns, type RowConditions } from '../reading/lock-rows'
import { bindValue, join, type Sql, sqlTag } from '../sql/sql'
import { foreignKeyValues, type OwnedForeignKey, sharedColumnConflictError } from './owned-foreign-keys'
import { type ColumnValues, columnNamesOf, type SqlWriteContext } from './write-statements'

/**
 * Foreign keys of a row can have a column in common: to write the one may lead the other elsewhere, and past the rules of what stands there.
 * A column that another key needs keeps what it has, unless that key is sent too. The row was locked when it was found.
 */
export async function ensureOtherForeignKeysStay(
  sent: readonly OwnedForeignKey[],
  row: { readonly type: StoredType; readonly key: Key },
  context: SqlWriteContext,
): Promise<void> {
  const overlapping = sent.filter(({ link }) => overlapsOthers(link.columns))
  if (overlapping.length === 0) return
  const where: RowConditions['where'] = (read) => [
    keyEquals(read(keyNamesOf(row.type, context.mapping)), new Param(row.key)),
  ]
  const written = sent.map(({ link }) => columnNamesOf(link.columns))
  for (const { relationship, link, key } of overlapping) {
    const parts = foreignKeyValues(link.columns, key === undefined ? row.key : key)
    await checkOtherKeys({ relationship, types: [row.type], parts, written, where }, context)
  }
}

interface KeyWrite {
  readonly relationship: Relationship
  readonly columns: readonly ForeignKeyColumn[]
  /** The new target of the columns. */
  readonly key: Key | null
}

/** Checks rows that are written together with another row, and returns a query of the rows that are locked. */
export async function lockRowsKeepingOtherForeignKeys(
  rows: RowConditions,
  { relationship, columns, key }: KeyWrite,
  context: SqlWriteContext,
): Promise<RowConditions> {
  if (!overlapsOthers(columns)) return rows
  const { mapping } = context
  const withKeys = (keys: readonly Key[]): RowConditions['where'] => {
    const isAmong = keyListCondition(keys, mapping.tableOf(rows.type), mapping)
    return (read) => [isAmong(read(keyNamesOf(rows.type, mapping)))]
  }
  // Before any is judged: what a row refers to may be about to change.
  const locked = await lockMatchingRows(rows, context)
  const checked = { ...rows, where: withKeys(locked) }
  // Soft-deleted rows may be cleared: clients can neither see nor change them.
  const isEmptying = key === null && rows.deleted === 'included'
  const judged = isEmptying ? await lockMatchingRows({ ...checked, deleted: 'excluded' }, context) : locked
  if (judged.length === 0) return checked
  const parts = foreignKeyValues(columns, key)
  const { concreteTypes: types } = rows.type
  const written = [columnNamesOf(columns)]
  await checkOtherKeys({ relationship, types, parts, written, where: withKeys(judged) }, context)
  return checked
}

function overlapsOthers(columns: readonly ForeignKeyColumn[]): boolean {
  return columns.some(({ isShared }) => isShared)
}

function keyNamesOf(type: RowConditions['type'], mapping: Mapping): readonly string[] {
  return columnNamesOf(mapping.tableOf(type).key)
}

interface OverlapCheck {
  readonly relationship: Relationship
  readonly types: readonly StoredType[]
  readonly parts: ColumnValues
  /** The columns of all keys that are written. */
  readonly written: readonly ForeignKeyNames[]
  readonly where: RowConditions['where']
}

type ForeignKeyNames = readonly string[]

async function checkOtherKeys(
  { relationship, types, parts, written, where }: OverlapCheck,
  context: SqlWriteContext,
): Promise<void> {
  const isTouched = (columns: ForeignKeyNames) =>
    columns.some((column) => parts.has(column)) && !written.some((each) => isSameKey(each, columns))
  for (const { stored, keys } of groupByKeys(types, isTouched, context.mapping)) {
    const changed = (read: QualifyColumns) => keys.map((columns) => wouldChange(columns, parts, read))
    const withChange: RowConditions['where'] = (read) => [...where(read), sqlTag`(${join(changed(read), ' or ')})`]
    const found = await lockMatchingRows({ type: stored[0], stored, deleted: 'included', where: withChange }, context)
    if (found.length > 0) throw sharedColumnConflictError(relationship)
  }
}

function isSameKey(one: ForeignKeyNames, other: ForeignKeyNames): boolean {
  return one.length === other.length && one.every((column) => other.includes(column))
}

interface TypesWithSameKeys {
  readonly stored: readonly [StoredType, ...StoredType[]]
  readonly keys: readonly ForeignKeyNames[]
}

/** Types with the same root table and the same foreign keys, which one statement checks. */
function groupByKeys(
  types: readonly StoredType[],
  isTouched: (columns: ForeignKeyNames) => boolean,
  mapping: Mapping,
): readonly TypesWithSameKeys[] {
  const groups = new Map<string, TypesWithSameKeys>()
  for (const type of types) {
    const keys = foreignKeysOf(type, mapping).filter(isTouched)
    if (keys.length === 0) continue
    const id = JSON.stringify([mapping.tableOf(type).tables[0].table, keys])
    groups.set(id, { keys, stored: [type, ...(groups.get(id)?.stored ?? [])] })
  }
  return [...groups.values()]
}

/** Includes relations that are not registered. */
function foreignKeysOf(type: StoredType, mapping: Mapping): readonly ForeignKeyNames[] {
  const chain: readonly unknown[] = selfAndSuperclasses(type.resourceClass)
  return mapping
    .tableOf(type)
    .tables.flatMap(({ metadata }) => metadata.ownRelations)
    .filter(({ isWithJoinColumn, target }) => isWithJoinColumn && chain.includes(target))
    .map(({ joinColumns }) => joinColumns.map((column) => mapping.nameOf(column)))
}

/** The key refers to something, and would not as it does. */
function wouldChange(columns: ForeignKeyNames, parts: ColumnValues, read: QualifyColumns): Sql {
  const isThere = read(columns).map((column) => sqlTag`${column} is not null`)
  const shared = columns.filter((column) => parts.has(column))
  if (shared.some((column) => parts.get(column) === null)) return sqlTag`(${join(isThere, ' and ')})`
  const keeps = read(shared).map((column, place) => sqlTag`${column} = ${bindValue(parts.get(shared[place] ?? ''))}`)
  return sqlTag`(${join(isThere, ' and ')} and not (${join(keeps, ' and ')}))`
}
