import { param } from '../../../query/tree/param'
import { keyEquals } from '../joins/key-conditions'
import type { ReadColumns, RowQuery } from '../reading/lock-rows'
import type { Sql } from '../sql/sql'
import { changeRows } from './change-rows'
import { checkOverlappingForeignKeysIn } from './check-overlapping-foreign-keys'
import { assignNull, type OwnedForeignKey } from './owned-foreign-keys'
import type { SqlWriteContext } from './writing'

/**
 * In a one-to-one relationship the related resource leaves its previous partner. If the partner requires it, the database rejects the second link.
 */
export async function clearPreviousOneToOne(
  keys: readonly OwnedForeignKey[],
  others: (columns: ReadColumns) => readonly Sql[],
  writing: SqlWriteContext,
): Promise<void> {
  for (const { key, link, relationship } of keys) {
    const { columns, isUnique, metadata } = link
    const emptied = assignNull(columns)
    if (!isUnique || key === null || key === undefined || !metadata.isNullable || emptied.size === 0) continue
    const where = (read: ReadColumns) => [
      keyEquals(read(columns.map(({ column }) => column)), param(key)),
      ...others(read),
    ]
    const rows: RowQuery = { type: relationship.declaringType, deleted: 'included', where }
    const checked = await checkOverlappingForeignKeysIn(rows, { relationship, columns, key: null }, writing)
    await changeRows(checked, { set: emptied }, writing)
  }
}
