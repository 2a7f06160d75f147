import type { JsonValue } from '../document/json'
import type { Pointer } from '../document/pointer'
import { JsonApiError, problem } from '../errors/json-api-error'
import type { Attribute } from '../graph/resource-graph'
import { describeFound } from './describe-found'
import { readValue } from './read-value'

/** The value of an attribute as `ValueType` has it held. A transformer's own type is not known: it takes any. */
export function readAttributeValue(value: JsonValue, attribute: Attribute, pointer: Pointer): unknown {
  if (attribute.isTransformed) return value
  if (value === null && attribute.isNullable) return null
  const reading = value === null ? { expected: 'a value' } : readValue(value, attribute.range)
  if ('held' in reading) return reading.held
  const orNull = attribute.isNullable ? ' or null' : ''
  const detail = `Expected ${reading.expected}${orNull} in '${attribute.name}', found ${describeFound(value)}.`
  throw new JsonApiError([problem('attribute.value', detail, { pointer })])
}
