import { assertNever } from '../../../errors/invariant'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { LinkedResource, RelationshipChange } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import type { JunctionRelation } from '../joins/junction-table'
import { asRowValue, type KeySql, keyDiffers, keyEquals, keyInList } from '../joins/key-conditions'
import { compileFromItem, keyColumns, liveRowOfTypeConditions, rootScope, whereClause } from '../joins/scope'
import { distinctKeys } from '../mapping/keys'
import type { Key, Mapping, RelationMapping } from '../mapping/mapping'
import { keyListCondition, lockMatchingRows, type QualifyColumns, type RowConditions } from '../reading/lock-rows'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { deleteRows } from './delete-rows'
import { relatedNotFoundError } from './lock-related-rows'
import { lockRowsKeepingOtherForeignKeys } from './overlapping-foreign-keys'
import {
  assignmentsOfForeignKey,
  idPartChangeError,
  keyOfResourceOrSelf,
  primaryKeyMatchesForeignKey,
} from './owned-foreign-keys'
import { updateMatchingRows } from './update-matching-rows'
import { columnNamesOf, type SqlWriteContext } from './write-statements'

/** The row that the relationships belong to. */
interface SourceRow {
  readonly type: StoredType
  readonly key: Key
}

/** Changes relationships whose foreign keys lie in related rows or in a junction table. */
export async function changeLinksInOtherRows(
  links: readonly RelationshipChange[],
  source: SourceRow,
  context: SqlWriteContext,
): Promise<void> {
  for (const link of links) {
    const relation = context.mapping.relationOf(link.relationship)
    const keysOf = (ends: readonly LinkedResource[]) =>
      distinctKeys(ends.map((right) => keyOfResourceOrSelf(context.mapping, right, source.key)))
    const ends = { source, related: keysOf(link.related), replaced: link.replaced && keysOf(link.replaced) }
    if (relation.kind === 'inverse') await changeRelatedKeys(link, relation, ends, context)
    if (relation.kind === 'junction') await changeJunctionRows(link, relation, ends, context)
  }
}

interface LinkEnds {
  readonly source: SourceRow
  readonly related: readonly Key[]
  readonly replaced: readonly Key[] | undefined
}

type InverseRelation = Extract<RelationMapping, { kind: 'inverse' }>

async function changeJunctionRows(
  { relationship, mode }: RelationshipChange,
  junction: JunctionRelation,
  ends: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  const { source, related } = ends
  const { mapping, run } = context
  const { dialect } = mapping
  const { key: of } = mapping.tableOf(relationship.target)
  const table = rawSql(junction.table)
  const sourceColumns = junction.sourceColumns.map(rawSql)
  const relatedColumns = junction.relatedColumns.map(rawSql)
  const ofSource = sqlTag`delete from ${table} where ${keyEquals(sourceColumns, new Param(source.key))}`
  const isGiven = keyInList(relatedColumns, new Param(related), of, dialect)
  if (mode === 'set') {
    const isReplaced = [
      ...replacedCondition(relatedColumns, relationship, ends, mapping),
      ...notDeletedCondition(relatedColumns, relationship, mapping),
    ]
    await run(join([ofSource, ...isReplaced], ' and '))
  }
  if (related.length === 0) return
  if (mode === 'remove') {
    await run(sqlTag`${ofSource} and ${isGiven}`)
    return
  }
  const relatedColumnTypes = of.map(({ databaseType }) => databaseType)
  await run(
    dialect.insertJunctionRows({ table, sourceColumns, relatedColumns, relatedColumnTypes }, source.key, related),
  )
}

async function changeRelatedKeys(
  link: RelationshipChange,
  relation: InverseRelation,
  ends: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  const { dialect, tableOf } = context.mapping
  const { relationship } = link
  const { key: of } = tableOf(relationship.target)
  const isMember = (read: QualifyColumns) =>
    keyEquals(read(columnNamesOf(relation.columns)), new Param(ends.source.key))
  const isGiven = (read: QualifyColumns) => keyInList(read(columnNamesOf(of)), new Param(ends.related), of, dialect)
  switch (link.mode) {
    case 'set': {
      const isReplaced = (read: QualifyColumns) =>
        replacedCondition(read(columnNamesOf(of)), relationship, ends, context.mapping)
      // In a one-to-one relationship, a soft-deleted row would block its successor for ever.
      const deleted = relation.metadata.isOneToOne && ends.related.length > 0 ? 'included' : 'excluded'
      const where = (read: QualifyColumns) => [isMember(read), ...isReplaced(read)]
      await removeMembers(relation, { relationship, deleted, where }, context)
      return linkRelated(relationship, relation, ends, context)
    }
    case 'add':
      return linkRelated(relationship, relation, ends, context)
    case 'remove': {
      if (ends.related.length === 0) return
      const where = (read: QualifyColumns) => [isMember(read), isGiven(read)]
      return removeMembers(relation, { relationship, deleted: 'excluded', where }, context)
    }
    default:
      return assertNever(link.mode)
  }
}

/** The members that the new ones replace. */
function replacedCondition(
  columns: KeySql,
  { target }: Relationship,
  { related, replaced }: LinkEnds,
  { dialect, tableOf }: Mapping,
): readonly Sql[] {
  const { key: of } = tableOf(target)
  return [
    ...(replaced === undefined ? [] : [keyInList(columns, new Param(replaced), of, dialect)]),
    ...(related.length === 0 ? [] : [sqlTag`not ${keyInList(columns, new Param(related), of, dialect)}`]),
  ]
}

/** Soft-deleted rows keep their pairs. */
function notDeletedCondition(columns: KeySql, { target }: Relationship, mapping: Mapping): readonly Sql[] {
  if (mapping.tableOf(target).deleteDateColumns.length === 0) return []
  const scope = rootScope(mapping, target)
  const conditions = whereClause(liveRowOfTypeConditions(scope))
  return [
    sqlTag`${asRowValue(columns)} in (select ${join(keyColumns(scope), ', ')} from ${compileFromItem(scope)}${conditions})`,
  ]
}

/** Rights that belonged elsewhere are moved: to them, and to those that belonged nowhere, this is a change. */
async function linkRelated(
  relationship: Relationship,
  { columns }: InverseRelation,
  { source, related }: LinkEnds,
  context: SqlWriteContext,
): Promise<void> {
  if (!related.every((key) => primaryKeyMatchesForeignKey(key, columns, source.key)))
    throw idPartChangeError(relationship)
  const set = assignmentsOfForeignKey(columns, source.key)
  if (related.length === 0 || set.size === 0) return
  const { mapping } = context
  const { key: of } = mapping.tableOf(relationship.target)
  const where = (read: QualifyColumns) => [keyInList(read(columnNamesOf(of)), new Param(related), of, mapping.dialect)]
  const rows: RowConditions = { type: relationship.target, deleted: 'included', where }
  const checked = await lockRowsKeepingOtherForeignKeys(rows, { relationship, columns, key: source.key }, context)
  // One statement, because the previous source is certain only during the change. MySQL evaluates assignments in order.
  const isChange = (read: QualifyColumns) => refersElsewhere(read(columnNamesOf(columns)), source.key)
  const affected = await updateMatchingRows(checked, { set, isChange }, context)
  if (affected !== related.length) throw relatedNotFoundError(relationship)
}

function refersElsewhere(columns: KeySql, key: Key): Sql {
  const isNothing = columns.map((column) => sqlTag`${column} is null`)
  return sqlTag`(${join([...isNothing, keyDiffers(columns, new Param(key))], ' or ')})`
}

interface RemovedMembers extends Pick<RowConditions, 'where' | 'deleted'> {
  readonly relationship: Relationship
}

/** Removed members are cleared or deleted, depending on whether their foreign key can be null. */
async function removeMembers(
  relation: InverseRelation,
  { relationship, deleted, where }: RemovedMembers,
  context: SqlWriteContext,
): Promise<void> {
  const { target } = relationship
  const rows = { type: target, deleted: 'excluded', where } as const
  if (relation.orphanAction === 'unlinked') {
    const { columns } = relation
    const checked = await lockRowsKeepingOtherForeignKeys(
      { ...rows, deleted },
      { relationship, columns, key: null },
      context,
    )
    await updateMatchingRows(checked, { set: assignmentsOfForeignKey(columns, null) }, context)
    return
  }
  // A member that another transaction moves at this moment must not count as remaining.
  const keys = await lockMatchingRows(rows, context)
  if (keys.length === 0) return
  if (relation.orphanAction === 'refused') throw membersRequired(relationship)
  const { mapping } = context
  const groups = groupByDeleteDate(target.concreteTypes, mapping)
  for (const types of groups) {
    const own = groups.length === 1 ? keys : await lockMatchingRows({ ...rows, stored: types }, context)
    if (own.length > 0) await deleteRows(types, keyListCondition(own, mapping.tableOf(target), mapping), context)
  }
}

/** Rows of some types may only count as deleted, where those of others go for good. */
function groupByDeleteDate(types: readonly StoredType[], { tableOf }: Mapping): readonly (readonly StoredType[])[] {
  const columns = [...new Set(types.map((type) => tableOf(type).deletedAt?.column))]
  return columns.map((column) => types.filter((type) => tableOf(type).deletedAt?.column === column))
}

function membersRequired({ name }: Relationship): JsonApiError {
  const detail = `A resource removed from '${name}' would lack a required relationship.`
  return new JsonApiError([{ ...createErrorDetails('relationship.required', detail), field: name }])
}
