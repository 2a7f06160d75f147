import type { JsonValue } from '../document/json'
import type { Attribute } from '../graph/model/resource-graph'
import type { ShapeMember } from '../graph/model/value-type'

/** Converts the runtime value of an attribute to JSON. */
export function toJsonValue({ range }: Pick<Attribute, 'range'>, held: unknown): JsonValue {
  if (held === null || held === undefined) return null
  if (held instanceof Date) return held.toISOString()
  if (Buffer.isBuffer(held)) return held.toString('base64')
  if (typeof held === 'bigint') return held.toString()
  if (range.valueType === 'bigint' || range.valueType === 'decimal') return String(held)
  if (range.shape !== undefined) return toJsonObject(range.shape, held as Readonly<Record<string, unknown>>)
  return held as JsonValue
}

function toJsonObject(shape: ReadonlyMap<string, ShapeMember>, held: Readonly<Record<string, unknown>>): JsonValue {
  return Object.fromEntries([...shape].map(([name, member]) => [name, toJsonValue(member, held[name])]))
}
