import { COMPOSITE_ID_CODEC } from '../graph/model/record-id'
import type { ResourceType } from '../graph/model/resource-graph'
import type { ValueConstraints } from '../graph/model/value-type'
import { describeTypeNamesSchema } from './describe-resources'
import { createOpenObjectSchema, omitUndefined, type SchemaObject, UUID_PATTERN } from './schema'

/** `new`: a client-generated id. `existing`: the id of a row. Any other text is allowed too, and returns 404. */
type IdPurpose = 'new' | 'existing'

/** Describes an id in requests. Keys behind a codec or a transformer have no known form. */
export function describeRequestResourceIdSchema(
  { id: { constraints, isTransformed } }: ResourceType,
  purpose: IdPurpose,
): SchemaObject {
  const { codec, parts = [] } = constraints
  if (codec === COMPOSITE_ID_CODEC) return { type: 'string', pattern: `^${parts.map(partPattern).join('~')}$` }
  if (codec !== undefined || isTransformed) return ANY_ID
  switch (constraints.valueType) {
    case 'uuid':
      return { type: 'string', format: 'uuid', pattern: `^${UUID_PATTERN}$` }
    case 'integer':
    case 'bigint':
      return { type: 'string', pattern: `^${integerPattern(constraints)}$` }
    case 'string':
      return omitUndefined({
        ...ANY_ID,
        maxLength: constraints.maximumLength,
        pattern: purpose === 'new' ? NOT_DOT_SEGMENT : undefined,
      })
    default:
      return ANY_ID
  }
}

/**
 * Describes how requests identify resources of these types. `byId`: local ids are not allowed, because the request creates no resource.
 * https://jsonapi.org/format/1.1/#document-resource-identifier-objects
 */
export function describeRequestIdentifierSchema(
  types: readonly ResourceType[],
  naming: 'byId' | 'byIdOrLocalId',
): SchemaObject {
  const byId = describeTypeGroupsWithSameIdFormat(types, (type, id) => ({
    ...createOpenObjectSchema({ type, id }, ['type', 'id']),
    ...toForbiddenMembersSchema('lid'),
  }))
  if (naming === 'byId') return oneOfSchemas(byId)
  return oneOfSchemas([...byId, describeLocalIdentifierSchema(types)])
}

/** Describes how operations identify resources that the same request creates. */
export function describeLocalIdentifierSchema(types: readonly ResourceType[]): SchemaObject {
  const type = describeTypeNamesSchema(types)
  return {
    ...createOpenObjectSchema({ type, lid: LOCAL_ID_SCHEMA }, ['type', 'lid']),
    ...toForbiddenMembersSchema('id'),
  }
}

/** Groups types by the form of their ids, and describes each group. */
export function describeTypeGroupsWithSameIdFormat(
  types: readonly ResourceType[],
  describe: (typeNames: SchemaObject, id: SchemaObject) => SchemaObject,
): readonly SchemaObject[] {
  const kinds = groupBy(types, (type) => JSON.stringify(describeRequestResourceIdSchema(type, 'existing')))
  return [...kinds].map(([id, types]) => describe(describeTypeNamesSchema(types), JSON.parse(id) as SchemaObject))
}

function groupBy<Each>(all: readonly Each[], toKey: (each: Each) => string): ReadonlyMap<string, readonly Each[]> {
  const keys = new Set(all.map(toKey))
  return new Map([...keys].map((key) => [key, all.filter((each) => toKey(each) === key)]))
}

/** Describes identifiers of members to remove. Any id is allowed, because removing a member that does not exist is no error. */
export function describeIdentifierToRemoveSchema(types: readonly ResourceType[]): SchemaObject {
  const properties = { type: describeTypeNamesSchema(types), id: { type: 'string' } }
  return { ...createOpenObjectSchema(properties, ['type', 'id']), ...toForbiddenMembersSchema('lid') }
}

export function oneOfSchemas(schemas: readonly SchemaObject[]): SchemaObject {
  const [only, other] = schemas
  return only !== undefined && other === undefined ? only : { oneOf: schemas }
}

/** Returns the pattern of a key part in a composite id. */
function partPattern(constraints: ValueConstraints): string {
  switch (constraints.valueType) {
    case 'uuid':
      return UUID_PATTERN
    case 'integer':
    case 'bigint':
      return integerPattern(constraints)
    case 'date':
      return '\\d{4}-\\d{2}-\\d{2}'
    default:
      return '([^~!]|![~!])*'
  }
}

/** Returns the pattern of an integer without leading zeros, of no more digits than the column holds. */
function integerPattern({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }: ValueConstraints): string {
  return `(0|${minimum < 0n ? '-?' : ''}[1-9]\\d{0,${String(maximum).length - 1}})`
}

const ANY_ID: SchemaObject = { type: 'string', minLength: 1 }
export const LOCAL_ID_SCHEMA: SchemaObject = { type: 'string', description: 'A name within this document.' }

/** Excludes these members. Generators of types ignore it. */
export function toForbiddenMembersSchema(...names: readonly string[]): SchemaObject {
  const [only = '', other] = names
  if (other === undefined) return { not: { required: [only] } }
  return { not: { anyOf: names.map((name) => ({ required: [name] })) } }
}

/** Excludes the ids `.` and `..`, which URL parsers remove. */
const NOT_DOT_SEGMENT = '^(?!\\.{1,2}$)'
