import { classChain } from '../../graph/class-chain'
import type { Relationship, StoredType } from '../../graph/resource-graph'
import { amongKeys, findRows, type ReadColumns, type RowsWhere } from './change-rows'
import { isKey } from './key-sql'
import type { ForeignColumn, Key, Mapping } from './mapping'
import { type ForeignParts, foreignParts, type OwnKey, refuseSharedColumn } from './own-keys'
import { join, type Sql, toSql, value } from './sql'
import type { Writing } from './writing'

/**
 * Foreign keys of a row can have a column in common: to write the one may lead the other elsewhere, and past the rules of what stands there.
 * A column that another key needs keeps what it has, unless that key is sent too. The row was locked when it was found.
 */
export async function checkUnsentStay(
  sent: readonly OwnKey[],
  row: { readonly type: StoredType; readonly key: Key },
  writing: Writing,
): Promise<void> {
  const names = keyNames(row.type, writing.mapping)
  const where: RowsWhere['where'] = (read) => [isKey(read(names), row.key)]
  const written = sent.map(({ link }) => namesOf(link.columns))
  for (const { relationship, link, key } of sent.filter(({ link }) => isAnyShared(link.columns))) {
    const parts = foreignParts(link.columns, key === undefined ? row.key : key)
    await checkOthers({ relationship, types: [row.type], parts, written, where }, writing)
  }
}

interface KeyWrite {
  readonly relationship: Relationship
  readonly columns: readonly ForeignColumn[]
  /** What the columns refer to from now on. */
  readonly key: Key | null
}

/** The same for rows that are written along with another one. Gives them as they were looked at: by their keys, and locked. */
export async function checkUnsentStayIn(
  rows: RowsWhere,
  { relationship, columns, key }: KeyWrite,
  writing: Writing,
): Promise<RowsWhere> {
  if (!isAnyShared(columns)) return rows
  const { mapping } = writing
  const among = (keys: readonly Key[]): RowsWhere['where'] => {
    const isAmong = amongKeys(keys, mapping.tableOf(rows.type), mapping)
    return (read) => [isAmong(read(keyNames(rows.type, mapping)))]
  }
  // Before any is judged: what a row refers to may be about to change.
  const locked = await findRows(rows, writing)
  const checked = { ...rows, where: among(locked) }
  // What only counts as deleted may be emptied: nobody could see, or mend, what stands in the way.
  const isEmptying = key === null && rows.deleted === 'too'
  const judged = isEmptying ? await findRows({ ...checked, deleted: 'not' }, writing) : locked
  if (judged.length === 0) return checked
  const parts = foreignParts(columns, key)
  const { concreteTypes: types } = rows.type
  await checkOthers({ relationship, types, parts, written: [namesOf(columns)], where: among(judged) }, writing)
  return checked
}

function isAnyShared(columns: readonly ForeignColumn[]): boolean {
  return columns.some(({ isShared }) => isShared)
}

function keyNames(type: RowsWhere['type'], mapping: Mapping): readonly string[] {
  return namesOf(mapping.tableOf(type).key)
}

function namesOf(columns: readonly { readonly column: string }[]): readonly string[] {
  return columns.map(({ column }) => column)
}

interface OthersOf {
  readonly relationship: Relationship
  readonly types: readonly StoredType[]
  readonly parts: ForeignParts
  /** The columns of all keys that are written. */
  readonly written: readonly ForeignKeyNames[]
  readonly where: RowsWhere['where']
}

type ForeignKeyNames = readonly string[]

async function checkOthers({ relationship, types, parts, written, where }: OthersOf, writing: Writing): Promise<void> {
  const isTouched = (columns: ForeignKeyNames) =>
    columns.some((column) => parts.has(column)) && !written.some((each) => isSameKey(each, columns))
  for (const { stored, keys } of groupByKeys(types, isTouched, writing.mapping)) {
    const isLedAway = (read: ReadColumns) =>
      join(
        keys.map((columns) => leadsAway(columns, parts, read)),
        ' or ',
      )
    const led = await findRows(
      { type: stored[0], stored, deleted: 'too', where: (read) => [...where(read), toSql`(${isLedAway(read)})`] },
      writing,
    )
    if (led.length > 0) throw refuseSharedColumn(relationship)
  }
}

function isSameKey(one: ForeignKeyNames, other: ForeignKeyNames): boolean {
  return one.length === other.length && one.every((column) => other.includes(column))
}

interface Alike {
  readonly stored: readonly [StoredType, ...StoredType[]]
  readonly keys: readonly ForeignKeyNames[]
}

/** Types whose rows lie in one table, or start there, and have the same of these keys: one statement looks at all of them. */
function groupByKeys(
  types: readonly StoredType[],
  isAsked: (columns: ForeignKeyNames) => boolean,
  mapping: Mapping,
): readonly Alike[] {
  const groups = new Map<string, Alike>()
  for (const type of types) {
    const keys = foreignKeysOf(type, mapping).filter(isAsked)
    if (keys.length === 0) continue
    const id = JSON.stringify([mapping.tableOf(type).parts[0].table, keys])
    groups.set(id, { keys, stored: [type, ...(groups.get(id)?.stored ?? [])] })
  }
  return [...groups.values()]
}

/** Of all relations, registered or not. */
function foreignKeysOf(type: StoredType, mapping: Mapping): readonly ForeignKeyNames[] {
  const chain: readonly unknown[] = classChain(type.resourceClass)
  return mapping
    .tableOf(type)
    .parts.flatMap(({ metadata }) => metadata.ownRelations)
    .filter(({ isWithJoinColumn, target }) => isWithJoinColumn && chain.includes(target))
    .map(({ joinColumns }) => joinColumns.map((column) => mapping.nameOf(column)))
}

/** The key refers to something, and would not as it does. */
function leadsAway(columns: ForeignKeyNames, parts: ForeignParts, read: ReadColumns): Sql {
  const isThere = read(columns).map((column) => toSql`${column} is not null`)
  const shared = columns.filter((column) => parts.has(column))
  if (shared.some((column) => parts.get(column) === null)) return toSql`(${join(isThere, ' and ')})`
  const keeps = read(shared).map((column, place) => toSql`${column} = ${value(parts.get(shared[place] ?? ''))}`)
  return toSql`(${join(isThere, ' and ')} and not (${join(keeps, ' and ')}))`
}
