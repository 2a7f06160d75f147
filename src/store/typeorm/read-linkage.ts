import { assertNever } from '../../errors/invariant'
import type { Relationship } from '../../graph/resource-graph'
import type { LeftEnd } from '../../plan/plan-read'
import type { State } from '../read-result'
import { findRows, type ReadColumns } from './change-rows'
import type { Dialect } from './dialect'
import { asRow, isKey, type KeySql } from './key-sql'
import { keyOf } from './keys'
import type { RunSelect } from './load-includes'
import type { Key, Mapping, RelationMapping } from './mapping'
import { foreignColumns, fromClause, keyColumns, presence, rootScope, whereClause } from './scope'
import { identifier, join, NOTHING, printSql, type Sql, toSql } from './sql'

/**
 * What tells one linkage from another, made by the database of all keys: one statement with one row, however many there are. Locked, none of
 * them can be taken away by others; nor can any be added while the left row is locked, since its key is looked up for that.
 */
export async function readLinkage(
  left: LeftEnd,
  relationship: Relationship,
  mapping: Mapping,
  run: RunSelect,
  lock: 'lock' | 'noLock',
): Promise<State | undefined> {
  const relation = mapping.relationOf(relationship)
  if (relation.kind === 'keyOnLeft') return undefined
  const key = keyOf(mapping, left.type, left.id)
  const isUnited = relation.kind === 'keyOnRight' && mapping.tableOf(relationship.target).branches.length > 1
  if (isUnited && lock === 'lock') await lockMembers(relationship, relation, key, { mapping, run })
  const keys = keysOf(key, relationship, relation, mapping)
  const { records } = await run(printSql(selectDigest(keys, mapping, isUnited ? 'noLock' : lock), mapping.dialect))
  const [cells] = records
  const text = JSON.stringify([relationship.name, left.id, cells?.[0] ?? null])
  return { kind: 'values', textOf: () => text }
}

type KeyOnRight = Extract<RelationMapping, { kind: 'keyOnRight' }>

/** Rows that are united can't be locked: those of each table are, by themselves. */
async function lockMembers(
  { target }: Relationship,
  { columns }: KeyOnRight,
  key: Key,
  { mapping, run }: { readonly mapping: Mapping; readonly run: RunSelect },
): Promise<void> {
  const where = (read: ReadColumns) => [isKey(read(columns.map(({ column }) => column)), key)]
  const records = async (sql: Sql) => ({
    records: [...(await run(printSql(sql, mapping.dialect))).records],
    affected: 0,
    raw: undefined,
  })
  await findRows({ type: target, deleted: 'not', where }, { mapping, run: records })
}

interface Keys {
  /** All that tells a right row from another, as one expression. */
  readonly column: Sql
  /** From `from` on. */
  readonly rows: Sql
  /** Of the table whose rows are to be locked. */
  readonly alias: string
}

function keysOf(
  key: Key,
  { target }: Relationship,
  relation: Exclude<RelationMapping, { kind: 'keyOnLeft' }>,
  mapping: Mapping,
): Keys {
  const scope = rootScope(mapping, target)
  if (relation.kind === 'keyOnRight') {
    const conditions = [isKey(foreignColumns(scope, relation.columns), key), ...presence(scope)]
    const column = asOne(keyColumns(scope), mapping.dialect)
    const rows = toSql`from ${fromClause(scope)} where ${join(conditions, ' and ')}`
    return { column, rows, alias: scope.alias }
  }
  const rights = relation.rightColumns.map(identifier)
  const column = asOne(rights, mapping.dialect)
  const ofLeft = isKey(relation.leftColumns.map(identifier), key)
  const pairs = toSql`from ${identifier(`${relation.table} ${PAIRS}`)} where ${ofLeft}`
  if (mapping.tableOf(target).goneBy.length === 0) return { column, rows: pairs, alias: PAIRS }
  const conditions = whereClause(presence(scope))
  const kept = toSql`select ${join(keyColumns(scope), ', ')} from ${fromClause(scope)}${conditions}`
  return { column, rows: toSql`${pairs} and ${asRow(rights)} in (${kept})`, alias: PAIRS }
}

const PAIRS = 'pairs'

function asOne(columns: KeySql, { name }: Dialect): Sql {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) return only
  return toSql`${identifier(name === 'postgres' ? 'json_build_array' : 'json_array')}(${join(columns, ', ')})`
}

function selectDigest({ column, rows, alias }: Keys, { dialect }: Mapping, lock: 'lock' | 'noLock'): Sql {
  const locked = lock === 'lock' ? dialect.lock(alias) : NOTHING
  switch (dialect.name) {
    case 'sqlite':
      return toSql`select json_group_array(part) as digest from (select cast(${column} as text) as part ${rows} order by 1)`
    case 'postgres': {
      // Rows that are aggregated can't be locked, those of a subselect can.
      const parts = toSql`select (${column})::text as part ${rows}${locked}`
      // Hashed each, since a key may have any character that could stand between them.
      return toSql`select md5(string_agg(md5(part), ',' order by part collate "C")) as digest from (${parts}) parts`
    }
    case 'mysql': {
      // `group_concat` ends where `group_concat_max_len` says, so the parts are hashed each.
      const [start, end] = [toSql`left(md5(${column}), 16)`, toSql`right(md5(${column}), 16)`]
      const sums = join([bits(start), bits(end)], ', ')
      return toSql`select concat_ws(' ', count(*), ${sums}) as digest ${rows}${locked}`
    }
    default:
      return assertNever(dialect.name)
  }
}

function bits(hexadecimal: Sql): Sql {
  return toSql`bit_xor(cast(conv(${hexadecimal}, 16, 10) as unsigned))`
}
