import type { EntityMetadata } from 'typeorm'
import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { StoredType } from '../../graph/resource-graph'
import { type Among, amongKeys, isJoined, setByKey, tablesOf } from './change-rows'
import { asRow } from './key-sql'
import type { ForeignKey, TablePart } from './mapping'
import { selectKey } from './select-columns'
import { identifier, join, type Sql, toSql } from './sql'
import { stampsOfEntity, stampsOfUpdate, time } from './stamps'
import { hierarchyOf } from './table-layout'
import { presentIn, setClause, storedIn, type Writing } from './writing'

/**
 * Deletes the rows of these types with these keys: what refers to them is loosened before. Where rows only count as deleted, that is all
 * that happens to them, unless they go along with others. Gives the number of rows that were there.
 */
export async function deleteRows(
  types: readonly StoredType[],
  among: Among,
  writing: Writing,
  along?: readonly Going[],
): Promise<number> {
  const [type] = types
  if (type === undefined) return 0
  const { mapping } = writing
  const { deletedAt } = mapping.tableOf(type)
  if (deletedAt !== undefined && along === undefined) {
    const set = new Map([
      ...types.flatMap((each) => [...stampsOfUpdate(mapping, each)]),
      [deletedAt.column, time(mapping, deletedAt.metadata, new Date())] as const,
    ])
    return setByKey(types, set, among, writing)
  }
  const going = [...(along ?? []), { hierarchy: hierarchyName(mapping.tableOf(type).metadata), among }]
  await loosen(types, among, { ...writing, going })
  const tables = tablesOf(types, mapping)
  const parts = new Map(tables.flatMap((each) => each.parts.toReversed()).map((part) => [part.table, part]))
  const counts: number[] = []
  // What goes along does so whether it counts as deleted already or not: the database asks no date either.
  const rowsIn = along === undefined ? presentIn : storedIn
  for (const part of lowestFirst([...parts.values()])) {
    counts.push(await deletePart(part, among, rowsIn(part, types, mapping), writing))
  }
  const [first] = tables
  return first !== undefined && isJoined(first) ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0)
}

/** Rows that refer to each other in a circle are all on their way: none is come back to. */
interface Going {
  readonly hierarchy: string
  readonly among: Among
}

interface Deleting extends Writing {
  readonly going: readonly Going[]
}

function hierarchyName(metadata: EntityMetadata): string {
  const [root = metadata] = hierarchyOf(metadata)
  return root.tablePath
}

/** Parts of a row refer to that of the class above. */
function lowestFirst(parts: readonly TablePart[]): readonly TablePart[] {
  return parts.toSorted((one, other) => hierarchyPlace(other) - hierarchyPlace(one))
}

function hierarchyPlace({ metadata }: TablePart): number {
  return hierarchyOf(metadata).indexOf(metadata)
}

async function deletePart(
  { table, key }: TablePart,
  among: Among,
  conditions: readonly Sql[],
  { run }: Writing,
): Promise<number> {
  const rows = join([among(key.map(identifier)), ...conditions], ' and ')
  return (await run(toSql`delete from ${identifier(table)} where ${rows}`)).affected
}

/**
 * Optional keys that refer to the rows are emptied, and the rows are taken out of all tables of pairs. Where no foreign key of the database
 * can refer to them, what it would do is done here.
 */
async function loosen(types: readonly StoredType[], among: Among, writing: Deleting): Promise<void> {
  const { mapping, run } = writing
  const keys = types.flatMap((type) => mapping.referencesTo(type))
  for (const each of distinct(keys, ({ part, columns }) => [part.table, ...columns])) {
    await loosenKey(each, types, among, writing)
  }
  const pairs = types.flatMap((type) => mapping.pairsWith(type))
  for (const { table, ends } of distinct(pairs, (each) => [each.table, ...each.ends.flat()])) {
    const rows = ends.map((columns) => among(columns.map(identifier)))
    await run(toSql`delete from ${identifier(table)} where ${join(rows, ' or ')}`)
  }
}

function distinct<Place>(places: readonly Place[], keyOf: (place: Place) => readonly string[]): readonly Place[] {
  return [...new Map(places.map((place) => [keyOf(place).join(), place])).values()]
}

async function loosenKey(
  reference: ForeignKey,
  types: readonly StoredType[],
  among: Among,
  writing: Deleting,
): Promise<void> {
  const { part, columns, onDelete } = reference
  const isReferring = among(columns.map(identifier))
  switch (onDelete) {
    case 'emptied':
      return emptyKey(reference, isReferring, writing)
    case 'deleted':
      return deleteReferring(reference, isReferring, writing)
    case 'refused': {
      const isGoingToo = tablesOf(types, writing.mapping).some(({ parts }) => parts[0].table === part.table)
      const own = part.key.map(identifier)
      const stays = isGoingToo ? [isReferring, toSql`not ${among(own)}`] : [isReferring]
      const from = toSql`from ${identifier(`${part.table} ${ALIAS}`)} where ${join(stays, ' and ')}`
      // Locked, so that MySQL looks at what is there now, and not at what was there when the transaction began.
      const locked = writing.mapping.dialect.lock(ALIAS)
      const { records } = await writing.run(toSql`select ${join(own, ', ')} ${from} limit 1${locked}`)
      if (records.length > 0) {
        throw new JsonApiError([problem('constraint.reference', 'Other resources refer to it.')])
      }
      return
    }
    default:
      return assertNever(onDelete)
  }
}

async function emptyKey(
  { part, stamped, emptied }: ForeignKey,
  isReferring: Sql,
  { mapping, run }: Writing,
): Promise<void> {
  const set = new Map(emptied.map((column) => [column, toSql`null`]))
  const keys = toSql`select ${join(part.key.map(identifier), ', ')} from ${identifier(part.table)} where ${isReferring}`
  for (const beside of stamped) {
    const rows = toSql`${asRow(beside.key.map(identifier))} in (${keys})`
    const stamps = stampsOfEntity(mapping, beside.metadata)
    await run(toSql`update ${identifier(beside.table)} set ${setClause(stamps)} where ${rows}`)
  }
  const all = new Map([...stampsOfEntity(mapping, part.metadata), ...set])
  await run(toSql`update ${identifier(part.table)} set ${setClause(all)} where ${isReferring}`)
}

async function deleteReferring({ part, types }: ForeignKey, isReferring: Sql, writing: Deleting): Promise<void> {
  const { mapping, run, going } = writing
  const [type] = types
  if (type === undefined) {
    await run(toSql`delete from ${identifier(part.table)} where ${isReferring}`)
    return
  }
  const table = mapping.tableOf(type)
  const selected = selectKey(part.key.map(identifier), table.key, { name: 'found', place: 0 })
  const own = going.filter(({ hierarchy }) => hierarchy === hierarchyName(part.metadata))
  const stays = own.map(({ among }) => toSql`not ${among(part.key.map(identifier))}`)
  const from = toSql`from ${identifier(`${part.table} ${ALIAS}`)} where ${join([isReferring, ...stays], ' and ')}`
  const { records } = await run(toSql`select ${selected.sql} ${from}${mapping.dialect.lock(ALIAS)}`)
  const keys = records.flatMap((cells) => [selected.readKey(cells) ?? []])
  if (keys.length > 0) await deleteRows(types, amongKeys(keys, table, mapping), writing, going)
}

const ALIAS = 'each_row'
