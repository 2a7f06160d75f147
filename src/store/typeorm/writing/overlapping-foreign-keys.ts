import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { Param } from '../../../query/tree/param'
import { compileKeyEqualsValue } from '../joins/key-conditions'
import type { DatabaseMapping, ForeignKeyColumn, Key } from '../mapping/database-mapping'
import {
  createColumnsInKeysCompiler,
  lockMatchingRows,
  type MatchingRowsCriteria,
  type QualifyColumns,
} from '../reading/lock-rows'
import { boundValueSql, joinSql, type Sql, sqlTag } from '../sql/sql'
import { foreignKeyValues, type OwnedForeignKeyChange, overlappingForeignKeyChangeError } from './owned-foreign-keys'
import { type ColumnValues, columnNamesOf, type SqlWriteContext } from './write-statements'

/**
 * Ensures that a write does not change other foreign keys of the row that share a column with the written ones. Such a change would bypass the rules for
 * the other relationship, unless the client sends it too. The row is locked already.
 */
export async function ensureOverlappingForeignKeysUnchanged(
  keys: readonly OwnedForeignKeyChange[],
  row: { readonly type: StoredType; readonly key: Key },
  context: SqlWriteContext,
): Promise<void> {
  const overlapping = keys.filter(({ relation }) => overlapsOthers(relation.columns))
  if (overlapping.length === 0) return
  const where: MatchingRowsCriteria['where'] = (read) => [
    compileKeyEqualsValue(read(keyNamesOf(row.type, context.mapping)), new Param(row.key)),
  ]
  const written = keys.map(({ relation }) => columnNamesOf(relation.columns))
  for (const { relationship, relation, key } of overlapping) {
    const parts = foreignKeyValues(relation.columns, key === undefined ? row.key : key)
    await checkOtherKeys({ relationship, types: [row.type], parts, written, where }, context)
  }
}

interface KeyWrite {
  readonly relationship: Relationship
  readonly columns: readonly ForeignKeyColumn[]
  /** The new target of the columns. */
  readonly key: Key | null
}

/** Locks and checks rows whose foreign key is written together with another row. Returns a query for the locked rows. */
export async function lockAndCheckOverlappingForeignKeys(
  rows: MatchingRowsCriteria,
  { relationship, columns, key }: KeyWrite,
  context: SqlWriteContext,
): Promise<MatchingRowsCriteria> {
  if (!overlapsOthers(columns)) return rows
  const { mapping } = context
  const withKeys = (keys: readonly Key[]): MatchingRowsCriteria['where'] => {
    const isLocked = createColumnsInKeysCompiler(keys, mapping.tableOf(rows.type), mapping)
    return (read) => [isLocked(read(keyNamesOf(rows.type, mapping)))]
  }
  // Locks the rows before the check, because another transaction may be changing their foreign keys.
  const locked = await lockMatchingRows(rows, context)
  const checked = { ...rows, where: withKeys(locked) }
  // Soft-deleted rows may be cleared without a check, because clients can neither see nor change them.
  const clearsDeleted = key === null && rows.deleted === 'included'
  const keysToCheck = clearsDeleted ? await lockMatchingRows({ ...checked, deleted: 'excluded' }, context) : locked
  if (keysToCheck.length === 0) return checked
  const parts = foreignKeyValues(columns, key)
  const { concreteTypes: types } = rows.type
  const written = [columnNamesOf(columns)]
  await checkOtherKeys({ relationship, types, parts, written, where: withKeys(keysToCheck) }, context)
  return checked
}

function overlapsOthers(columns: readonly ForeignKeyColumn[]): boolean {
  return columns.some(({ isShared }) => isShared)
}

function keyNamesOf(type: MatchingRowsCriteria['type'], mapping: DatabaseMapping): readonly string[] {
  return columnNamesOf(mapping.tableOf(type).key)
}

interface OverlapCheck {
  readonly relationship: Relationship
  readonly types: readonly StoredType[]
  readonly parts: ColumnValues
  /** The columns of all keys that are written. */
  readonly written: readonly ForeignKeyNames[]
  readonly where: MatchingRowsCriteria['where']
}

type ForeignKeyNames = readonly string[]

async function checkOtherKeys(
  { relationship, types, parts, written, where }: OverlapCheck,
  context: SqlWriteContext,
): Promise<void> {
  const isTouched = (columns: ForeignKeyNames) =>
    columns.some((column) => parts.has(column)) && !written.some((key) => isSameKey(key, columns))
  for (const { stored, keys } of groupByKeys(types, isTouched, context.mapping)) {
    const changes = (read: QualifyColumns) => keys.map((columns) => wouldChange(columns, parts, read))
    const withChange: MatchingRowsCriteria['where'] = (read) => [
      ...where(read),
      sqlTag`(${joinSql(changes(read), ' or ')})`,
    ]
    const changedRows = await lockMatchingRows(
      { type: stored[0], stored, deleted: 'included', where: withChange },
      context,
    )
    if (changedRows.length > 0) throw overlappingForeignKeyChangeError(relationship)
  }
}

function isSameKey(left: ForeignKeyNames, right: ForeignKeyNames): boolean {
  return left.length === right.length && left.every((column) => right.includes(column))
}

interface TypesWithSameKeys {
  readonly stored: readonly [StoredType, ...StoredType[]]
  readonly keys: readonly ForeignKeyNames[]
}

/** Types with the same root table and the same foreign keys, which one statement checks. */
function groupByKeys(
  types: readonly StoredType[],
  isTouched: (columns: ForeignKeyNames) => boolean,
  mapping: DatabaseMapping,
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

/** Returns the foreign keys of a type, also those of relations without a relationship in the graph. */
function foreignKeysOf(type: StoredType, mapping: DatabaseMapping): readonly ForeignKeyNames[] {
  const chain: readonly unknown[] = selfAndSuperclasses(type.resourceClass)
  return mapping
    .tableOf(type)
    .tables.flatMap(({ metadata }) => metadata.ownRelations)
    .filter(({ isWithJoinColumn, target }) => isWithJoinColumn && chain.includes(target))
    .map(({ joinColumns }) => joinColumns.map((column) => mapping.nameOf(column)))
}

/** Restricts to rows whose foreign key is set and would get another value. */
function wouldChange(columns: ForeignKeyNames, parts: ColumnValues, read: QualifyColumns): Sql {
  const isSet = read(columns).map((column) => sqlTag`${column} is not null`)
  const shared = columns.filter((column) => parts.has(column))
  if (shared.some((column) => parts.get(column) === null)) return sqlTag`(${joinSql(isSet, ' and ')})`
  const isEqual = read(shared).map(
    (column, index) => sqlTag`${column} = ${boundValueSql(parts.get(shared[index] ?? ''))}`,
  )
  return sqlTag`(${joinSql(isSet, ' and ')} and not (${joinSql(isEqual, ' and ')}))`
}
