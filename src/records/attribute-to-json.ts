import type { JsonValue } from '../document/json'
import type { Attribute } from '../graph/model/resource-graph'
import { isDateString } from '../graph/model/text-formats'
import type { EmbeddedMember } from '../graph/model/value-type'

/** Converts the runtime value of an attribute to JSON. */
export function attributeToJson(
  { constraints, isTransformed }: Pick<Attribute, 'constraints' | 'isTransformed'>,
  value: unknown,
): JsonValue {
  if (value === null || value === undefined) return null
  // Databases have moments and dates that a `Date` can't hold, such as `infinity` and `0000-00-00`.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (!isTransformed && constraints.valueType === 'date' && typeof value === 'string' && !isDateString(value))
    return null
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (typeof value === 'bigint') return value.toString()
  if (!isTransformed && (constraints.valueType === 'bigint' || constraints.valueType === 'decimal'))
    return String(value)
  if (constraints.shape !== undefined)
    return toJsonObject(constraints.shape, value as Readonly<Record<string, unknown>>)
  return value as JsonValue
}

function toJsonObject(shape: ReadonlyMap<string, EmbeddedMember>, value: Readonly<Record<string, unknown>>): JsonValue {
  return Object.fromEntries([...shape].map(([name, member]) => [name, attributeToJson(member, value[name])]))
}
