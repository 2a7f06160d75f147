import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { Relationship, ResourceType } from '../../../graph/model/resource-graph'
import type { RelatedIdentifierOrSelf, RelationshipChange } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { compileKeyEqualsValue, compileKeyInList } from '../joins/key-conditions'
import type { DatabaseMapping, RelationMapping } from '../mapping/database-mapping'
import { getKeyOfCheckedId } from '../mapping/keys'
import { canBeSetNull } from '../metadata/foreign-key-columns'
import { lockMatchingRows, type MatchingRowsCriteria, type QualifyColumns } from '../reading/lock-rows'
import { joinSql, rawSql, type Sql } from '../sql/sql'
import { lockAndCheckOverlappingForeignKeys } from './overlapping-foreign-keys'
import { assignmentsOfForeignKey, type OwnedForeignKeyChange } from './owned-foreign-keys'
import { updateMatchingRows } from './update-matching-rows'
import {
  columnNamesOf,
  compileSelectForUpdate,
  liveRowOfTypesConditions,
  type SqlWriteContext,
} from './write-statements'

/**
 * Ensures that linked rows exist. Locks them until the transaction ends if no foreign key constraint protects them, or if only one row may refer to each.
 * Runs one statement for each relationship and type.
 */
export async function lockAndCheckRelatedRows(
  changes: readonly RelationshipChange[],
  context: SqlWriteContext,
): Promise<void> {
  const changesToLock = changes.filter(({ relationship, mode }) => {
    return mode !== 'remove' && mustBeLocked(context.mapping.relationOf(relationship), context.mapping)
  })
  for (const relationship of new Set(changesToLock.map((change) => change.relationship))) {
    const related = changesToLock
      .filter((change) => change.relationship === relationship)
      .flatMap((change) => change.related)
    await lockAndCheck(relationship, related, context)
  }
}

/** Returns true if the related rows must be locked. SQLite has one writing transaction at a time, so no other row can refer to them meanwhile. */
function mustBeLocked(relation: RelationMapping, { dialect }: DatabaseMapping): boolean {
  if (relation.kind === 'inverse') return false
  return (
    !relation.hasForeignKeyConstraint || (relation.kind === 'owning' && relation.isUnique && dialect.name !== 'sqlite')
  )
}

async function lockAndCheck(
  relationship: Relationship,
  related: readonly RelatedIdentifierOrSelf[],
  { mapping, run, certify }: SqlWriteContext,
): Promise<void> {
  const otherRows = related.filter((resource) => resource !== 'self')
  for (const type of new Set(otherRows.map((row) => row.type))) {
    const ids = new Set(otherRows.filter((row) => row.type === type).map(({ id }) => id))
    const keys = [...ids].map((id) => getKeyOfCheckedId(mapping, type, id))
    const { tables, key } = mapping.tableOf(type)
    const [part] = tables
    const columns = part.key.map(rawSql)
    const isRelated = compileKeyInList(columns, new Param(keys), key, mapping.dialect)
    const conditions = [isRelated, ...liveRowOfTypesConditions(part, [type], mapping)]
    const { records } = await run(compileSelectForUpdate(joinSql(columns, ', '), part, conditions, mapping))
    if (records.length < keys.length) throw relatedNotFoundError(relationship)
    await certify?.(type, keys)
  }
}

export function relatedNotFoundError({ name }: Relationship): JsonApiError {
  const detail = 'A resource to link no longer exists.'
  return new JsonApiError([{ ...createErrorDetails('related.not-found', detail), field: name }])
}

/**
 * Clears the foreign key of the row that referred to the related resource of a one-to-one relationship before. If the relationship is required, rejects the
 * second link, unless a constraint of the database does, and clears only keys of soft-deleted rows. `conditions`: further conditions on that row.
 */
export async function clearPreviousOneToOne(
  keys: readonly OwnedForeignKeyChange[],
  conditions: (columns: QualifyColumns) => readonly Sql[],
  context: SqlWriteContext,
): Promise<void> {
  for (const { key, relation, relationship } of keys) {
    const { columns, isUnique, hasUniqueConstraint } = relation
    if (!isUnique || key === null || key === undefined) continue
    const { declaringType: type } = relationship
    const isRequired = relationship.kind !== 'toOne' || !relationship.isNullable
    const canBeCleared = !isRequired || canNullForeignKeysInSoftDeletedRows(type, relation, context.mapping)
    if (!canBeCleared && hasUniqueConstraint) continue
    const where = (read: QualifyColumns) => [
      compileKeyEqualsValue(read(columnNamesOf(columns)), new Param(key)),
      ...conditions(read),
    ]
    const rows: MatchingRowsCriteria = { type, deleted: 'included', where }
    if (isRequired) {
      const blocking: MatchingRowsCriteria = { ...rows, deleted: canBeCleared ? 'excluded' : 'included' }
      if ((await lockMatchingRows(blocking, context)).length > 0) throw alreadyLinkedError(relationship)
    }
    if (!canBeCleared) continue
    const checked = await lockAndCheckOverlappingForeignKeys(rows, { relationship, columns, key: null }, context)
    await updateMatchingRows(checked, { set: assignmentsOfForeignKey(columns, null) }, context)
  }
}

/** Returns true if a type has soft-deleted rows, and their foreign key can be null although the relationship is required. */
export function canNullForeignKeysInSoftDeletedRows(
  type: ResourceType,
  { metadata }: Extract<RelationMapping, { kind: 'owning' | 'inverse' }>,
  { tableOf }: DatabaseMapping,
): boolean {
  return canBeSetNull(metadata) && tableOf(type).deleteDateColumns.length > 0
}

/** Creates the error that a violated unique constraint causes too. */
function alreadyLinkedError({ name }: Relationship): JsonApiError {
  const detail = `Another resource already has this value. ('${name}')`
  return new JsonApiError([{ ...createErrorDetails('constraint.unique', detail), field: name }])
}
