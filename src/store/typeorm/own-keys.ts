import type { StoredType } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import type { Mapping, RelationMapping } from './mapping'
import { identifier, join, type Sql, toSql, value } from './sql'
import { stampsOfUpdate } from './stamps'
import { keyOf, setClause, type Writing } from './writing'

/** A to-one relationship whose key lies in the row that is written, and what the key will be. */
export interface OwnKey {
  /** Quoted. */
  readonly column: string
  readonly key: unknown
  readonly link: Extract<RelationMapping, { kind: 'keyOnLeft' }>
}

/** `ownKey`: what 'itself' stands for; `undefined` as long as the row has no key. */
export function ownKeysOf(links: readonly LinkChange[], mapping: Mapping, ownKey: unknown): readonly OwnKey[] {
  return links.flatMap(({ relationship, rights: [right] }) => {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'keyOnLeft') return []
    const key = right === undefined ? null : keyOfRight(mapping, right, ownKey)
    return [{ column: link.column, key, link }]
  })
}

export function keyOfRight(mapping: Mapping, right: RightEnd, ownKey: unknown): unknown {
  return right === 'itself' ? ownKey : keyOf(mapping, right.type, right.id)
}

/**
 * In a one-to-one relationship the right-hand resource leaves the one that it was linked to. Where that one can't be without, it
 * stays, and the database refuses the second.
 */
export async function freeRights(
  keys: readonly OwnKey[],
  type: StoredType,
  others: readonly Sql[],
  { mapping, run }: Writing,
): Promise<void> {
  const table = identifier(mapping.tableOf(type).name)
  for (const { column, key, link } of keys) {
    if (!link.isUnique || key === null || key === undefined || link.metadata.relationMetadata?.isNullable !== true)
      continue
    const taken = [toSql`${identifier(column)} = ${value(key)}`, ...others]
    const assignments = new Map([...stampsOfUpdate(mapping, type), [column, toSql`null`] as const])
    await run(toSql`update ${table} set ${setClause(assignments)} where ${join(taken, ' and ')}`)
  }
}
