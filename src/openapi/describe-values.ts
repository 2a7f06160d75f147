import type { JsonValue } from '../document/json'
import { assertNever } from '../errors/invariant'
import type { Attribute } from '../graph/model/resource-graph'
import type { ShapeMember, ValueConstraints } from '../graph/model/value-type'
import { toJsonValue } from '../records/json-value'
import { arrayOf, orNull, type Schema, UUID, withoutNothing } from './schema'

/** Describes a value in responses. The output of a column transformer is unknown. */
export function responseSchema({ range, isNullable, isTransformed }: Attribute): Schema {
  return isTransformed ? {} : nullable(shownValue(range), isNullable)
}

/** Describes a value in requests: everything that can be parsed, within the limits of its column. */
export function requestSchema(attribute: Attribute): Schema {
  const { range, isNullable, isTransformed } = attribute
  return isTransformed ? {} : nullable(sentValue(range), isNullable)
}

/** Describes a value in filters. It may be longer than the column, since no row matches it then. */
export function filterSchema(range: ValueConstraints): Schema {
  return range.valueType === 'string' ? { type: 'string' } : sentValue(range)
}

/** Returns the default of an attribute that a new resource leaves out. */
export function defaultOf(attribute: Attribute): JsonValue | undefined {
  const { defaultValue, isTransformed } = attribute
  if (defaultValue === undefined || isTransformed) return undefined
  return toJsonValue(attribute, defaultValue)
}

function nullable(schema: Schema, isNullable: boolean): Schema {
  return isNullable ? orNull(schema) : schema
}

function shownValue(range: ValueConstraints): Schema {
  if (range.members !== undefined) return arrayOf(shownValue(range.members))
  if (range.shape !== undefined) return describeShape(range.shape, shownMember)
  switch (range.valueType) {
    case 'bigint':
      return { type: 'string', pattern: INTEGER }
    case 'decimal':
      return { type: 'string', pattern: DECIMAL }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'integer':
      return { type: 'integer' }
    case 'float':
      return { type: 'number' }
    case 'string':
      return { type: 'string' }
    case 'list':
      return arrayOf(range.enumValues === undefined ? { type: 'string' } : describeEnum(range))
    case 'binary':
      return { type: 'string', contentEncoding: 'base64' }
    case 'uuid':
    case 'boolean':
    case 'date':
    case 'time':
    case 'enum':
    case 'json':
      return sentValue(range)
    default:
      return assertNever(range.valueType)
  }
}

function shownMember({ range, isNullable }: ShapeMember): Schema {
  return nullable(shownValue(range), isNullable)
}

function sentMember({ range, isNullable }: ShapeMember): Schema {
  return nullable(sentValue(range), isNullable)
}

function sentValue(range: ValueConstraints): Schema {
  if (range.members !== undefined) return arrayOf(sentValue(range.members))
  if (range.shape !== undefined) {
    return { ...describeShape(range.shape, sentMember), additionalProperties: false }
  }
  switch (range.valueType) {
    case 'string':
      return withoutNothing({ type: 'string', maxLength: range.maximumLength })
    case 'uuid':
      return { type: 'string', format: 'uuid', pattern: `^${UUID}$` }
    case 'integer':
      return withoutNothing({ type: 'integer', ...limitsOf(range) })
    case 'float':
      return withoutNothing({ type: 'number', ...limitsOf({ minimum: range.minimum }) })
    case 'bigint':
      return { type: ['integer', 'string'], pattern: INTEGER }
    case 'decimal':
      return { type: ['number', 'string'], pattern: DECIMAL }
    case 'boolean':
      return { type: 'boolean' }
    case 'datetime':
      return { type: 'string', pattern: DATETIME, description: 'ISO 8601; UTC if it has no zone.' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'time':
      return { type: 'string', pattern: TIME }
    case 'enum':
      return describeEnum(range)
    case 'list':
      return arrayOf(range.enumValues === undefined ? { type: 'string', pattern: '^[^,]*$' } : describeEnum(range))
    case 'binary':
      return withoutNothing({ type: 'string', contentEncoding: 'base64', ...lengthsInBase64(range) })
    case 'json':
      return {}
    default:
      return assertNever(range.valueType)
  }
}

/** Describes an embedded object, which is read and replaced as a whole. */
function describeShape(
  shape: ReadonlyMap<string, ShapeMember>,
  describeMember: (member: ShapeMember) => Schema,
): Schema {
  const required = [...shape].filter(([, { isNullable }]) => !isNullable).map(([name]) => name)
  const properties = Object.fromEntries([...shape].map(([name, member]) => [name, describeMember(member)]))
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}

function describeEnum({ valueType, enumValues = [] }: ValueConstraints): Schema {
  // Members of a set are strings.
  const values = valueType === 'list' ? enumValues.map(String) : enumValues
  const [type, other] = new Set(values.map((value) => (typeof value === 'string' ? 'string' : 'number')))
  return { ...(type !== undefined && other === undefined && { type }), enum: values }
}

/** JSON numbers cannot express limits above 2^53. */
function limitsOf({ minimum, maximum }: { minimum?: bigint | undefined; maximum?: bigint | undefined }): Schema {
  return { minimum: toSafe(minimum), maximum: toSafe(maximum) }
}

function toSafe(limit: bigint | undefined): number | undefined {
  return limit !== undefined && Number.isSafeInteger(Number(limit)) ? Number(limit) : undefined
}

function lengthsInBase64({ minimumLength, maximumLength }: ValueConstraints): Schema {
  return { minLength: lengthInBase64(minimumLength), maxLength: lengthInBase64(maximumLength) }
}

function lengthInBase64(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}

const INTEGER = '^-?\\d+$'
const DECIMAL = '^-?\\d+(\\.\\d+)?$'
const TIME = '^\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?$'
const DATETIME = '^\\d{4}-\\d{2}-\\d{2}[Tt][\\d:.]+([Zz]|[+-]\\d{2}(:?\\d{2})?)?$'
