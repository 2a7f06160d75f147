import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { Relationship } from '../../../graph/model/resource-graph'
import type { RelationshipChange } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { keyEquals, keyInList } from '../joins/key-conditions'
import { getKeyOfId } from '../mapping/keys'
import type { Mapping, RelationMapping } from '../mapping/mapping'
import type { QualifyColumns, RowConditions } from '../reading/lock-rows'
import { join, rawSql, type Sql } from '../sql/sql'
import { lockRowsKeepingOtherForeignKeys } from './overlapping-foreign-keys'
import { assignmentsOfForeignKey, type OwnedForeignKey } from './owned-foreign-keys'
import { updateMatchingRows } from './update-matching-rows'
import {
  columnNamesOf,
  compileSelectForUpdate,
  liveRowOfTypesConditions,
  type SqlWriteContext,
} from './write-statements'

/**
 * Locks linked rows until the transaction ends if no foreign key protects them, or if only one row may refer to each. One statement for each type.
 */
export async function ensureRelatedRowsExist(
  links: readonly RelationshipChange[],
  context: SqlWriteContext,
): Promise<void> {
  for (const link of links) {
    const isLocked =
      link.mode !== 'remove' && mustBeLocked(context.mapping.relationOf(link.relationship), context.mapping)
    if (isLocked) await lockAndCheck(link, context)
  }
}

/** SQLite has one writing transaction at a time: no other owner can appear. */
function mustBeLocked(relation: RelationMapping, { dialect }: Mapping): boolean {
  if (relation.kind === 'inverse') return false
  return (
    !relation.hasForeignKeyConstraint || (relation.kind === 'owning' && relation.isUnique && dialect.name !== 'sqlite')
  )
}

async function lockAndCheck(
  { relationship, related }: RelationshipChange,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  const others = related.filter((each) => each !== 'self')
  for (const type of new Set(others.map((each) => each.type))) {
    const ids = new Set(others.filter((each) => each.type === type).map(({ id }) => id))
    const keys = [...ids].map((id) => getKeyOfId(mapping, type, id))
    const { tables, key } = mapping.tableOf(type)
    const [part] = tables
    const columns = part.key.map(rawSql)
    const isRelated = keyInList(columns, new Param(keys), key, mapping.dialect)
    const conditions = [isRelated, ...liveRowOfTypesConditions(part, [type], mapping)]
    const { records } = await run(compileSelectForUpdate(join(columns, ', '), part, conditions, mapping))
    if (records.length < keys.length) throw relatedNotFoundError(relationship)
  }
}

export function relatedNotFoundError({ name }: Relationship): JsonApiError {
  const detail = 'A resource to link no longer exists.'
  return new JsonApiError([{ ...createErrorDetails('related.not-found', detail), field: name }])
}

/**
 * In a one-to-one relationship the related resource leaves its previous partner. If the partner requires it, the database rejects the second link.
 */
export async function clearPreviousOneToOne(
  keys: readonly OwnedForeignKey[],
  others: (columns: QualifyColumns) => readonly Sql[],
  context: SqlWriteContext,
): Promise<void> {
  for (const { key, link, relationship } of keys) {
    const { columns, isUnique, metadata } = link
    const set = assignmentsOfForeignKey(columns, null)
    if (!isUnique || key === null || key === undefined || !metadata.isNullable || set.size === 0) continue
    const where = (read: QualifyColumns) => [keyEquals(read(columnNamesOf(columns)), new Param(key)), ...others(read)]
    const rows: RowConditions = { type: relationship.declaringType, deleted: 'included', where }
    const checked = await lockRowsKeepingOtherForeignKeys(rows, { relationship, columns, key: null }, context)
    await updateMatchingRows(checked, { set }, context)
  }
}
