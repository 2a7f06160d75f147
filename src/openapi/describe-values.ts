import type { AttributeAnnotations } from '../declarations/field-options'
import type { JsonValue } from '../document/json'
import type { Attribute } from '../graph/model/resource-graph'
import {
  type AttributeType,
  type EmbeddedMember,
  type ValueConstraints,
  writableEmbeddedMembersOf,
} from '../graph/model/value-type'
import { attributeToJson } from '../records/attribute-to-json'
import {
  createOpenObjectSchema,
  omitUndefined,
  type SchemaObject,
  toArraySchema,
  toNullableSchema,
  UUID_PATTERN,
} from './schema'

/** Describes a value in responses. The output of a column transformer is unknown. */
export function describeResponseValueSchema({ constraints, isNullable, isTransformed }: Attribute): SchemaObject {
  return isTransformed ? {} : nullable(responseValue(constraints), isNullable)
}

/** Describes a value in requests: everything that can be parsed, within the limits of its column. */
export function describeRequestValueSchema(attribute: Attribute): SchemaObject {
  const { constraints, isNullable, isTransformed } = attribute
  return isTransformed ? {} : nullable(requestValue(constraints), isNullable)
}

/** Describes a value in filters. It may be longer or more precise than the column, since no row matches it then. */
export function describeFilterValueSchema(constraints: ValueConstraints): SchemaObject {
  if (constraints.valueType === 'string') return { type: 'string' }
  if (constraints.valueType === 'datetime') return describeDatetime(FILTER_DATETIME)
  const { scale: _, ...others } = constraints
  return requestValue(others)
}

/** Returns the default of an attribute that a new resource leaves out. */
export function attributeDefaultToJson(attribute: Attribute): JsonValue | undefined {
  const { defaultValue, isTransformed } = attribute
  if (defaultValue === undefined || isTransformed) return undefined
  return attributeToJson(attribute, defaultValue)
}

function nullable(schema: SchemaObject, isNullable: boolean): SchemaObject {
  if (!isNullable) return schema
  return schema === NOT_NULL ? {} : toNullableSchema(schema)
}

function responseValue(constraints: ValueConstraints): SchemaObject {
  if (constraints.members !== undefined) return toArraySchema(responseValue(constraints.members))
  if (constraints.shape !== undefined) return describeShape(constraints.shape, responseValue)
  return (RESPONSE_SCHEMAS[constraints.valueType] ?? REQUEST_SCHEMAS[constraints.valueType])(constraints)
}

function requestValue(constraints: ValueConstraints): SchemaObject {
  if (constraints.members !== undefined) return toArraySchema(requestValue(constraints.members))
  if (constraints.shape !== undefined)
    return { ...describeShape(writableEmbeddedMembersOf(constraints.shape), requestValue), additionalProperties: false }
  return REQUEST_SCHEMAS[constraints.valueType](constraints)
}

/** Generators of types ignore `not`. */
const NOT_NULL: SchemaObject = { not: { type: 'null' } }

type DescribeValue = (constraints: ValueConstraints) => SchemaObject

/** The schemas of types whose values have more forms in requests than in responses. */
const RESPONSE_SCHEMAS: Readonly<Partial<Record<AttributeType, DescribeValue>>> = {
  bigint: () => ({ type: 'string', pattern: INTEGER }),
  decimal: () => ({ type: 'string', pattern: DECIMAL }),
  datetime: () => ({ type: 'string', format: 'date-time' }),
  time: () => ({ type: 'string', pattern: STORED_TIME }),
  integer: () => ({ type: 'integer' }),
  float: () => ({ type: 'number' }),
  string: () => ({ type: 'string' }),
  list: (constraints) =>
    toArraySchema(constraints.enumValues === undefined ? { type: 'string' } : describeEnum(constraints)),
  binary: () => ({ type: 'string', contentEncoding: 'base64' }),
  json: () => ({}),
}

const REQUEST_SCHEMAS: Readonly<Record<AttributeType, DescribeValue>> = {
  string: ({ maximumLength }) => omitUndefined({ type: 'string', maxLength: maximumLength }),
  uuid: () => ({ type: 'string', format: 'uuid', pattern: `^${UUID_PATTERN}$` }),
  integer: (constraints) => omitUndefined({ type: 'integer', ...limitsOf(constraints) }),
  float: ({ minimum }) => omitUndefined({ type: 'number', ...limitsOf({ minimum }) }),
  bigint: () => ({ type: ['integer', 'string'], pattern: INTEGER }),
  decimal: () => ({ type: ['number', 'string'], pattern: DECIMAL }),
  boolean: () => ({ type: 'boolean' }),
  datetime: (constraints) => describeDatetime(datetimePattern(constraints)),
  date: () => ({ type: 'string', format: 'date' }),
  time: (constraints) => ({ type: 'string', pattern: `^${timePattern(constraints)}$` }),
  enum: describeEnum,
  list: (constraints) =>
    toArraySchema(
      constraints.enumValues === undefined ? { type: 'string', pattern: '^[^,]*$' } : describeEnum(constraints),
    ),
  binary: (constraints) =>
    omitUndefined({ type: 'string', contentEncoding: 'base64', ...lengthsInBase64(constraints) }),
  json: () => NOT_NULL,
}

/** Describes an embedded object, which is read and replaced as a whole. */
function describeShape(shape: ReadonlyMap<string, EmbeddedMember>, describe: DescribeValue): SchemaObject {
  const members = [...shape]
  const required = members.filter(([, { isNullable }]) => !isNullable).map(([name]) => name)
  return createOpenObjectSchema(
    Object.fromEntries(
      members.map(([name, { constraints, isNullable }]) => [name, nullable(describe(constraints), isNullable)]),
    ),
    required,
  )
}

function describeEnum({ valueType, enumValues = [] }: ValueConstraints): SchemaObject {
  // Members of a set are strings.
  const values = valueType === 'list' ? enumValues.map(String) : enumValues
  const [type, other] = new Set(values.map((value) => (typeof value === 'string' ? 'string' : 'number')))
  return { ...(type !== undefined && other === undefined && { type }), enum: values }
}

function describeDatetime(pattern: string): SchemaObject {
  return { type: 'string', pattern, description: 'ISO 8601; UTC if it has no zone.' }
}

function datetimePattern(constraints: ValueConstraints): string {
  return `^\\d{4}-\\d{2}-\\d{2}[Tt]${timePattern(constraints)}([Zz]|[+-]\\d{2}(:?\\d{2})?)?$`
}

/** Zeros may follow the digits that the column stores. */
function timePattern(constraints: ValueConstraints): string {
  const scale = Math.min(constraints.scale ?? MOST_DIGITS, MOST_DIGITS)
  const digits = scale === 0 ? `0{1,${MOST_DIGITS}}` : `\\d{1,${scale}}0{0,${MOST_DIGITS - scale}}`
  return `\\d{2}:\\d{2}(:\\d{2}(\\.${scale === MOST_DIGITS ? `\\d{1,${MOST_DIGITS}}` : digits})?)?`
}

/** JSON numbers cannot express limits above 2^53. */
function limitsOf({ minimum, maximum }: { minimum?: bigint | undefined; maximum?: bigint | undefined }): SchemaObject {
  return { minimum: toSafe(minimum), maximum: toSafe(maximum) }
}

function toSafe(limit: bigint | undefined): number | undefined {
  return limit !== undefined && Number.isSafeInteger(Number(limit)) ? Number(limit) : undefined
}

function lengthsInBase64({ minimumLength, maximumLength }: ValueConstraints): SchemaObject {
  return { minLength: lengthInBase64(minimumLength), maxLength: lengthInBase64(maximumLength) }
}

function lengthInBase64(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}

/** The most digits after the seconds that are accepted. */
const MOST_DIGITS = 9
/** Filters accept fewer notations than bodies. */
const FILTER_DATETIME = `^\\d{4}-\\d{2}-\\d{2}T${timePattern({ valueType: 'time' })}(Z|[+-]\\d{2}:\\d{2})?$`
const INTEGER = '^-?\\d+$'
const DECIMAL = '^-?\\d+(\\.\\d+)?$'
/** MariaDB and MySQL store times from -838:59:59 to 838:59:59. */
const STORED_TIME = '^-?\\d{2,3}:\\d{2}(:\\d{2}(\\.\\d{3,9})?)?$'

/** Describes the annotations of a class or field. */
export function toSchemaAnnotations({ annotations }: { readonly annotations: AttributeAnnotations }): SchemaObject {
  const { description, deprecated, example } = annotations
  return omitUndefined({
    description,
    deprecated: deprecated === true ? true : undefined,
    examples: example === undefined ? undefined : [example],
  })
}
