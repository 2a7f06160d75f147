import type { JsonValue } from '../document/json'
import type { Attribute } from '../graph/resource-graph'

/** A value as `ValueType` has it held, as JSON. */
export function toJsonValue(attribute: Attribute, held: unknown): JsonValue {
  if (held === null || held === undefined) return null
  if (held instanceof Date) return held.toISOString()
  if (Buffer.isBuffer(held)) return held.toString('base64')
  if (typeof held === 'bigint') return held.toString()
  if (attribute.range.valueType === 'bigint' || attribute.range.valueType === 'decimal') return String(held)
  return held as JsonValue
}
