import type { UpdatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { keyDiffers, keyEquals } from '../joins/key-conditions'
import { flattenEmbeddedValue } from '../mapping/embedded-columns'
import { isSameKeyPart } from '../mapping/keys'
import type { Key, Mapping } from '../mapping/mapping'
import { dateAndVersionUpdateAssignments } from './automatic-columns'
import { clearPreviousOneToOne, ensureRelatedRowsExist } from './lock-related-rows'
import { ensureOverlappingKeysUnchanged } from './overlapping-foreign-keys'
import {
  assignmentsOfForeignKeys,
  ensureForeignKeysAgree,
  idPartChangeError,
  type OwnedForeignKey,
  ownedForeignKeysOfChanges,
  sharedKeyValuesMatch,
} from './owned-foreign-keys'
import { updateRowsByKey } from './update-matching-rows'
import {
  type Assignments,
  assignmentsOfColumnValues,
  type ColumnValues,
  columnNamesOf,
  type SqlWriteContext,
} from './write-statements'

/**
 * Updates the columns of a row: values, foreign keys, and the dates and version, which change with any relationship. `changed`: the values that listeners
 * changed. Returns the number of rows found.
 */
export async function updateRow(
  plan: UpdatePlan,
  key: Key,
  changed: ColumnValues,
  context: SqlWriteContext,
): Promise<number> {
  const { mapping } = context
  const { type, links } = plan
  const keys = ownedForeignKeysOfChanges(links, mapping, key)
  for (const { relationship, key: target, link } of keys) {
    if (target != null && !sharedKeyValuesMatch(key, link.columns, target)) throw idPartChangeError(relationship)
  }
  ensureForeignKeysAgree(keys)
  await ensureOverlappingKeysUnchanged(keys, { type, key }, context)
  await ensureRelatedRowsExist(links, context)
  const names = columnNamesOf(mapping.tableOf(type).key)
  await clearPreviousOneToOne(keys, (read) => [keyDiffers(read(names), new Param(key))], context)
  const assignments = new Map([
    ...updateAssignments(plan, { key, keys }, mapping),
    ...assignmentsOfColumnValues(changed),
  ])
  if (assignments.size === 0) return 1
  return updateRowsByKey([type], assignments, (columns) => keyEquals(columns, new Param(key)), context)
}

/** Returns the assignments to the row's own columns. */
export function updateAssignments(
  plan: UpdatePlan,
  { key, keys }: { readonly key: Key; readonly keys: readonly OwnedForeignKey[] },
  mapping: Mapping,
): Assignments {
  const { type, values, links } = plan
  return new Map([
    ...(values.size + links.length === 0 ? [] : dateAndVersionUpdateAssignments(mapping, type)),
    ...writtenValues(plan, key, mapping),
    ...assignmentsOfForeignKeys(keys),
  ])
}

/** Returns the assignments of attributes. A hook may repeat the primary key but not change it. */
function writtenValues({ type, values }: UpdatePlan, key: Key, mapping: Mapping): Assignments {
  const keyNames = columnNamesOf(mapping.tableOf(type).key)
  const written = [...values].flatMap(([attribute, value]) => {
    return flattenEmbeddedValue(mapping.columnOf(attribute), value).map(([{ column, toDatabase }, part]) => {
      return { attribute, column, keyIndex: keyNames.indexOf(column), bound: toDatabase(part) }
    })
  })
  const changedPart = written.find(({ keyIndex, bound }) => keyIndex >= 0 && !isSameKeyPart(bound, key[keyIndex]))
  if (changedPart !== undefined) throw idPartChangeError(changedPart.attribute)
  return assignmentsOfColumnValues(
    new Map(written.filter(({ keyIndex }) => keyIndex < 0).map(({ column, bound }) => [column, bound])),
  )
}
