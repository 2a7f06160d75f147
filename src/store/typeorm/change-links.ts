import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { deleteRows } from './delete-rows'
import type { Mapping, RelationMapping } from './mapping'
import { keyOfRight } from './own-keys'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'
import { stampsOfUpdate } from './stamps'
import { present, setClause, type Writing } from './writing'

/** The row that the relationships belong to. */
export interface LeftEnd {
  readonly type: StoredType
  readonly key: unknown
}

/** Changes the relationships whose keys do not lie in the row itself: in the rows at the right, or in a table of pairs. */
export async function changeLinks(links: readonly LinkChange[], left: LeftEnd, writing: Writing): Promise<void> {
  for (const link of links) {
    const relation = writing.mapping.relationOf(link.relationship)
    const keysOf = (ends: readonly RightEnd[]) => [
      ...new Set(ends.map((right) => keyOfRight(writing.mapping, right, left.key))),
    ]
    const ends = { left, rights: keysOf(link.rights), replaced: link.replaced && keysOf(link.replaced) }
    if (relation.kind === 'keyOnRight') await changeRightKeys(link, relation, ends, writing)
    if (relation.kind === 'junction') await changePairs(link, relation, ends, writing)
  }
}

interface Ends {
  readonly left: LeftEnd
  readonly rights: readonly unknown[]
  readonly replaced: readonly unknown[] | undefined
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
  const { dialect, dataSource } = mapping
  const { metadata, comparedAs } = mapping.tableOf(relationship.target).id
  const [table, leftColumn, rightColumn] = [
    identifier(pairs.table),
    identifier(pairs.leftColumn),
    identifier(pairs.rightColumn),
  ]
  const ofLeft = toSql`delete from ${table} where ${leftColumn} = ${value(left.key)}`
  const isGiven = dialect.isAmong(rightColumn, rights, comparedAs)
  if (mode === 'set') {
    const isReplaced = [
      ...replacedAmong(rightColumn, relationship, ends, mapping),
      ...presentAmong(rightColumn, relationship, mapping),
    ]
    await run(join([ofLeft, ...isReplaced], ' and '))
  }
  if (rights.length === 0) return
  if (mode === 'remove') {
    await run(toSql`${ofLeft} and ${isGiven}`)
    return
  }
  const rightDatabaseType = dataSource.driver.normalizeType(metadata)
  await run(dialect.insertPairs({ table, leftColumn, rightColumn, rightDatabaseType }, left.key, rights))
}

async function changeRightKeys(link: LinkChange, relation: KeyOnRight, ends: Ends, writing: Writing): Promise<void> {
  const { dialect, tableOf } = writing.mapping
  const { id } = tableOf(link.relationship.target)
  const isMember = toSql`${identifier(relation.column)} = ${value(ends.left.key)}`
  const isGiven = dialect.isAmong(identifier(id.column), ends.rights, id.comparedAs)
  switch (link.mode) {
    case 'set': {
      const isReplaced = replacedAmong(identifier(id.column), link.relationship, ends, writing.mapping)
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
  key: Sql,
  { target }: Relationship,
  { rights, replaced }: Ends,
  { dialect, tableOf }: Mapping,
): readonly Sql[] {
  const { comparedAs } = tableOf(target).id
  return [
    ...(replaced === undefined ? [] : [dialect.isAmong(key, replaced, comparedAs)]),
    ...(rights.length === 0 ? [] : [toSql`not ${dialect.isAmong(key, rights, comparedAs)}`]),
  ]
}

/** What only counts as deleted keeps its pairs. */
function presentAmong(key: Sql, { target }: Relationship, mapping: Mapping): readonly Sql[] {
  const { name, id, deletedAt } = mapping.tableOf(target)
  if (deletedAt === undefined) return []
  const rows = join(present(mapping, target.concreteTypes), ' and ')
  return [toSql`${key} in (select ${identifier(id.column)} from ${identifier(name)} where ${rows})`]
}

/** Rights that belonged elsewhere are moved: to them, and to those that belonged nowhere, this is a change. */
async function linkRights(
  relationship: Relationship,
  { column }: KeyOnRight,
  { left, rights }: Ends,
  isGiven: Sql,
  { mapping, run }: Writing,
): Promise<void> {
  if (rights.length === 0) return
  const table = identifier(mapping.tableOf(relationship.target).name)
  const key = identifier(column)
  const stamps = stampsOfUpdate(mapping, relationship.target)
  if (stamps.size > 0) {
    const isOther = toSql`(${key} is null or ${key} <> ${value(left.key)})`
    await run(toSql`update ${table} set ${setClause(stamps)} where ${isGiven} and ${isOther}`)
  }
  const { affected } = await run(toSql`update ${table} set ${key} = ${value(left.key)} where ${isGiven}`)
  if (affected === rights.length) return
  const detail = `A resource that was to be linked to '${relationship.name}' is not there any more.`
  throw new JsonApiError([{ ...problem('related.not-found', detail), field: relationship.name }])
}

/** What becomes of members that are taken out depends on whether they can be without a left-hand resource. */
async function takeOut(
  relationship: Relationship,
  relation: KeyOnRight,
  isTakenOut: Sql,
  { mapping, run }: Writing,
): Promise<void> {
  const { target } = relationship
  const { name, id } = mapping.tableOf(target)
  const removal = removalOf(relationship, relation)
  const rows = join([isTakenOut, ...present(mapping, target.concreteTypes)], ' and ')
  if (removal === 'unlinked') {
    const assignments = new Map([...stampsOfUpdate(mapping, target), [relation.column, toSql`null`] as const])
    await run(toSql`update ${identifier(name)} set ${setClause(assignments)} where ${rows}`)
    return
  }
  const column = identifier(id.column)
  const selected = id.selectAs === 'text' ? toSql`cast(${column} as text)` : column
  // Whoever is being moved elsewhere at this moment must not be taken for a member that is left.
  const locked = mapping.dialect.name === 'sqlite' ? NOTHING : toSql` for update`
  const { records } = await run(toSql`select ${selected} as ${KEY} from ${identifier(name)} where ${rows}${locked}`)
  if (records.length === 0) return
  if (removal === 'refused') throw membersRequired(relationship)
  const keys = records.map((record) => record[KEY.text])
  const isOneOfThem = (key: Sql): Sql => mapping.dialect.isAmong(key, keys, id.comparedAs)
  await deleteRows(target.concreteTypes, isOneOfThem, { mapping, run })
}

const KEY = identifier('taken')

function removalOf(
  relationship: Relationship,
  { metadata, isNullable }: KeyOnRight,
): 'unlinked' | 'deleted' | 'refused' {
  if (relationship.kind === 'toMany') return relationship.removed
  switch (metadata.relationMetadata?.orphanedRowAction) {
    case 'delete':
    case 'soft-delete':
      return 'deleted'
    case 'disable':
      return 'refused'
    default:
      return isNullable ? 'unlinked' : 'refused'
  }
}

function membersRequired({ name }: Relationship): JsonApiError {
  const detail = `What is taken out of '${name}' would be left without a resource that it needs.`
  return new JsonApiError([{ ...problem('relationship.required', detail), field: name }])
}
