import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Relationship, ResourceType, StoredType } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { deleteRows } from './delete-rows'
import { asRow, isAmongKeys, isKey, isOtherKey, type KeySql, keySql } from './key-sql'
import { distinctKeys } from './keys'
import type { Key, Mapping, RelationMapping } from './mapping'
import { canRefer, cleared, foreignValues, keyOfRight, refuseOtherId } from './own-keys'
import { selectKey } from './select-columns'
import { identifier, join, NOTHING, type Sql, toSql } from './sql'
import { stampsOfUpdate } from './stamps'
import { type Assignments, present, setClause, type Writing } from './writing'

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

type PairsOfTable = Extract<RelationMapping, { kind: 'junction' }>
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
  const { key: of } = tableOf(link.relationship.target)
  const own = keySql(of)
  const isMember = isKey(keySql(relation.columns), ends.left.key)
  const isGiven = isAmongKeys(own, ends.rights, of, dialect)
  switch (link.mode) {
    case 'set': {
      const isReplaced = replacedAmong(own, link.relationship, ends, writing.mapping)
      await takeOut(link.relationship, relation, join([isMember, ...isReplaced], ' and '), writing)
      return linkRights(link.relationship, relation, ends, isGiven, writing)
    }
    case 'add':
      return linkRights(link.relationship, relation, ends, isGiven, writing)
    case 'remove':
      if (ends.rights.length > 0) await takeOut(link.relationship, relation, toSql`${isMember} and ${isGiven}`, writing)
      return
    default:
      return assertNever(link.mode)
  }
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
  const { name, key, deletedAt } = mapping.tableOf(target)
  if (deletedAt === undefined) return []
  const rows = join(present(mapping, target.concreteTypes), ' and ')
  return [toSql`${asRow(columns)} in (select ${join(keySql(key), ', ')} from ${identifier(name)} where ${rows})`]
}

/** Rights that belonged elsewhere are moved: to them, and to those that belonged nowhere, this is a change. */
async function linkRights(
  relationship: Relationship,
  { columns }: KeyOnRight,
  { left, rights }: Ends,
  isGiven: Sql,
  { mapping, run }: Writing,
): Promise<void> {
  if (!rights.every((right) => canRefer(right, columns, left.key))) throw refuseOtherId(relationship)
  const foreign = foreignValues(columns, left.key)
  if (rights.length === 0 || foreign.size === 0) return
  const table = identifier(mapping.tableOf(relationship.target).name)
  const isOther = refersElsewhere(keySql(columns), left.key)
  // In one statement: where the row was before is known for sure only while it is changed. MySQL assigns one after the other.
  const assignments = new Map([...stampsIf(isOther, mapping, relationship.target), ...foreign])
  const { affected } = await run(toSql`update ${table} set ${setClause(assignments)} where ${isGiven}`)
  if (affected === rights.length) return
  const detail = `A resource that was to be linked to '${relationship.name}' is not there any more.`
  throw new JsonApiError([{ ...problem('related.not-found', detail), field: relationship.name }])
}

function stampsIf(isChanged: Sql, mapping: Mapping, type: ResourceType): Assignments {
  const stamps = [...stampsOfUpdate(mapping, type)]
  return new Map(
    stamps.map(([column, stamp]) => [
      column,
      toSql`case when ${isChanged} then ${stamp} else ${identifier(column)} end`,
    ]),
  )
}

function refersElsewhere(columns: KeySql, key: Key): Sql {
  const isNothing = columns.map((column) => toSql`${column} is null`)
  return toSql`(${join([...isNothing, isOtherKey(columns, key)], ' or ')})`
}

/** What becomes of members that are taken out depends on whether they can be without a left-hand resource. */
async function takeOut(
  relationship: Relationship,
  relation: KeyOnRight,
  isTakenOut: Sql,
  { mapping, run }: Writing,
): Promise<void> {
  const { target } = relationship
  const { name, key: of } = mapping.tableOf(target)
  const rows = join([isTakenOut, ...present(mapping, target.concreteTypes)], ' and ')
  if (relation.removed === 'unlinked') {
    const assignments = new Map([...stampsOfUpdate(mapping, target), ...cleared(relation.columns)])
    await run(toSql`update ${identifier(name)} set ${setClause(assignments)} where ${rows}`)
    return
  }
  const selected = selectKey(keySql(of), of, 'taken')
  // Whoever is being moved elsewhere at this moment must not be taken for a member that is left.
  const locked = mapping.dialect.name === 'sqlite' ? NOTHING : toSql` for update`
  const { records } = await run(toSql`select ${selected.sql} from ${identifier(name)} where ${rows}${locked}`)
  if (records.length === 0) return
  if (relation.removed === 'refused') throw membersRequired(relationship)
  const keys = records.flatMap((record) => [selected.readKey(record) ?? []])
  const isOneOfThem = (columns: KeySql): Sql => isAmongKeys(columns, keys, of, mapping.dialect)
  await deleteRows(target.concreteTypes, isOneOfThem, { mapping, run })
}

function membersRequired({ name }: Relationship): JsonApiError {
  const detail = `What is taken out of '${name}' would be left without a resource that it needs.`
  return new JsonApiError([{ ...problem('relationship.required', detail), field: name }])
}
