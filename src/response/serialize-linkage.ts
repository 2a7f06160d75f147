import { isJsonObject, type JsonObject } from '../document/json'
import { type JsonTextStream, streamJsonArray, streamJsonValue } from '../document/json-text-stream'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import type { StoredTypeAndId } from '../store/read-result'
import { quoteIdForJson, resourceObjectTemplateOf } from './resource-object-template'

/** Returns the cursor of an item, in a list that is paged by cursors. */
export type PrintItemCursor = (index: number) => string

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
export function serializeLinkage(
  relationship: Relationship,
  rows: readonly StoredTypeAndId[],
  cursorAt: PrintItemCursor | undefined = undefined,
): JsonTextStream {
  if (relationship.kind === 'toMany')
    return streamJsonArray(rows, (row, index) => serializeIdentifier(row, cursorAt?.(index)))
  const [row] = rows
  return streamJsonValue(() => (row === undefined ? 'null' : serializeIdentifier(row)))
}

/** Writes a resource identifier object. */
export function serializeIdentifier({ type, id }: StoredTypeAndId, cursor?: string): string {
  const text = resourceObjectTemplateOf(type).start + quoteIdForJson(id)
  return cursor === undefined ? `${text}}` : `${text}${serializeItemMeta(undefined, cursor)}}`
}

/** Writes the resource identifier objects of a to-many relationship. Most of them have the same type. */
export function serializeIdentifiers(rows: readonly StoredTypeAndId[]): string {
  let text = ''
  let lastType: StoredType | undefined
  let start = ''
  for (const { type, id } of rows) {
    if (type !== lastType) start = resourceObjectTemplateOf(type).start
    lastType = type
    text += text === '' ? `${start}${quoteIdForJson(id)}}` : `,${start}${quoteIdForJson(id)}}`
  }
  return text
}

/** Writes the member `meta` of an item. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function serializeItemMeta(meta: JsonObject | undefined, cursor: string | undefined): string {
  if (cursor === undefined) return meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  const { page } = meta ?? {}
  return `,"meta":${JSON.stringify({ ...meta, page: { ...(isJsonObject(page) && page), cursor } })}`
}
