import { quote } from '../document/json-text'
import type { Attribute } from '../graph/model/resource-graph'
import { toJsonValue } from '../records/json-value'

/** Writes a value as `AttributeType` has it held. */
export type SerializeValue = (held: unknown) => string

/** What `JSON.stringify` would say of `toJsonValue`; the values that there are most of are written without either. */
export function serializerOfValue(attribute: Attribute): SerializeValue {
  const { range } = attribute
  const writeAny: SerializeValue = (held) => JSON.stringify(toJsonValue(attribute, held)) ?? 'null'
  if (range.shape !== undefined) return writeAny
  if (range.valueType === 'bigint' || range.valueType === 'decimal') {
    return (held) => (typeof held === 'string' ? quote(held) : writeAny(held))
  }
  return (held) => {
    switch (typeof held) {
      case 'string':
        return quote(held)
      case 'number':
        return Number.isFinite(held) ? String(held) : 'null'
      case 'boolean':
        return held ? 'true' : 'false'
      default:
        if (held === null) return 'null'
        return held instanceof Date ? `"${held.toISOString()}"` : writeAny(held)
    }
  }
}
