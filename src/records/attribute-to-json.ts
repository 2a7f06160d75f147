import type { JsonValue } from '../document/json'
import type { Attribute } from '../graph/model/resource-graph'
import type { EmbeddedMember } from '../graph/model/value-type'

/** Converts the runtime value of an attribute to JSON. */
export function attributeToJson({ range }: Pick<Attribute, 'range'>, value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (typeof value === 'bigint') return value.toString()
  if (range.valueType === 'bigint' || range.valueType === 'decimal') return String(value)
  if (range.shape !== undefined) return toJsonObject(range.shape, value as Readonly<Record<string, unknown>>)
  return value as JsonValue
}

function toJsonObject(shape: ReadonlyMap<string, EmbeddedMember>, value: Readonly<Record<string, unknown>>): JsonValue {
  return Object.fromEntries([...shape].map(([name, member]) => [name, attributeToJson(member, value[name])]))
}
