import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Field, Relationship } from '../../graph/resource-graph'
import type { LinkChange, RightEnd } from '../../plan/write-plan'
import { isSamePart, keyOf } from './keys'
import type { ForeignColumn, Key, Mapping, RelationMapping } from './mapping'
import { toSql, value } from './sql'
import type { Assignments } from './writing'

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

/** What the columns of all these keys become. */
export function ownValues(keys: readonly OwnKey[]): Assignments {
  return new Map(keys.flatMap(({ link, key }) => (key === undefined ? [] : [...foreignValues(link.columns, key)])))
}

/** What the columns of a foreign key become. Those that belong to the primary key as well are what they are. */
export function foreignValues(columns: readonly ForeignColumn[], key: Key | null): Assignments {
  return new Map([...foreignParts(columns, key)].map(([column, part]) => [column, value(part)]))
}

/** By column; null where it is cleared. */
export type ForeignParts = ReadonlyMap<string, unknown>

export function foreignParts(columns: readonly ForeignColumn[], key: Key | null): ForeignParts {
  const written = columns.map((each, index) => ({ ...each, part: key === null ? null : key[index] }))
  const changed = written.filter(({ place, isCleared }) => (key === null ? isCleared : place === undefined))
  return new Map(changed.map(({ column, part }) => [column, part]))
}

/** A column that several of the keys that are sent have becomes what each of them says. */
export function checkSentAgree(sent: readonly OwnKey[]): void {
  const said = new Map<string, unknown>()
  for (const { relationship, key, link } of sent) {
    for (const [column, part] of key === undefined ? [] : foreignParts(link.columns, key)) {
      if (said.has(column) && !isSamePart(said.get(column), part)) throw refuseSharedColumn(relationship)
      said.set(column, part)
    }
  }
}

export function refuseSharedColumn({ name }: Relationship): JsonApiError {
  const detail = `Expected what leaves other relationships as they are: '${name}' says something else of a column that it shares with one.`
  return new JsonApiError([{ ...problem('resource.id-parts', detail), field: name }])
}

export function cleared(columns: readonly ForeignColumn[]): Assignments {
  return new Map(columns.filter(({ isCleared }) => isCleared).map(({ column }) => [column, toSql`null`]))
}

/** Whether a row with this key can refer to the other: where foreign keys are parts of keys, only to what its own says. */
export function canRefer(key: Key, columns: readonly ForeignColumn[], other: Key): boolean {
  return columns.every(({ place }, index) => place === undefined || isSamePart(key[place], other[index]))
}

export function refuseOtherId({ name }: Field): JsonApiError {
  const detail = `Expected what leaves ids as they are: '${name}' says something else of a part of one.`
  return new JsonApiError([{ ...problem('resource.id-parts', detail), field: name }])
}
