import { clientError, JsonApiError } from '../../../errors/json-api-error'
import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { RelationshipChange, ResourceOrSelf } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { keyEquals, keyInList } from '../joins/key-conditions'
import { getKey } from '../mapping/keys'
import type { Mapping, RelationMapping } from '../mapping/mapping'
import type { QualifyColumns, RowQuery } from '../reading/lock-rows'
import { EMPTY_SQL, identifier, join, type Sql, toSql } from '../sql/sql'
import { changeRows, distinctTables } from './change-rows'
import { lockRowsKeepingOtherForeignKeys } from './overlapping-foreign-keys'
import { nullAssignments, type OwnedForeignKey } from './owned-foreign-keys'
import { presentTypeConditions, type SqlWriteContext } from './write-statements'

/**
 * Locks linked rows until the transaction ends if no foreign key protects them, or if only one row may refer to each. One statement for each table.
 */
export async function ensureRelatedRowsExist(
  links: readonly RelationshipChange[],
  writing: SqlWriteContext,
): Promise<void> {
  for (const { relationship, mode, related } of links) {
    if (mode === 'remove' || !mustBeLocked(writing.mapping.relationOf(relationship), writing.mapping)) continue
    await lockAndCheck(
      relationship,
      related.filter((each) => each !== 'self'),
      writing,
    )
  }
}

/** SQLite has one writing transaction at a time: no other owner can appear. */
function mustBeLocked(link: RelationMapping, { dialect }: Mapping): boolean {
  if (link.kind === 'inverse') return false
  return !link.hasForeignKeyConstraint || (link.kind === 'owning' && link.isUnique && dialect.lock(ALIAS) !== EMPTY_SQL)
}

async function lockAndCheck(
  relationship: Relationship,
  related: readonly Exclude<ResourceOrSelf, 'self'>[],
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  for (const [type, ids] of idsByType(related)) {
    const [table] = distinctTables([type], mapping)
    if (table === undefined) continue
    const [part] = table.tables
    const columns = part.key.map(identifier)
    const keys = ids.map((id) => getKey(mapping, type, id))
    const rows = join(
      [
        keyInList(columns, new Param(keys), table.key, mapping.dialect),
        ...presentTypeConditions(part, [type], mapping),
      ],
      ' and ',
    )
    const locked = mapping.dialect.lock(ALIAS)
    const { records } = await run(
      toSql`select ${join(columns, ', ')} from ${identifier(`${part.table} ${ALIAS}`)} where ${rows}${locked}`,
    )
    if (records.length < keys.length) throw relatedNotFoundError(relationship)
  }
}

function idsByType(related: readonly Exclude<ResourceOrSelf, 'self'>[]): ReadonlyMap<StoredType, readonly string[]> {
  const types = new Set(related.map(({ type }) => type))
  const idsOf = (type: StoredType) => new Set(related.filter((right) => right.type === type).map(({ id }) => id))
  return new Map([...types].map((type) => [type, [...idsOf(type)]]))
}

export function relatedNotFoundError({ name }: Relationship): JsonApiError {
  const detail = 'A resource to link no longer exists.'
  return new JsonApiError([{ ...clientError('related.not-found', detail), field: name }])
}

const ALIAS = 'each_row'

/**
 * In a one-to-one relationship the related resource leaves its previous partner. If the partner requires it, the database rejects the second link.
 */
export async function clearPreviousOneToOne(
  keys: readonly OwnedForeignKey[],
  others: (columns: QualifyColumns) => readonly Sql[],
  writing: SqlWriteContext,
): Promise<void> {
  for (const { key, link, relationship } of keys) {
    const { columns, isUnique, metadata } = link
    const emptied = nullAssignments(columns)
    if (!isUnique || key === null || key === undefined || !metadata.isNullable || emptied.size === 0) continue
    const where = (read: QualifyColumns) => [
      keyEquals(read(columns.map(({ column }) => column)), new Param(key)),
      ...others(read),
    ]
    const rows: RowQuery = { type: relationship.declaringType, deleted: 'included', where }
    const checked = await lockRowsKeepingOtherForeignKeys(rows, { relationship, columns, key: null }, writing)
    await changeRows(checked, { set: emptied }, writing)
  }
}
