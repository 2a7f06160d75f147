import { assertNever } from '../../../errors/invariant'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import { isSameOrDerivedType } from '../../../graph/model/inheritance'
import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { RelatedIdentifierOrSelf, RelationshipChange } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import type { JunctionRelationMapping } from '../joins/junction-table'
import {
  compileKeyEqualsValue,
  compileKeyInList,
  compileKeyNotEqualsValue,
  type KeyColumnsSql,
  toSqlTuple,
} from '../joins/key-conditions'
import {
  compileTableAndJoins,
  liveRowOfTypeConditions,
  qualifiedKeyColumns,
  rootSqlScope,
  whereClause,
} from '../joins/scope'
import type { DatabaseMapping, Key, RelationMapping } from '../mapping/database-mapping'
import { distinctKeys } from '../mapping/keys'
import {
  createColumnsInKeysCompiler,
  lockMatchingRows,
  type MatchingRowsCriteria,
  type QualifyColumns,
} from '../reading/lock-rows'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { deleteOrSoftDeleteRows } from './delete-or-soft-delete-rows'
import { canNullForeignKeysInSoftDeletedRows, relatedNotFoundError } from './lock-related-rows'
import { lockAndCheckOverlappingForeignKeys } from './overlapping-foreign-keys'
import {
  assignmentsOfForeignKey,
  foreignKeyValuesAgreeWithPrimaryKey,
  idPartChangeError,
  keyOfRelatedOrSelf,
  overlappingForeignKeyChangeError,
} from './owned-foreign-keys'
import { updateMatchingRows } from './update-matching-rows'
import { columnNamesOf, type SqlWriteContext } from './write-statements'

/** The row that the relationships belong to. */
interface SourceRow {
  readonly type: StoredType
  readonly key: Key
}

/** Changes relationships whose foreign keys are stored in related rows or in a junction table. */
export async function changeLinksInOtherRows(
  changes: readonly RelationshipChange[],
  source: SourceRow,
  context: SqlWriteContext,
): Promise<void> {
  for (const [index, change] of changes.entries()) {
    const relation = context.mapping.relationOf(change.relationship)
    if (changes.slice(0, index).some((earlier) => haveOtherMembers(earlier, change, source.type)))
      throw overlappingForeignKeyChangeError(change.relationship)
    const keysOf = (resources: readonly RelatedIdentifierOrSelf[]) =>
      distinctKeys(resources.map((resource) => keyOfRelatedOrSelf(context.mapping, resource, source.key)))
    const ends = { source, related: keysOf(change.related), replaced: change.replaced && keysOf(change.replaced) }
    if (relation.kind === 'inverse') await changeRelatedKeys(change, relation, ends, context)
    if (relation.kind === 'junction') await changeJunctionRows(change, relation, ends, context)
  }
}

/** Returns true if two relationships are stored in the same other rows, and should get different members. */
function haveOtherMembers(one: RelationshipChange, other: RelationshipChange, ownType: StoredType): boolean {
  if (!one.relationship.storedTogether.includes(other.relationship)) return false
  const idsOf = ({ related }: RelationshipChange, { target }: Relationship) => {
    const members = related.map((member) => (member === 'self' ? { type: ownType, id: member } : member))
    return new Set(members.flatMap(({ type, id }) => (isSameOrDerivedType(type, target) ? [id] : [])))
  }
  const [ids, others] = [idsOf(one, other.relationship), idsOf(other, one.relationship)]
  return ids.size !== others.size || [...ids].some((id) => !others.has(id))
}

interface LinkEnds {
  readonly source: SourceRow
  readonly related: readonly Key[]
  readonly replaced: readonly Key[] | undefined
}

type InverseRelation = Extract<RelationMapping, { kind: 'inverse' }>

async function changeJunctionRows(
  { relationship, mode }: RelationshipChange,
  junction: JunctionRelationMapping,
  ends: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  const { source, related } = ends
  const { mapping, run } = context
  const { dialect } = mapping
  const { key: keyMapping } = mapping.tableOf(relationship.target)
  const table = rawSql(junction.table)
  const sourceColumns = junction.sourceColumns.map(rawSql)
  const relatedColumns = junction.relatedColumns.map(rawSql)
  const deletePairs = sqlTag`delete from ${table} where ${compileKeyEqualsValue(sourceColumns, new Param(source.key))}`
  const isRelated = compileKeyInList(relatedColumns, new Param(related), keyMapping, dialect)
  if (mode === 'set') {
    const replacedConditions = [
      ...replacedCondition(relatedColumns, relationship, ends, mapping),
      ...notDeletedCondition(relatedColumns, relationship, mapping),
    ]
    await run(joinSql([deletePairs, ...replacedConditions], ' and '))
  }
  if (related.length === 0) return
  if (mode === 'remove') {
    await run(sqlTag`${deletePairs} and ${isRelated}`)
    return
  }
  const relatedColumnTypes = keyMapping.map(({ databaseType }) => databaseType)
  await run(
    dialect.insertJunctionRows({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source.key, related),
  )
}

async function changeRelatedKeys(
  change: RelationshipChange,
  relation: InverseRelation,
  ends: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  const { dialect, tableOf } = context.mapping
  const { relationship } = change
  const { key: keyMapping } = tableOf(relationship.target)
  const isMember = (read: QualifyColumns) =>
    compileKeyEqualsValue(read(columnNamesOf(relation.columns)), new Param(ends.source.key))
  const isRelated = (read: QualifyColumns) =>
    compileKeyInList(read(columnNamesOf(keyMapping)), new Param(ends.related), keyMapping, dialect)
  switch (change.mode) {
    case 'set': {
      const isReplaced = (read: QualifyColumns) =>
        replacedCondition(read(columnNamesOf(keyMapping)), relationship, ends, context.mapping)
      // In a one-to-one relationship a soft-deleted row would block every later link.
      const deleted = relation.metadata.isOneToOne && ends.related.length > 0 ? 'included' : 'excluded'
      const where = (read: QualifyColumns) => [isMember(read), ...isReplaced(read)]
      await removeMembers(relation, { relationship, deleted, where }, context)
      return linkRelated(relationship, relation, ends, context)
    }
    case 'add':
      return linkRelated(relationship, relation, ends, context)
    case 'remove': {
      if (ends.related.length === 0) return
      const where = (read: QualifyColumns) => [isMember(read), isRelated(read)]
      return removeMembers(relation, { relationship, deleted: 'excluded', where }, context)
    }
    default:
      return assertNever(change.mode)
  }
}

/** Restricts to the members that the new ones replace. */
function replacedCondition(
  columns: KeyColumnsSql,
  { target }: Relationship,
  { related, replaced }: LinkEnds,
  { dialect, tableOf }: DatabaseMapping,
): readonly Sql[] {
  const { key: keyMapping } = tableOf(target)
  return [
    ...(replaced === undefined ? [] : [compileKeyInList(columns, new Param(replaced), keyMapping, dialect)]),
    ...(related.length === 0
      ? []
      : [sqlTag`not ${compileKeyInList(columns, new Param(related), keyMapping, dialect)}`]),
  ]
}

/** Restricts to related rows that are not deleted, because soft-deleted rows keep their pairs. */
function notDeletedCondition(
  columns: KeyColumnsSql,
  { target }: Relationship,
  mapping: DatabaseMapping,
): readonly Sql[] {
  if (mapping.tableOf(target).deleteDateColumns.length === 0) return []
  const scope = rootSqlScope(mapping, target)
  const conditions = whereClause(liveRowOfTypeConditions(scope))
  return [
    sqlTag`${toSqlTuple(columns)} in (select ${joinSql(qualifiedKeyColumns(scope), ', ')} from ${compileTableAndJoins(scope)}${conditions})`,
  ]
}

/** Links related rows to the source. Rows of other sources are moved. The date and version of a row change only if its link changes. */
async function linkRelated(
  relationship: Relationship,
  { columns }: InverseRelation,
  { source, related }: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  if (!related.every((key) => foreignKeyValuesAgreeWithPrimaryKey(key, columns, source.key)))
    throw idPartChangeError(relationship)
  const set = assignmentsOfForeignKey(columns, source.key)
  if (related.length === 0 || set.size === 0) return
  const { mapping } = context
  const { key: keyMapping } = mapping.tableOf(relationship.target)
  const where = (read: QualifyColumns) => [
    compileKeyInList(read(columnNamesOf(keyMapping)), new Param(related), keyMapping, mapping.dialect),
  ]
  const rows: MatchingRowsCriteria = { type: relationship.target, deleted: 'included', where }
  const checked = await lockAndCheckOverlappingForeignKeys(rows, { relationship, columns, key: source.key }, context)
  // One statement compares with the previous source and replaces it. MySQL evaluates the assignments in order.
  const isChange = (read: QualifyColumns) => refersElsewhere(read(columnNamesOf(columns)), source.key)
  const affected = await updateMatchingRows(checked, { set, isChange }, context)
  if (affected !== related.length) throw relatedNotFoundError(relationship)
}

function refersElsewhere(columns: KeyColumnsSql, key: Key): Sql {
  const areNull = columns.map((column) => sqlTag`${column} is null`)
  return sqlTag`(${joinSql([...areNull, compileKeyNotEqualsValue(columns, new Param(key))], ' or ')})`
}

interface RemovedMembers extends Pick<MatchingRowsCriteria, 'where' | 'deleted'> {
  readonly relationship: Relationship
}

/**
 * Removes members: clears their foreign keys or deletes the rows, depending on whether the key can be null. A required key is cleared only in rows that are
 * deleted softly.
 */
async function removeMembers(
  relation: InverseRelation,
  { relationship, deleted, where }: RemovedMembers,
  context: SqlWriteContext,
): Promise<void> {
  const { target } = relationship
  const rows = { type: target, deleted: 'excluded', where } as const
  const { mapping, certify } = context
  // Locks the members, because another transaction may be moving them.
  const keys = relationship.orphanAction === 'unlinked' ? [] : await lockMatchingRows(rows, context)
  if (keys.length > 0 && relationship.orphanAction === 'refused') throw membersRequired(relationship)
  const clearsDeleted = deleted === 'included' && canNullForeignKeysInSoftDeletedRows(target, relation, mapping)
  if (relationship.orphanAction === 'unlinked' || (keys.length === 0 && clearsDeleted)) {
    const { columns } = relation
    const checked = await lockAndCheckOverlappingForeignKeys(
      { ...rows, deleted },
      { relationship, columns, key: null },
      context,
    )
    await updateMatchingRows(checked, { set: assignmentsOfForeignKey(columns, null) }, context)
    return
  }
  if (keys.length === 0) return
  const groups = groupByDeleteDate(target.concreteTypes, mapping)
  for (const types of groups) {
    const keysOfGroup = groups.length === 1 ? keys : await lockMatchingRows({ ...rows, stored: types }, context)
    const [type] = types
    if (type === undefined || keysOfGroup.length === 0) continue
    await certify?.(type, keysOfGroup)
    await deleteOrSoftDeleteRows(
      types,
      createColumnsInKeysCompiler(keysOfGroup, mapping.tableOf(target), mapping),
      context,
    )
  }
}

/** Groups types by their delete date column: rows of some types are soft-deleted, and rows of others are removed. */
function groupByDeleteDate(
  types: readonly StoredType[],
  { tableOf }: DatabaseMapping,
): readonly (readonly StoredType[])[] {
  const columns = [...new Set(types.map((type) => tableOf(type).deletedAt?.column))]
  return columns.map((column) => types.filter((type) => tableOf(type).deletedAt?.column === column))
}

function membersRequired({ name }: Relationship): JsonApiError {
  const detail = `A resource removed from '${name}' would lack a required relationship.`
  return new JsonApiError([{ ...createErrorDetails('relationship.required', detail), field: name }])
}
