import type { ObjectLiteral } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import {
  decodeIdToRuntimeKey,
  encodeRuntimeKeyToId,
  isPossibleUntransformedKeyText,
} from '../../../graph/model/record-id'
import type { ResourceType } from '../../../graph/model/resource-graph'
import type { AttributePath } from '../../../query/tree/ast'
import type { ColumnValuesInSelectOrder } from './column-values-in-select-order'
import { TransformerError } from './convert-values'
import type { ColumnMapping, DatabaseMapping, Key, ResourceTypeMapping } from './database-mapping'

/** Returns the key of an id in a URL or document; `undefined` if no row can have it. */
export function findKeyOfId(mapping: DatabaseMapping, type: ResourceType, id: string): Key | undefined {
  const { constraints, isTransformed } = type.id
  if (!isTransformed && !isPossibleUntransformedKeyText(id, constraints)) return undefined
  const value = decodeIdToRuntimeKey(id, constraints)
  return value === undefined ? undefined : tryToDatabaseKey(mapping.tableOf(type).key, value)
}

/** Returns `undefined` if a transformer fails: clients send any text, and no row can have such a key. */
function tryToDatabaseKey(columns: readonly ColumnMapping[], value: unknown): Key | undefined {
  try {
    return toDatabaseKey(columns, value)
  } catch (error) {
    if (error instanceof TransformerError) return undefined
    throw error
  }
}

/** Returns the key of an id that was read or checked before. */
export function getKeyOfCheckedId(mapping: DatabaseMapping, type: ResourceType, id: string): Key {
  const key = findKeyOfId(mapping, type, id)
  if (key === undefined) throw new InvariantError(`'${id}' can't be an id of '${type.name}'.`)
  return key
}

/** Returns the keys of ids. Skips ids that no row can have. */
export function keysOfValidIds(mapping: DatabaseMapping, type: ResourceType, ids: readonly string[]): readonly Key[] {
  return ids.flatMap((id) => {
    const key = findKeyOfId(mapping, type, id)
    return key === undefined ? [] : [key]
  })
}

/** Converts the runtime value of a key or id to the values of its columns, as parameters. */
export function toDatabaseKey(columns: readonly ColumnMapping[], value: unknown): Key {
  const parts: readonly unknown[] = columns.length === 1 ? [value] : (value as readonly unknown[])
  return columns.map(({ toDatabase }, index) => toDatabase(parts[index]))
}

/** Converts a key as the driver returns it, or as parameters, to its runtime value: a list if it has several columns. */
export function convertDatabaseKeyToRuntimeValue(columns: readonly ColumnMapping[], key: Key): unknown {
  const parts = columns.map(({ fromDatabase }, index) => fromDatabase(key[index]))
  return columns.length === 1 ? parts[0] : parts
}

/** Returns the columns at the end of a path; an id has all columns of the key. */
export function columnsOfAttributePath(
  mapping: DatabaseMapping,
  { type, attribute, member }: AttributePath,
): readonly ColumnMapping[] {
  if (member === undefined) return attribute === type.id ? mapping.tableOf(type).key : [mapping.columnOf(attribute)]
  const name = member.path.join('.')
  const part = mapping.columnOf(attribute).embeddedColumns?.find(({ path }) => path.join('.') === name)
  if (part === undefined) throw new InvariantError(`'${attribute.name}.${name}' is not mapped.`)
  return [part.column]
}

/** Reads a key from a row; `undefined` if the row has none, for example in a left join. */
export type ReadKeyFromRawRow = (rawRow: ColumnValuesInSelectOrder) => Key | undefined

/** Compiles the reader of a key in a row. Parts of a composite key, days and moments become parameters, since drivers return them as objects. */
export function createKeyReader(columns: readonly ColumnMapping[], indexes: readonly number[]): ReadKeyFromRawRow {
  const [only] = indexes
  if (indexes.length === 1 && only !== undefined && columns[0]?.isNormalizedInKeys !== true) {
    return (rawRow) => (rawRow[only] == null ? undefined : [rawRow[only]])
  }
  return (rawRow) => {
    const key = indexes.map((index) => rawRow[index])
    return key.some((part) => part == null)
      ? undefined
      : toDatabaseKey(columns, convertDatabaseKeyToRuntimeValue(columns, key))
  }
}

export function idOfKey(columns: readonly ColumnMapping[], type: ResourceType, key: Key): string {
  return encodeRuntimeKeyToId(convertDatabaseKeyToRuntimeValue(columns, key), type.id.constraints)
}

/** Returns the id of an entity, which is the same as that of its row. */
export function idOfEntity(entity: ObjectLiteral, { key: columns }: ResourceTypeMapping, type: ResourceType): string {
  const { constraints } = type.id
  const parts = columns.map(({ metadata, fromEntity }) => fromEntity(metadata.getEntityValue(entity)))
  return encodeRuntimeKeyToId(parts.length === 1 ? parts[0] : parts, constraints)
}

/** Returns equal texts for equal keys only. Values of drivers can't be compared directly. */
export function keyToMapKey(key: Key): string {
  return key.length === 1 ? keyPartToText(key[0]) : JSON.stringify(key.map(keyPartToText))
}

/** Returns true if two parts of keys are equal as parameters. An empty foreign key is `null`. */
export function isSameKeyPart(left: unknown, right: unknown): boolean {
  return left === null || right === null ? left === right : keyPartToText(left) === keyPartToText(right)
}

/** Prints bytes as hex, because different invalid UTF-8 bytes would become the same text. */
function keyPartToText(part: unknown): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('hex')
  return typeof part === 'object' ? JSON.stringify(part) : String(part)
}

export function distinctKeys(keys: readonly Key[]): readonly Key[] {
  return [...new Map(keys.map((key) => [keyToMapKey(key), key])).values()]
}
