import type { EntityMetadata } from 'typeorm'
import { assertNever } from '../../../errors/invariant'
import { createJsonApiError } from '../../../errors/json-api-error'
import type { StoredType } from '../../../graph/model/resource-graph'
import { toSqlTuple } from '../joins/key-conditions'
import type { InboundForeignKey, PhysicalTable } from '../mapping/database-mapping'
import { multiTableHierarchyOrSelf } from '../metadata/inheritance-strategy'
import { type CompileKeyColumnsCondition, createColumnsInKeysCompiler } from '../reading/lock-rows'
import { keySelectListWithReader } from '../select/select-columns'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import {
  currentTimeAsColumnValue,
  dateAndVersionUpdateAssignments,
  dateAndVersionUpdateAssignmentsOfEntity,
} from './automatic-columns'
import { listDistinctTableMappings, physicalTablesOf, updateRowsByKey } from './update-matching-rows'
import {
  assignmentsInTable,
  compileDelete,
  compileSelectForUpdate,
  compileUpdate,
  discriminatorConditions,
  liveRowOfTypesConditions,
  type SqlWriteContext,
} from './write-statements'

/**
 * Deletes rows by key, after clearing or deleting the rows that refer to them. Rows of soft-deleted types are only marked, unless a cascade deletes them.
 * The caller has found and locked the rows. A cascade of the database may delete them before the statement of their own table.
 */
export async function deleteOrSoftDeleteRows(
  types: readonly StoredType[],
  hasKey: CompileKeyColumnsCondition,
  context: SqlWriteContext,
  cascade?: readonly RowsBeingDeleted[],
): Promise<void> {
  const [type] = types
  if (type === undefined) return
  const { mapping } = context
  const { deletedAt } = mapping.tableOf(type)
  if (deletedAt !== undefined && cascade === undefined) {
    const set = new Map([
      ...dateAndVersionUpdateAssignments(mapping, types),
      [deletedAt.column, currentTimeAsColumnValue(mapping, deletedAt.metadata)] as const,
    ])
    await updateRowsByKey(types, (part) => assignmentsInTable(set, part), hasKey, context)
    return
  }
  const beingDeleted = [...(cascade ?? []), { hierarchy: hierarchyName(mapping.tableOf(type).metadata), hasKey }]
  await detachReferences(types, hasKey, { ...context, beingDeleted })
  const tables = listDistinctTableMappings(types, mapping)
  // Cascades include soft-deleted rows, as a cascade of the database does.
  const conditionsOf = cascade === undefined ? liveRowOfTypesConditions : discriminatorConditions
  for (const part of lowestFirst(physicalTablesOf(tables))) {
    const conditions = [hasKey(part.key.map(rawSql)), ...conditionsOf(part, types, mapping)]
    await context.run(compileDelete(part, conditions))
  }
}

/** Rows that are already being deleted. Rows that refer to each other in a cycle are deleted once. */
interface RowsBeingDeleted {
  readonly hierarchy: string
  readonly hasKey: CompileKeyColumnsCondition
}

interface DeleteContext extends SqlWriteContext {
  readonly beingDeleted: readonly RowsBeingDeleted[]
}

function hierarchyName(metadata: EntityMetadata): string {
  const [root = metadata] = multiTableHierarchyOrSelf(metadata)
  return root.tablePath
}

/** Sorts tables so that derived classes come first, because their rows refer to the tables of their base classes. */
function lowestFirst(parts: readonly PhysicalTable[]): readonly PhysicalTable[] {
  return parts.toSorted((left, right) => hierarchyIndex(right) - hierarchyIndex(left))
}

function hierarchyIndex({ metadata }: PhysicalTable): number {
  return multiTableHierarchyOrSelf(metadata).indexOf(metadata)
}

/**
 * Clears optional foreign keys that refer to the rows, and deletes their pairs from all junction tables. If the database can't have a foreign key
 * constraint, applies its `onDelete` action here.
 */
async function detachReferences(
  types: readonly StoredType[],
  hasKey: CompileKeyColumnsCondition,
  context: DeleteContext,
): Promise<void> {
  const { mapping, run } = context
  const keys = types.flatMap((type) => mapping.inboundForeignKeys(type))
  for (const key of distinct(keys, ({ table, columns }) => [table.table, ...columns])) {
    await detachReference(key, types, hasKey, context)
  }
  const junctions = types.flatMap((type) => mapping.inboundJunctionTablesOf(type))
  for (const { table, ends } of distinct(junctions, (junction) => [junction.table, ...junction.ends.flat()])) {
    const conditions = ends.map((columns) => hasKey(columns.map(rawSql)))
    await run(compileDelete({ table }, [joinSql(conditions, ' or ')]))
  }
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => readonly string[]): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item).join(), item])).values()]
}

async function detachReference(
  reference: InboundForeignKey,
  types: readonly StoredType[],
  hasKey: CompileKeyColumnsCondition,
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
      const isOwnTable = listDistinctTableMappings(types, context.mapping).some(
        ({ tables }) => tables[0].table === table.table,
      )
      const key = table.key.map(rawSql)
      const conditions = isOwnTable ? [isReferring, sqlTag`not ${hasKey(key)}`] : [isReferring]
      // Locks the rows, so that MySQL reads the current ones and not the snapshot of the transaction.
      const { records } = await context.run(
        compileSelectForUpdate(joinSql(key, ', '), table, conditions, context.mapping, sqlTag` limit 1`),
      )
      if (records.length > 0) {
        throw createJsonApiError('constraint.reference', 'Other resources still refer to this one.')
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
  const keys = sqlTag`select ${joinSql(table.key.map(rawSql), ', ')} from ${rawSql(table.table)} where ${isReferring}`
  for (const touched of touchedTables) {
    const isReferringRow = sqlTag`${toSqlTuple(touched.key.map(rawSql))} in (${keys})`
    const assignments = dateAndVersionUpdateAssignmentsOfEntity(mapping, touched.metadata)
    await run(compileUpdate(touched, assignments, [isReferringRow]))
  }
  const assignments = new Map([...dateAndVersionUpdateAssignmentsOfEntity(mapping, table.metadata), ...set])
  await run(compileUpdate(table, assignments, [isReferring]))
}

async function deleteReferring(
  { table: part, types }: InboundForeignKey,
  isReferring: Sql,
  context: DeleteContext,
): Promise<void> {
  const { mapping, run, certify, beingDeleted } = context
  const [type] = types
  if (type === undefined) {
    await run(compileDelete(part, [isReferring]))
    return
  }
  const table = mapping.tableOf(type)
  const selected = keySelectListWithReader(part.key.map(rawSql), table.key, { name: 'found', firstIndex: 0 })
  const sameHierarchy = beingDeleted.filter(({ hierarchy }) => hierarchy === hierarchyName(part.metadata))
  const isNotDeleted = sameHierarchy.map(({ hasKey }) => sqlTag`not ${hasKey(part.key.map(rawSql))}`)
  const { records } = await run(compileSelectForUpdate(selected.sql, part, [isReferring, ...isNotDeleted], mapping))
  const keys = records.flatMap((rawRow) => [selected.readKey(rawRow) ?? []])
  if (keys.length === 0) return
  await certify?.(type, keys)
  await deleteOrSoftDeleteRows(types, createColumnsInKeysCompiler(keys, table, mapping), context, beingDeleted)
}
