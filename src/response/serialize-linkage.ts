import { isJsonObject, type JsonObject } from '../document/json'
import { type LazyJson, lazyJsonArray, lazyJsonValue, quoteJsonString } from '../document/lazy-json'
import type { Relationship } from '../graph/model/resource-graph'
import type { StoredTypeAndId } from '../store/read-result'
import { resourceObjectTemplateOf } from './resource-object-template'

/** Returns the cursor of an item, in a list that is paged by cursors. */
export type PrintItemCursor = (index: number) => string

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
export function serializeLinkage(
  relationship: Relationship,
  rows: readonly StoredTypeAndId[],
  cursorAt: PrintItemCursor | undefined = undefined,
): LazyJson {
  if (relationship.kind === 'toMany')
    return lazyJsonArray(rows, (row, index) => serializeIdentifier(row, cursorAt?.(index)))
  const [row] = rows
  return lazyJsonValue(() => (row === undefined ? 'null' : serializeIdentifier(row)))
}

/** Writes a resource identifier object. */
export function serializeIdentifier({ type, id }: StoredTypeAndId, cursor?: string): string {
  const text = resourceObjectTemplateOf(type).start + quoteJsonString(id)
  return cursor === undefined ? `${text}}` : `${text}${serializeItemMeta(undefined, cursor)}}`
}

/** Writes the member `meta` of an item. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function serializeItemMeta(meta: JsonObject | undefined, cursor: string | undefined): string {
  if (cursor === undefined) return meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  const { page } = meta ?? {}
  return `,"meta":${JSON.stringify({ ...meta, page: { ...(isJsonObject(page) && page), cursor } })}`
}
