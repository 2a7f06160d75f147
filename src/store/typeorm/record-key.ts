import type { ResourceType } from '../../graph/resource-graph'
import type { ValueRange } from '../../graph/value-type'
import type { Mapping } from './mapping'

/**
 * The key that an id of a URL or document stands for, as a parameter; `undefined` when no row can have it: `01`, `1abc`, or 10^30 for
 * an integer key.
 */
export function toKey(mapping: Mapping, type: ResourceType, id: string): unknown {
  return canBeId(type.id.range, id) ? mapping.tableOf(type).id.toDatabase(held(type.id.range, id)) : undefined
}

/** The keys of those ids that rows can have. */
export function toKeys(mapping: Mapping, type: ResourceType, ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => toKey(mapping, type, id)).filter((key) => key !== undefined)
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const LONE_SURROGATE = /\p{Surrogate}/u

function canBeId(range: ValueRange, id: string): boolean {
  if (id.includes('\0') || LONE_SURROGATE.test(id)) return false
  if (range.valueType === 'uuid') return UUID.test(id)
  if (range.valueType !== 'integer' && range.valueType !== 'bigint') return true
  if (!INTEGER.test(id)) return false
  const number = BigInt(id)
  return number >= (range.minimum ?? number) && number <= (range.maximum ?? number)
}

function held(range: ValueRange, id: string): unknown {
  if (range.valueType === 'uuid') return id.toLowerCase()
  return range.valueType === 'integer' ? Number(id) : id
}
