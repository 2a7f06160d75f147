import type { StoredType } from '../../graph/resource-graph'
import type { Layer, ShownFields } from '../../plan/read-plan'
import type { LinkChange } from '../../plan/write-plan'
import { columnsBehind } from './column-parts'
import { keyOf, toKey } from './keys'
import type { Key, Mapping } from './mapping'
import type { OwnKey } from './own-keys'
import { hasIsolationLevel } from './somebody-told'
import { layoutOf } from './table-layout'

/** A foreign key of a row, and the type of the row that it refers to. */
export interface RightKey extends OwnKey {
  readonly right: { readonly type: StoredType; readonly key: Key } | undefined
}

/**
 * Whether a row of this type is written and told by one statement: it lies whole in one table, nobody listens, and no code of the application
 * stands between its columns and what clients see.
 */
export function isWrittenAlone(type: StoredType, mapping: Mapping): boolean {
  const known = WRITTEN_ALONE.get(mapping)?.get(type)
  if (known !== undefined) return known
  const found = isReturned(mapping) && liesAlone(type, mapping)
  WRITTEN_ALONE.set(mapping, (WRITTEN_ALONE.get(mapping) ?? new Map<StoredType, boolean>()).set(type, found))
  return found
}

const WRITTEN_ALONE = new WeakMap<Mapping, Map<StoredType, boolean>>()

/** Whether the driver gives the rows of any write, as our own one for sqlite3 does too, and its transactions are as the database has them. */
function isReturned({ dataSource }: Mapping): boolean {
  const { type } = dataSource.options
  return (type === 'better-sqlite3' || type === 'postgres') && !hasIsolationLevel(dataSource)
}

function liesAlone(type: StoredType, mapping: Mapping): boolean {
  const { parts, extensions, branches, columns, listeners, key, metadata } = mapping.tableOf(type)
  const { insert, update, load } = listeners
  if (parts.length + branches.length > 2 || extensions.size > 0 || columns !== undefined) return false
  if (layoutOf(metadata) === 'perConcreteType' || metadata.database !== undefined || key.length > 1) return false
  if (insert || update || load || type.id.isTransformed || type.id.range.codec !== undefined) return false
  const behind = type.attributes.flatMap((attribute) => columnsBehind(mapping.columnOf(type, attribute)))
  const isOwn = behind.every(({ query, column }) => query === undefined && column !== key[0]?.column)
  return isOwn && type.attributes.every(({ isTransformed }) => !isTransformed)
}

/** Whether nothing but the row itself decides what a layer has of it. */
export function isRowAlone({ type: declared, filter, includes }: Layer, shown: ShownFields, type: StoredType): boolean {
  if (declared !== type || filter !== undefined || includes.length > 0) return false
  const { hooks, linked } = shown.of(type)
  return hooks === undefined && linked.length === 0
}

/** `undefined`: other tables are written as well, or other rows, or nobody holds what is referred to, or two keys may say different things. */
export function foreignKeysIn(links: readonly LinkChange[], mapping: Mapping): readonly RightKey[] | undefined {
  const keys: RightKey[] = []
  const said = new Set<string>()
  for (const {
    relationship,
    rights: [right],
  } of links) {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'keyOnLeft' || link.isUnique || !link.isGuarded || right === 'itself') return undefined
    if (link.columns.some(({ column, place, isShared }) => place !== undefined || isShared || said.has(column)))
      return undefined
    for (const { column } of link.columns) said.add(column)
    if (right !== undefined && !isFoundAlone(right, mapping)) return undefined
    const key = right === undefined ? null : keyOf(mapping, right.type, right.id)
    keys.push({ relationship, key, link, right: right && key ? { type: right.type, key } : undefined })
  }
  return keys
}

/** Whether its one table tells that it is there. */
function isFoundAlone({ type, id }: { readonly type: StoredType; readonly id: string }, mapping: Mapping): boolean {
  const { parts, extensions } = mapping.tableOf(type)
  return parts.length === 1 && extensions.size === 0 && toKey(mapping, type, id) !== undefined
}
