import { assertNever } from '../../errors/invariant'
import type { Relationship } from '../../graph/resource-graph'
import type { LeftEnd } from '../../plan/plan-read'
import type { State } from '../read-result'
import type { Dialect } from './dialect'
import { asRow, isKey, type KeySql, keySql } from './key-sql'
import { keyOf } from './keys'
import type { RunSelect } from './load-includes'
import type { Mapping, RelationMapping } from './mapping'
import { identifier, join, NOTHING, type Sql, toSql } from './sql'
import { present } from './writing'

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
  const keys = keysOf(left, relationship, relation, mapping)
  const [record] = await run(selectDigest(keys, mapping, lock))
  return { kind: 'values', text: JSON.stringify([relationship.name, left.id, record?.digest ?? null]) }
}

interface Keys {
  /** All that tells a right row from another, as one expression. */
  readonly column: Sql
  /** From `from` on. */
  readonly rows: Sql
}

function keysOf(
  left: LeftEnd,
  { target }: Relationship,
  relation: Exclude<RelationMapping, { kind: 'keyOnLeft' }>,
  mapping: Mapping,
): Keys {
  const { name, key: columns, deletedAt } = mapping.tableOf(target)
  const key = keyOf(mapping, left.type, left.id)
  const own = keySql(columns)
  if (relation.kind === 'keyOnRight') {
    const conditions = [isKey(keySql(relation.columns), key), ...present(mapping, target.concreteTypes)]
    const rows = toSql`from ${identifier(name)} where ${join(conditions, ' and ')}`
    return { column: asOne(own, mapping.dialect), rows }
  }
  const rights = relation.rightColumns.map(identifier)
  const column = asOne(rights, mapping.dialect)
  const pairs = toSql`from ${identifier(relation.table)} where ${isKey(relation.leftColumns.map(identifier), key)}`
  if (deletedAt === undefined) return { column, rows: pairs }
  const kept = toSql`select ${join(own, ', ')} from ${identifier(name)} where ${identifier(deletedAt.column)} is null`
  return { column, rows: toSql`${pairs} and ${asRow(rights)} in (${kept})` }
}

function asOne(columns: KeySql, { name }: Dialect): Sql {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) return only
  return toSql`${identifier(name === 'postgres' ? 'json_build_array' : 'json_array')}(${join(columns, ', ')})`
}

function selectDigest({ column, rows }: Keys, { dialect }: Mapping, lock: 'lock' | 'noLock'): Sql {
  const locked = lock === 'lock' ? toSql` for update` : NOTHING
  switch (dialect.name) {
    case 'sqlite':
      return toSql`select group_concat(part) as digest from (select cast(${column} as text) as part ${rows} order by 1)`
    case 'postgres': {
      // Rows that are aggregated can't be locked, those of a subselect can.
      const parts = toSql`select (${column})::text as part ${rows}${locked}`
      return toSql`select md5(string_agg(part, ',' order by part collate "C")) as digest from (${parts}) parts`
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
