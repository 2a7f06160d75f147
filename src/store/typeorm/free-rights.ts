import { changeRows, type ReadColumns, type RowsWhere } from './change-rows'
import { isKey } from './key-sql'
import { cleared, type OwnKey } from './own-keys'
import { checkUnsentStayIn } from './shared-columns'
import type { Sql } from './sql'
import type { Writing } from './writing'

/**
 * In a one-to-one relationship the right-hand resource leaves the one that it was linked to. Where that one can't be without, it
 * stays, and the database refuses the second.
 */
export async function freeRights(
  keys: readonly OwnKey[],
  others: (columns: ReadColumns) => readonly Sql[],
  writing: Writing,
): Promise<void> {
  for (const { key, link, relationship } of keys) {
    const { columns, isUnique, metadata } = link
    const emptied = cleared(columns)
    if (!isUnique || key === null || key === undefined || !metadata.isNullable || emptied.size === 0) continue
    const where = (read: ReadColumns) => [isKey(read(columns.map(({ column }) => column)), key), ...others(read)]
    const rows: RowsWhere = { type: relationship.declaringType, deleted: 'too', where }
    const checked = await checkUnsentStayIn(rows, { relationship, columns, key: null }, writing)
    await changeRows(checked, { set: emptied }, writing)
  }
}
