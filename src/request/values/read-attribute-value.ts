import { formatValue } from '../../document/format-value'
import type { JsonValue } from '../../document/json'
import type { Pointer } from '../../document/pointer'
import { clientError, JsonApiError } from '../../errors/json-api-error'
import type { Attribute } from '../../graph/model/resource-graph'
import { readValue } from './read-value'

/** The value of an attribute as `AttributeType` has it held. A transformer's own type is not known: it takes any. */
export function readAttributeValue(value: JsonValue, attribute: Attribute, pointer: Pointer): unknown {
  if (attribute.isTransformed) return value
  if (value === null && attribute.isNullable) return null
  const reading = value === null ? { expected: 'a value' } : readValue(value, attribute.range)
  if ('value' in reading) return reading.value
  const orNull = attribute.isNullable ? ' or null' : ''
  const detail = `Expected ${reading.expected}${orNull} in '${attribute.name}', found ${formatValue(value)}.`
  throw new JsonApiError([clientError('attribute.type', detail, { pointer })])
}
