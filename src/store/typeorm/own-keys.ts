import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Field, Relationship } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { changeRows, type ReadColumns } from './change-rows'
import { isKey } from './key-sql'
import { keyOf } from './keys'
import type { ForeignColumn, Key, Mapping, RelationMapping } from './mapping'
import { type Sql, toSql, value } from './sql'
import type { Assignments, Writing } from './writing'

/** A to-one relationship whose key lies in the row that is written, and what the key will be. */
export interface OwnKey {
  readonly relationship: Relationship
  /** `null`: nothing is referred to. `undefined`: the row itself, as long as it has no key. */
  readonly key: Key | null | undefined
  readonly link: Extract<RelationMapping, { kind: 'keyOnLeft' }>
}

/** `ownKey`: what 'itself' stands for; `undefined` as long as the row has no key. */
export function ownKeysOf(links: readonly LinkChange[], mapping: Mapping, ownKey: Key | undefined): readonly OwnKey[] {
  return links.flatMap(({ relationship, rights: [right] }) => {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'keyOnLeft') return []
    return [{ relationship, key: right === undefined ? null : keyOfRight(mapping, right, ownKey), link }]
  })
}

export function keyOfRight<Own extends Key | undefined>(mapping: Mapping, right: RightEnd, ownKey: Own): Key | Own {
  return right === 'itself' ? ownKey : keyOf(mapping, right.type, right.id)
}

/** What the columns of a foreign key become. Those that belong to the primary key as well are what they are. */
export function foreignValues(columns: readonly ForeignColumn[], key: Key | null): Assignments {
  const written = columns.map((each, index) => ({ ...each, part: value(key === null ? null : key[index]) }))
  const changed = written.filter(({ place, isCleared }) => (key === null ? isCleared : place === undefined))
  return new Map(changed.map(({ column, part }) => [column, part]))
}

export function cleared(columns: readonly ForeignColumn[]): Assignments {
  return new Map(columns.filter(({ isCleared }) => isCleared).map(({ column }) => [column, toSql`null`]))
}

/** Whether a row with this key can refer to the other: where foreign keys are parts of keys, only to what its own says. */
export function canRefer(key: Key, columns: readonly ForeignColumn[], other: Key): boolean {
  return columns.every(({ place }, index) => place === undefined || String(key[place]) === String(other[index]))
}

export function refuseOtherId({ name }: Field): JsonApiError {
  const detail = `Expected what leaves ids as they are: '${name}' says something else of a part of one.`
  return new JsonApiError([{ ...problem('resource.id-parts', detail), field: name }])
}

/**
 * In a one-to-one relationship the right-hand resource leaves the one that it was linked to. Where that one can't be without, it
 * stays, and the database refuses the second.
 */
export async function freeRights(
  keys: readonly OwnKey[],
  others: (columns: ReadColumns) => readonly Sql[],
  writing: Writing,
): Promise<void> {
  for (const { key, link, relationship } of keys) {
    const { columns, isUnique, metadata } = link
    const emptied = cleared(columns)
    if (!isUnique || key === null || key === undefined || !metadata.isNullable || emptied.size === 0) continue
    const where = (read: ReadColumns) => [isKey(read(columns.map(({ column }) => column)), key), ...others(read)]
    await changeRows({ type: relationship.declaringType, deleted: 'too', where }, { set: emptied }, writing)
  }
}
