import { decodeId } from '../../graph/record-id'
import type { ResourceType } from '../../graph/resource-graph'
import type { Mapping } from './mapping'

/** The key that an id of a URL or document stands for, as a parameter; `undefined` when no row can have it. */
export function toKey(mapping: Mapping, type: ResourceType, id: string): unknown {
  const held = decodeId(id, type.id.range)
  return held === undefined ? undefined : mapping.tableOf(type).id.toDatabase(held)
}

/** The keys of those ids that rows can have. */
export function toKeys(mapping: Mapping, type: ResourceType, ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => toKey(mapping, type, id)).filter((key) => key !== undefined)
}
