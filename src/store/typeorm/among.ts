import type { Relationship, ResourceType } from '../../graph/resource-graph'
import type { Among } from '../../plan/read-plan'
import { asRow, isAmongKeys, isExactlyKey, isKey } from './key-sql'
import { keyOf, toKeys } from './keys'
import type { Key, Mapping } from './mapping'
import { given } from './parameter'
import { foreignColumns, fromClause, innerScope, keyColumns, type Scope } from './scope'
import { identifier, join, NOTHING, type Sql, toSql } from './sql'

/** Which rows, by the keys that ids stand for. */
export type KeyedAmong =
  | { readonly kind: 'all' }
  | { readonly kind: 'one' | 'several'; readonly keys: readonly Key[] }
  | KeysOfLeft
  | SomeOfLeft
  | KeysOfRights

interface KeysOfLeft {
  readonly kind: 'relatedTo'
  readonly relationship: Relationship
  readonly leftType: ResourceType
  readonly leftKey: Key
}

/** Of the right rows those with these keys. */
interface SomeOfLeft extends Omit<KeysOfLeft, 'kind'> {
  readonly kind: 'someRelatedTo'
  readonly keys: readonly Key[]
}

interface KeysOfRights {
  readonly kind: 'leadingTo'
  readonly relationship: Relationship
  readonly keys: readonly Key[]
}

/** `undefined`: no row can have any of the ids. */
export function toKeyed(among: Among, type: ResourceType, mapping: Mapping): KeyedAmong | undefined {
  if (among.kind === 'all') return among
  if (among.kind === 'relatedTo') {
    const { relationship, left, ids } = among
    const leftKey = keyOf(mapping, left.type, left.id)
    const of = { relationship, leftType: left.type, leftKey }
    return ids === undefined
      ? { kind: 'relatedTo', ...of }
      : { kind: 'someRelatedTo', ...of, keys: toKeys(mapping, type, ids) }
  }
  if (among.kind === 'leadingTo') {
    const { relationship, ids } = among
    return { kind: 'leadingTo', relationship, keys: toKeys(mapping, relationship.target, ids) }
  }
  const keys = toKeys(mapping, type, among.ids)
  if (keys.length === 0) return undefined
  return { kind: keys.length === 1 ? 'one' : 'several', keys }
}

/** `pairLock`: stands behind a select of pairs, where those are to be locked. */
export function compileAmong(among: KeyedAmong, scope: Scope, pairLock = NOTHING): readonly Sql[] {
  if (among.kind === 'all') return []
  const { mapping, type } = scope
  if (among.kind === 'relatedTo') return relatedTo(among, scope, pairLock)
  if (among.kind === 'someRelatedTo') return [...relatedTo(among, scope, pairLock), withKeys(among, scope)]
  if (among.kind === 'leadingTo') return leadingTo(among, scope)
  const { key: of } = mapping.tableOf(type)
  const columns = keyColumns(scope)
  const keys = given(among, (node) => node.keys)
  if (among.kind === 'several') return [isAmongKeys(columns, keys, of, mapping.dialect)]
  const only = given(among, (node) => node.keys[0] ?? [])
  return isExactlyKey(columns, only, of, mapping.dialect)
}

/** Whether the keys of the rows' links lie in a table of their own. */
export function isByPairs(among: KeyedAmong, mapping: Mapping): boolean {
  return among.kind === 'relatedTo' && mapping.relationOf(among.relationship).kind === 'junction'
}

function relatedTo(among: KeysOfLeft | SomeOfLeft, scope: Scope, pairLock: Sql): readonly Sql[] {
  const link = scope.mapping.relationOf(among.relationship)
  const key = given(among, (node) => node.leftKey)
  const own = keyColumns(scope)
  if (link.kind === 'keyOnRight') return [isKey(foreignColumns(scope, link.columns), key)]
  if (link.kind === 'keyOnLeft') {
    const above = innerScope(scope, among.leftType)
    const foreign = join(foreignColumns(above, link.columns), ', ')
    const isLeft = isKey(keyColumns(above), key)
    return [toSql`${asRow(own)} = (select ${foreign} from ${fromClause(above)} where ${isLeft})`]
  }
  const pairs = toSql`select ${join(link.rightColumns.map(identifier), ', ')} from ${identifier(link.table)}`
  const ofLeft = isKey(link.leftColumns.map(identifier), key)
  return [toSql`${asRow(own)} in (${pairs} where ${ofLeft}${pairLock})`]
}

function withKeys(among: SomeOfLeft, scope: Scope): Sql {
  const { mapping, type } = scope
  const keys = given(among, (node) => node.keys)
  return isAmongKeys(keyColumns(scope), keys, mapping.tableOf(type).key, mapping.dialect)
}

function leadingTo(among: KeysOfRights, scope: Scope): readonly Sql[] {
  const { mapping } = scope
  const { target } = among.relationship
  const link = mapping.relationOf(among.relationship)
  const { key: of } = mapping.tableOf(target)
  const keys = given(among, (node) => node.keys)
  if (link.kind === 'keyOnLeft') return [isAmongKeys(foreignColumns(scope, link.columns), keys, of, mapping.dialect)]
  const own = asRow(keyColumns(scope))
  if (link.kind === 'keyOnRight') {
    const right = innerScope(scope, target)
    const foreign = join(foreignColumns(right, link.columns), ', ')
    const isRight = isAmongKeys(keyColumns(right), keys, of, mapping.dialect)
    return [toSql`${own} in (select ${foreign} from ${fromClause(right)} where ${isRight})`]
  }
  const pairs = toSql`select ${join(link.leftColumns.map(identifier), ', ')} from ${identifier(link.table)}`
  return [
    toSql`${own} in (${pairs} where ${isAmongKeys(link.rightColumns.map(identifier), keys, of, mapping.dialect)})`,
  ]
}
