import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { amongKeys, changeRows, findRows, type ReadColumns, type RowsWhere } from './change-rows'
import { deleteRows } from './delete-rows'
import { asRow, isAmongKeys, isKey, isOtherKey, type KeySql } from './key-sql'
import { distinctKeys } from './keys'
import type { Key, Mapping, RelationMapping } from './mapping'
import { canRefer, cleared, foreignValues, keyOfRight, refuseOtherId } from './own-keys'
import type { PairsOfTable } from './pairs'
import { fromClause, keyColumns, presence, rootScope, whereClause } from './scope'
import { checkUnsentStayIn } from './shared-columns'
import { identifier, join, type Sql, toSql } from './sql'
import type { Writing } from './writing'

/** The row that the relationships belong to. */
export interface LeftEnd {
  readonly type: StoredType
  readonly key: Key
}

/** Changes the relationships whose keys do not lie in the row itself: in the rows at the right, or in a table of pairs. */
export async function changeLinks(links: readonly LinkChange[], left: LeftEnd, writing: Writing): Promise<void> {
  for (const link of links) {
    const relation = writing.mapping.relationOf(link.relationship)
    const keysOf = (ends: readonly RightEnd[]) =>
      distinctKeys(ends.map((right) => keyOfRight(writing.mapping, right, left.key)))
    const ends = { left, rights: keysOf(link.rights), replaced: link.replaced && keysOf(link.replaced) }
    if (relation.kind === 'keyOnRight') await changeRightKeys(link, relation, ends, writing)
    if (relation.kind === 'junction') await changePairs(link, relation, ends, writing)
  }
}

interface Ends {
  readonly left: LeftEnd
  readonly rights: readonly Key[]
  readonly replaced: readonly Key[] | undefined
}

type KeyOnRight = Extract<RelationMapping, { kind: 'keyOnRight' }>

async function changePairs(
  { relationship, mode }: LinkChange,
  pairs: PairsOfTable,
  ends: Ends,
  writing: Writing,
): Promise<void> {
  const { left, rights } = ends
  const { mapping, run } = writing
  const { dialect } = mapping
  const { key: of } = mapping.tableOf(relationship.target)
  const table = identifier(pairs.table)
  const [leftColumns, rightColumns] = [pairs.leftColumns.map(identifier), pairs.rightColumns.map(identifier)]
  const ofLeft = toSql`delete from ${table} where ${isKey(leftColumns, left.key)}`
  const isGiven = isAmongKeys(rightColumns, rights, of, dialect)
  if (mode === 'set') {
    const isReplaced = [
      ...replacedAmong(rightColumns, relationship, ends, mapping),
      ...presentAmong(rightColumns, relationship, mapping),
    ]
    await run(join([ofLeft, ...isReplaced], ' and '))
  }
  if (rights.length === 0) return
  if (mode === 'remove') {
    await run(toSql`${ofLeft} and ${isGiven}`)
    return
  }
  const rightTypes = of.map(({ databaseType }) => databaseType)
  await run(dialect.insertPairs({ table, leftColumns, rightColumns, rightTypes }, left.key, rights))
}

async function changeRightKeys(link: LinkChange, relation: KeyOnRight, ends: Ends, writing: Writing): Promise<void> {
  const { dialect, tableOf } = writing.mapping
  const { relationship } = link
  const { key: of } = tableOf(relationship.target)
  const isMember = (read: ReadColumns) => isKey(read(namesOf(relation.columns)), ends.left.key)
  const isGiven = (read: ReadColumns) => isAmongKeys(read(namesOf(of)), ends.rights, of, dialect)
  switch (link.mode) {
    case 'set': {
      const isReplaced = (read: ReadColumns) => replacedAmong(read(namesOf(of)), relationship, ends, writing.mapping)
      // Of two rows that only one may refer to, the one that only counts as deleted would be in the way for ever.
      const deleted = relation.metadata.isOneToOne && ends.rights.length > 0 ? 'too' : 'not'
      const where: RowsWhere['where'] = (read) => [isMember(read), ...isReplaced(read)]
      await takeOut(relation, { relationship, deleted, where }, writing)
      return linkRights(relationship, relation, ends, writing)
    }
    case 'add':
      return linkRights(relationship, relation, ends, writing)
    case 'remove':
      if (ends.rights.length === 0) return
      return takeOut(
        relation,
        { relationship, deleted: 'not', where: (read) => [isMember(read), isGiven(read)] },
        writing,
      )
    default:
      return assertNever(link.mode)
  }
}

function namesOf(columns: readonly { readonly column: string }[]): readonly string[] {
  return columns.map(({ column }) => column)
}

/** Of the members, those in whose place the rights come. */
function replacedAmong(
  columns: KeySql,
  { target }: Relationship,
  { rights, replaced }: Ends,
  { dialect, tableOf }: Mapping,
): readonly Sql[] {
  const { key: of } = tableOf(target)
  return [
    ...(replaced === undefined ? [] : [isAmongKeys(columns, replaced, of, dialect)]),
    ...(rights.length === 0 ? [] : [toSql`not ${isAmongKeys(columns, rights, of, dialect)}`]),
  ]
}

/** What only counts as deleted keeps its pairs. */
function presentAmong(columns: KeySql, { target }: Relationship, mapping: Mapping): readonly Sql[] {
  if (mapping.tableOf(target).goneBy.length === 0) return []
  const scope = rootScope(mapping, target)
  const conditions = whereClause(presence(scope))
  return [toSql`${asRow(columns)} in (select ${join(keyColumns(scope), ', ')} from ${fromClause(scope)}${conditions})`]
}

/** Rights that belonged elsewhere are moved: to them, and to those that belonged nowhere, this is a change. */
async function linkRights(
  relationship: Relationship,
  { columns }: KeyOnRight,
  { left, rights }: Ends,
  writing: Writing,
): Promise<void> {
  if (!rights.every((right) => canRefer(right, columns, left.key))) throw refuseOtherId(relationship)
  const set = foreignValues(columns, left.key)
  if (rights.length === 0 || set.size === 0) return
  const { mapping } = writing
  const { key: of } = mapping.tableOf(relationship.target)
  const where = (read: ReadColumns) => [isAmongKeys(read(namesOf(of)), rights, of, mapping.dialect)]
  const rows: RowsWhere = { type: relationship.target, deleted: 'too', where }
  const checked = await checkUnsentStayIn(rows, { relationship, columns, key: left.key }, writing)
  // In one statement: where the row was before is known for sure only while it is changed. MySQL assigns one after the other.
  const isChange = (read: ReadColumns) => refersElsewhere(read(namesOf(columns)), left.key)
  const affected = await changeRows(checked, { set, isChange }, writing)
  if (affected === rights.length) return
  const detail = `A resource that was to be linked to '${relationship.name}' is not there any more.`
  throw new JsonApiError([{ ...problem('related.not-found', detail), field: relationship.name }])
}

function refersElsewhere(columns: KeySql, key: Key): Sql {
  const isNothing = columns.map((column) => toSql`${column} is null`)
  return toSql`(${join([...isNothing, isOtherKey(columns, key)], ' or ')})`
}

interface Leaving extends Pick<RowsWhere, 'where' | 'deleted'> {
  readonly relationship: Relationship
}

/** What becomes of members that are taken out depends on whether they can be without a left-hand resource. */
async function takeOut(
  relation: KeyOnRight,
  { relationship, deleted, where }: Leaving,
  writing: Writing,
): Promise<void> {
  const { target } = relationship
  const rows = { type: target, deleted: 'not', where } as const
  if (relation.removed === 'unlinked') {
    const { columns } = relation
    const checked = await checkUnsentStayIn({ ...rows, deleted }, { relationship, columns, key: null }, writing)
    await changeRows(checked, { set: cleared(columns) }, writing)
    return
  }
  // Whoever is being moved elsewhere at this moment must not be taken for a member that is left.
  const keys = await findRows(rows, writing)
  if (keys.length === 0) return
  if (relation.removed === 'refused') throw membersRequired(relationship)
  const { mapping } = writing
  const groups = alikeInDeleting(target.concreteTypes, mapping)
  for (const types of groups) {
    const own = groups.length === 1 ? keys : await findRows({ ...rows, stored: types }, writing)
    if (own.length > 0) await deleteRows(types, amongKeys(own, mapping.tableOf(target), mapping), writing)
  }
}

/** Rows of some types may only count as deleted, where those of others go for good. */
function alikeInDeleting(types: readonly StoredType[], { tableOf }: Mapping): readonly (readonly StoredType[])[] {
  const columns = [...new Set(types.map((type) => tableOf(type).deletedAt?.column))]
  return columns.map((column) => types.filter((type) => tableOf(type).deletedAt?.column === column))
}

function membersRequired({ name }: Relationship): JsonApiError {
  const detail = `What is taken out of '${name}' would be left without a resource that it needs.`
  return new JsonApiError([{ ...problem('relationship.required', detail), field: name }])
}
