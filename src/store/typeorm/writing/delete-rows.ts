import type { EntityMetadata } from 'typeorm'
import { assertNever } from '../../../errors/invariant'
import { createJsonApiError } from '../../../errors/json-api-error'
import type { StoredType } from '../../../graph/model/resource-graph'
import { asRowValue } from '../joins/key-conditions'
import type { InboundForeignKey, PhysicalTable } from '../mapping/mapping'
import { hierarchyOf } from '../metadata/inheritance-strategy'
import { type KeyCondition, keyListCondition } from '../reading/lock-rows'
import { keySelectListWithReader } from '../select/select-columns'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import {
  currentTime,
  dateAndVersionUpdateAssignments,
  dateAndVersionUpdateAssignmentsOfEntity,
} from './automatic-columns'
import { physicalTablesOf, rowCountFromTableCounts, tablesOfTypes, updateRowsByKey } from './update-matching-rows'
import {
  compileDelete,
  compileSelectForUpdate,
  compileUpdate,
  liveRowOfTypesConditions,
  type SqlWriteContext,
  typeConditions,
} from './write-statements'

/**
 * Deletes rows by key, after clearing or deleting what refers to them. Soft-deleted types are only marked, unless a cascade deletes them. Returns the
 * number of rows found.
 */
export async function deleteRows(
  types: readonly StoredType[],
  hasKey: KeyCondition,
  context: SqlWriteContext,
  along?: readonly RowsBeingDeleted[],
): Promise<number> {
  const [type] = types
  if (type === undefined) return 0
  const { mapping } = context
  const { deletedAt } = mapping.tableOf(type)
  if (deletedAt !== undefined && along === undefined) {
    const set = new Map([
      ...types.flatMap((each) => [...dateAndVersionUpdateAssignments(mapping, each)]),
      [deletedAt.column, currentTime(mapping, deletedAt.metadata)] as const,
    ])
    return updateRowsByKey(types, set, hasKey, context)
  }
  const beingDeleted = [...(along ?? []), { hierarchy: hierarchyName(mapping.tableOf(type).metadata), hasKey }]
  await detachReferences(types, hasKey, { ...context, beingDeleted })
  const tables = tablesOfTypes(types, mapping)
  const counts: number[] = []
  // Cascades include soft-deleted rows, as a cascade of the database does.
  const conditionsOf = along === undefined ? liveRowOfTypesConditions : typeConditions
  for (const part of lowestFirst(physicalTablesOf(tables))) {
    const conditions = [hasKey(part.key.map(rawSql)), ...conditionsOf(part, types, mapping)]
    counts.push((await context.run(compileDelete(part, conditions))).affected)
  }
  return rowCountFromTableCounts(tables, counts)
}

/** Rows that are already being deleted: rows that refer to each other in a circle are deleted once. */
interface RowsBeingDeleted {
  readonly hierarchy: string
  readonly hasKey: KeyCondition
}

interface DeleteContext extends SqlWriteContext {
  readonly beingDeleted: readonly RowsBeingDeleted[]
}

function hierarchyName(metadata: EntityMetadata): string {
  const [root = metadata] = hierarchyOf(metadata)
  return root.tablePath
}

/** Parts of a row refer to that of the class above. */
function lowestFirst(parts: readonly PhysicalTable[]): readonly PhysicalTable[] {
  return parts.toSorted((one, other) => hierarchyIndex(other) - hierarchyIndex(one))
}

function hierarchyIndex({ metadata }: PhysicalTable): number {
  return hierarchyOf(metadata).indexOf(metadata)
}

/**
 * Optional keys that refer to the rows are emptied, and the rows are taken out of all tables of pairs. Where no foreign key of the database
 * can refer to them, what it would do is done here.
 */
async function detachReferences(
  types: readonly StoredType[],
  hasKey: KeyCondition,
  context: DeleteContext,
): Promise<void> {
  const { mapping, run } = context
  const keys = types.flatMap((type) => mapping.inboundForeignKeys(type))
  for (const each of distinct(keys, ({ table, columns }) => [table.table, ...columns])) {
    await detachReference(each, types, hasKey, context)
  }
  const pairs = types.flatMap((type) => mapping.junctionTablesOf(type))
  for (const { table, ends } of distinct(pairs, (each) => [each.table, ...each.ends.flat()])) {
    const rows = ends.map((columns) => hasKey(columns.map(rawSql)))
    await run(compileDelete({ table }, [join(rows, ' or ')]))
  }
}

function distinct<Place>(places: readonly Place[], keyOf: (place: Place) => readonly string[]): readonly Place[] {
  return [...new Map(places.map((place) => [keyOf(place).join(), place])).values()]
}

async function detachReference(
  reference: InboundForeignKey,
  types: readonly StoredType[],
  hasKey: KeyCondition,
  context: DeleteContext,
): Promise<void> {
  const { table, columns, onDelete } = reference
  const isReferring = hasKey(columns.map(rawSql))
  switch (onDelete) {
    case 'setNull':
      return setKeyNull(reference, isReferring, context)
    case 'cascade':
      return deleteReferring(reference, isReferring, context)
    case 'restrict': {
      const isGoingToo = tablesOfTypes(types, context.mapping).some(({ tables }) => tables[0].table === table.table)
      const own = table.key.map(rawSql)
      const stays = isGoingToo ? [isReferring, sqlTag`not ${hasKey(own)}`] : [isReferring]
      // Locks, so that MySQL reads the current rows and not those at the start of the transaction.
      const { records } = await context.run(
        compileSelectForUpdate(join(own, ', '), table, stays, context.mapping, sqlTag` limit 1`),
      )
      if (records.length > 0) {
        throw createJsonApiError('constraint.reference', 'Other resources refer to it.')
      }
      return
    }
    default:
      return assertNever(onDelete)
  }
}

async function setKeyNull(
  { table, touchedTables, nullableColumns }: InboundForeignKey,
  isReferring: Sql,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  const set = new Map(nullableColumns.map((column) => [column, sqlTag`null`]))
  const keys = sqlTag`select ${join(table.key.map(rawSql), ', ')} from ${rawSql(table.table)} where ${isReferring}`
  for (const beside of touchedTables) {
    const rows = sqlTag`${asRowValue(beside.key.map(rawSql))} in (${keys})`
    const stamps = dateAndVersionUpdateAssignmentsOfEntity(mapping, beside.metadata)
    await run(compileUpdate(beside, stamps, [rows]))
  }
  const all = new Map([...dateAndVersionUpdateAssignmentsOfEntity(mapping, table.metadata), ...set])
  await run(compileUpdate(table, all, [isReferring]))
}

async function deleteReferring(
  { table: part, types }: InboundForeignKey,
  isReferring: Sql,
  context: DeleteContext,
): Promise<void> {
  const { mapping, run, beingDeleted } = context
  const [type] = types
  if (type === undefined) {
    await run(compileDelete(part, [isReferring]))
    return
  }
  const table = mapping.tableOf(type)
  const selected = keySelectListWithReader(part.key.map(rawSql), table.key, { name: 'found', place: 0 })
  const own = beingDeleted.filter(({ hierarchy }) => hierarchy === hierarchyName(part.metadata))
  const stays = own.map(({ hasKey }) => sqlTag`not ${hasKey(part.key.map(rawSql))}`)
  const { records } = await run(compileSelectForUpdate(selected.sql, part, [isReferring, ...stays], mapping))
  const keys = records.flatMap((rawRow) => [selected.readKey(rawRow) ?? []])
  if (keys.length > 0) await deleteRows(types, keyListCondition(keys, table, mapping), context, beingDeleted)
}
