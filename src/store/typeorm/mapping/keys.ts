import type { ObjectLiteral } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import { decodeId, encodeId } from '../../../graph/model/record-id'
import type { ResourceType } from '../../../graph/model/resource-graph'
import type { AttributePath } from '../../../query/tree/ast'
import { TransformerError } from './convert-values'
import type { ColumnMapping, Key, Mapping, TableMapping } from './mapping'
import type { RawRow } from './raw-row'

/** Returns the key of an id in a URL or document; `undefined` if no row can have it. */
export function findKeyOfId(mapping: Mapping, type: ResourceType, id: string): Key | undefined {
  const held = decodeId(id, type.id.range)
  return held === undefined ? undefined : tryToDatabaseKey(mapping.tableOf(type).key, held)
}

/** Clients send any text: what a transformer fails on is the key of no row. */
function tryToDatabaseKey(columns: readonly ColumnMapping[], held: unknown): Key | undefined {
  try {
    return toDatabaseKey(columns, held)
  } catch (error) {
    if (error instanceof TransformerError) return undefined
    throw error
  }
}

/** Returns the key of an id that was found or checked before. */
export function getKeyOfId(mapping: Mapping, type: ResourceType, id: string): Key {
  const key = findKeyOfId(mapping, type, id)
  if (key === undefined) throw new InvariantError(`'${id}' can't be an id of '${type.name}'.`)
  return key
}

/** The keys of those ids that rows can have. */
export function keysOfIds(mapping: Mapping, type: ResourceType, ids: readonly string[]): readonly Key[] {
  return ids.flatMap((id) => {
    const key = findKeyOfId(mapping, type, id)
    return key === undefined ? [] : [key]
  })
}

/** Converts the runtime value of a key or id to the values of its columns, as parameters. */
export function toDatabaseKey(columns: readonly ColumnMapping[], held: unknown): Key {
  const parts: readonly unknown[] = columns.length === 1 ? [held] : (held as readonly unknown[])
  return columns.map(({ toDatabase }, place) => toDatabase(parts[place]))
}

/** Converts a key, as the driver returns it or as parameters, to its runtime value: a list if it has several columns. */
export function toRuntimeKey(columns: readonly ColumnMapping[], key: Key): unknown {
  const parts = columns.map(({ fromDatabase }, place) => fromDatabase(key[place]))
  return columns.length === 1 ? parts[0] : parts
}

/** Returns the columns at the end of a path; an id has all columns of the key. */
export function columnsOfPath(mapping: Mapping, { type, attribute, member }: AttributePath): readonly ColumnMapping[] {
  if (member === undefined) return attribute === type.id ? mapping.tableOf(type).key : [mapping.columnOf(attribute)]
  const name = member.path.join('.')
  const part = mapping.columnOf(attribute).embeddedColumns?.find(({ path }) => path.join('.') === name)
  if (part === undefined) throw new InvariantError(`'${attribute.name}.${name}' is not mapped.`)
  return [part.column]
}

/** `undefined`: what could have the key has none. */
export type ReadKey = (rawRow: RawRow) => Key | undefined

/** Compiles the reader of a key in a row. Parts of a composite key become parameters, since drivers return dates as objects. */
export function createKeyReader(columns: readonly ColumnMapping[], places: readonly number[]): ReadKey {
  const [place] = places
  if (places.length === 1 && place !== undefined) {
    return (rawRow) => (rawRow[place] == null ? undefined : [rawRow[place]])
  }
  return (rawRow) => {
    const key = places.map((each) => rawRow[each])
    return key.some((each) => each == null) ? undefined : toDatabaseKey(columns, toRuntimeKey(columns, key))
  }
}

export function idOfKey(columns: readonly ColumnMapping[], type: ResourceType, key: Key): string {
  return encodeId(toRuntimeKey(columns, key), type.id.range)
}

/** Returns the id of an entity; a codec gets the same key as for a row. */
export function idOfEntity(entity: ObjectLiteral, { key: columns }: TableMapping, type: ResourceType): string {
  const { range } = type.id
  const parts = columns.map(({ metadata, fromEntity }): unknown => {
    const part: unknown = metadata.getEntityValue(entity)
    return range.codec === undefined ? part : fromEntity(part)
  })
  return encodeId(parts.length === 1 ? parts[0] : parts, range)
}

/** A text that is equal for equal keys only, because values of drivers can't be compared directly. */
export function keyToText(key: Key): string {
  return key.length === 1 ? keyPartToText(key[0]) : JSON.stringify(key.map(keyPartToText))
}

/** Returns true if two parts of keys are equal as parameters; `null`: an empty foreign key. */
export function isSameKeyPart(one: unknown, other: unknown): boolean {
  return one === null || other === null ? one === other : keyPartToText(one) === keyPartToText(other)
}

/** Bytes that are no text would all be the same text. */
function keyPartToText(part: unknown): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('hex')
  return typeof part === 'object' ? JSON.stringify(part) : String(part)
}

export function distinctKeys(keys: readonly Key[]): readonly Key[] {
  return [...new Map(keys.map((key) => [keyToText(key), key])).values()]
}
