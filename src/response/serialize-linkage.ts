import { isJsonObject, type JsonObject } from '../document/json'
import { type JsonTextStream, toJsonArrayStream, toSinglePieceJsonTextStream } from '../document/json-text-stream'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import type { StoredTypeAndId } from '../store/read-result'
import { escapeIdForJson, serializationTemplateOf } from './resource-object-template'

/** Returns the cursor of an item, in a list that is paged by cursors. */
export type PrintItemCursor = (index: number) => string

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
export function linkageToJsonStream(
  relationship: Relationship,
  rows: readonly StoredTypeAndId[],
  cursorAt: PrintItemCursor | undefined = undefined,
): JsonTextStream {
  if (relationship.kind === 'toMany')
    return toJsonArrayStream(rows, (row, index) => identifierToJsonText(row, cursorAt?.(index)))
  const [row] = rows
  return toSinglePieceJsonTextStream(() => (row === undefined ? 'null' : identifierToJsonText(row)))
}

/** Writes a resource identifier object. */
function identifierToJsonText({ type, id }: StoredTypeAndId, cursor?: string): string {
  const text = `${serializationTemplateOf(type).start}${escapeIdForJson(id)}"`
  return cursor === undefined ? `${text}}` : `${text}${printItemMetaMember(undefined, cursor)}}`
}

/** Appends a resource identifier object, or `null`. */
export function appendIdentifierToJson(text: string, related: StoredTypeAndId | null | undefined): string {
  if (related === null || related === undefined) return `${text}null`
  return `${text}${serializationTemplateOf(related.type).start}${escapeIdForJson(related.id)}${IDENTIFIER_END}`
}

/** Appends the resource identifier objects of a to-many relationship. Most of them have the same type. */
export function appendIdentifiersToJson(text: string, rows: readonly StoredTypeAndId[]): string {
  let appended = text
  let lastType: StoredType | undefined
  let start = ''
  let next = ''
  for (const { type, id } of rows) {
    const isFirst = lastType === undefined
    if (type !== lastType) {
      start = serializationTemplateOf(type).start
      next = `${IDENTIFIER_END},${start}`
      lastType = type
    }
    appended = appended + (isFirst ? start : next) + escapeIdForJson(id)
  }
  return lastType === undefined ? text : appended + IDENTIFIER_END
}

const IDENTIFIER_END = '"}'

/** Writes the member `meta` of an item. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function printItemMetaMember(meta: JsonObject | undefined, cursor: string | undefined): string {
  if (cursor === undefined) return meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  const { page } = meta ?? {}
  return `,"meta":${JSON.stringify({ ...meta, page: { ...(isJsonObject(page) && page), cursor } })}`
}
