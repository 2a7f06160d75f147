import { assertNever } from '../errors/invariant'
import { isFieldWritable, requiredFieldWriteCapability } from '../graph/model/capabilities'
import { areInSameLineage } from '../graph/model/inheritance'
import { keyFields } from '../graph/model/key-fields'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import {
  describeIdentifierToRemoveSchema,
  describeRequestIdentifierSchema,
  describeRequestResourceIdSchema,
  LOCAL_ID_SCHEMA,
  toForbiddenMembersSchema,
} from './describe-ids'
import {
  describeTypeNamesSchema,
  selfAncestorsAndDescendants,
  toOneOfTypesSchema,
  toPropertySchemas,
} from './describe-resources'
import { attributeDefaultToJson, describeRequestValueSchema, toSchemaAnnotations } from './describe-values'
import { allStoredTypesOfApi, type OpenApiContext } from './openapi-context'
import {
  appendDescription,
  createOpenObjectSchema,
  type OpenApiObjectMap,
  openApiComponentName,
  type SchemaObject,
  schemaComponentRef,
  toArraySchema,
  toNullableSchema,
} from './schema'

/**
 * The purpose of a resource object in a request. `createInOperation`, `updateInOperation`: in an operation, where local ids may name resources of other
 * operations.
 */
type WriteSchemaKind = (typeof WRITE_KINDS)[number]

/**
 * Describes resources in requests: a schema for each stored type, and for each base type the choice between its stored types. The type in
 * the body determines the fields, at the endpoints of its base types too.
 */
export function describeRequestResourceSchemas(api: OpenApiContext): OpenApiObjectMap {
  return Object.fromEntries([
    [REQUEST_INCLUDED, INCLUDED_SCHEMA],
    ...allStoredTypesOfApi(api).flatMap((type) =>
      WRITE_KINDS.map(
        (writing) => [writeSchemaNameOfExactType(type, writing), describeWrite(type, writing, api)] as const,
      ),
    ),
    ...[...api.graph.types.values()].flatMap((type) => [
      ...(type.derived.length > 0
        ? WRITE_KINDS.map((writing) => [openApiComponentName(type, writing), anyWrite(type, writing)] as const)
        : []),
      ...identifiersOf(type, api),
    ]),
  ])
}

const WRITE_KINDS = ['create', 'createInOperation', 'update', 'updateInOperation'] as const

/** Returns the name of the schema for this very type, if the type has derived types. */
export function writeSchemaNameOfExactType(type: StoredType, writing: WriteSchemaKind): string {
  return openApiComponentName(type, type.derived.length > 0 ? `exact.${writing}` : writing)
}

/** Describes the document around the data. */
export function wrapInRequestDocumentSchema(data: SchemaObject): SchemaObject {
  return createOpenObjectSchema({ data, included: schemaComponentRef(REQUEST_INCLUDED) }, ['data'])
}

/** Describes the body of a relationship endpoint. It may name resources by abstract types. */
export function describeRelationshipEndpointLinkageSchema(
  relationship: Relationship,
  write: 'set' | 'add' | 'remove',
): SchemaObject {
  const { target } = relationship
  return linkageOf(
    relationship,
    schemaComponentRef(openApiComponentName(target, write === 'remove' ? 'identifier.toRemove' : 'identifier.toLink')),
  )
}

function anyWrite(type: ResourceType, writing: WriteSchemaKind): SchemaObject {
  return toOneOfTypesSchema(type.concreteTypes, (each) => writeSchemaNameOfExactType(each, writing))
}

/** https://jsonapi.org/format/1.1/#crud-creating */
function describeWrite(type: StoredType, writing: WriteSchemaKind, api: OpenApiContext): SchemaObject {
  const request = writing === 'create' || writing === 'createInOperation' ? 'create' : 'update'
  const isWritten = (field: Field) => isFieldWritable(field, requiredFieldWriteCapability(field, request))
  const attributes = type.attributes.filter(isWritten)
  const relationships = type.relationships.filter(isWritten)
  const requiredFields = request === 'create' ? requiredFieldsOf(type, api) : []
  const names = (fields: readonly Field[]) =>
    fields.filter((field) => requiredFields.includes(field)).map(({ name }) => name)
  const members = (fields: OpenApiObjectMap, required: readonly string[]): SchemaObject => ({
    ...createOpenObjectSchema(fields, required),
    ...(type.unknownFields === 'reject' && ONLY_KNOWN),
  })
  const { properties: naming, limits } = describeIdentity(type, writing)
  const properties = {
    type: describeTypeNamesSchema([type]),
    ...naming,
    attributes: members(
      toPropertySchemas(attributes, (each) => describeAttribute(each, request)),
      names(attributes),
    ),
    relationships: members(
      toPropertySchemas(relationships, (each) => describeRelationship(each, type, writing)),
      names(relationships),
    ),
  }
  const required = [
    'type',
    ...(writing === 'update' || (request === 'create' && isIdRequired(type)) ? ['id'] : []),
    ...(names(attributes).length > 0 ? ['attributes'] : []),
    ...(names(relationships).length > 0 ? ['relationships'] : []),
  ]
  return { ...toSchemaAnnotations(type), ...createOpenObjectSchema(properties, required), ...limits }
}

/** Returns true if clients must send the id because neither the database nor a rule sets it. */
function isIdRequired(type: StoredType): boolean {
  if (type.clientGeneratedIds !== 'allowed') return type.clientGeneratedIds === 'required'
  return type.id.isRequired && keyFields(type).length === 0
}

interface IdentitySchema {
  readonly properties: OpenApiObjectMap
  /** Combinations of members that are not allowed. */
  readonly limits: SchemaObject
}

/** Describes the id or local id. Other parts of the document refer to a new resource by its local id. */
function describeIdentity(type: StoredType, writing: WriteSchemaKind): IdentitySchema {
  const lid = LOCAL_ID_SCHEMA
  switch (writing) {
    case 'create':
    case 'createInOperation': {
      if (type.clientGeneratedIds === 'forbidden')
        return { properties: { lid }, limits: toForbiddenMembersSchema('id') }
      return {
        properties: { id: describeRequestResourceIdSchema(type, 'new'), lid },
        limits: { not: { required: ['id', 'lid'] } },
      }
    }
    case 'update':
      return {
        properties: { id: describeRequestResourceIdSchema(type, 'existing') },
        limits: toForbiddenMembersSchema('lid'),
      }
    case 'updateInOperation':
      return {
        properties: { id: describeRequestResourceIdSchema(type, 'existing'), lid },
        limits: { oneOf: [{ required: ['id'] }, { required: ['lid'] }] },
      }
    default:
      return assertNever(writing)
  }
}

/**
 * Returns the fields that a request must send: those without a default, and not part of the id. `prepareWrite` may set any attribute but no
 * relationship, so with this hook no attribute is required: a valid request must not violate the schema.
 */
function requiredFieldsOf(type: StoredType, { definitions }: OpenApiContext): readonly Field[] {
  const mayHookSet = ({ kind }: Field) => kind === 'attribute' && definitions.providesDefaults(type)
  const idFields = type.clientGeneratedIds === 'forbidden' ? [] : keyFields(type)
  return [...type.fields.values()].filter(
    (field) => isRequired(field) && !mayHookSet(field) && !idFields.includes(field),
  )
}

function isRequired(field: Field): boolean {
  return field.kind !== 'toMany' && field.isRequired
}

function describeAttribute(attribute: Attribute, request: 'create' | 'update'): SchemaObject {
  const described = { ...describeRequestValueSchema(attribute), ...toSchemaAnnotations(attribute) }
  const defaultValue = request === 'create' ? attributeDefaultToJson(attribute) : undefined
  // Generators of types treat a member with a `default` as always present.
  return defaultValue === undefined
    ? described
    : appendDescription(described, `Without it: \`${JSON.stringify(defaultValue)}\`.`)
}

/** Describes a relationship object. A request that creates one resource can refer only to that resource by local id. */
function describeRelationship(relationship: Relationship, type: StoredType, writing: WriteSchemaKind): SchemaObject {
  const { target } = relationship
  const isCreatedHere = writing === 'create' && areInSameLineage(type, target)
  const isLocal = isCreatedHere || writing === 'createInOperation' || writing === 'updateInOperation'
  const data = linkageOf(
    relationship,
    schemaComponentRef(openApiComponentName(target, isLocal ? 'identifier.byIdOrLid' : 'identifier.byId')),
  )
  return { ...toSchemaAnnotations(relationship), ...createOpenObjectSchema({ data }, ['data']) }
}

function linkageOf(relationship: Relationship, identifier: SchemaObject): SchemaObject {
  if (relationship.kind === 'toMany') return toArraySchema(identifier)
  return relationship.isNullable ? toNullableSchema(identifier) : identifier
}

/** Describes identifiers of related resources. They may use any type on the branch; within resource objects, no abstract type. */
function identifiersOf(type: ResourceType, api: OpenApiContext): readonly (readonly [string, SchemaObject])[] {
  const types = selfAncestorsAndDescendants(type, api)
  const concrete = types.filter(({ isAbstract }) => !isAbstract)
  return [
    [openApiComponentName(type, 'identifier.byIdOrLid'), describeRequestIdentifierSchema(concrete, 'byIdOrLocalId')],
    [openApiComponentName(type, 'identifier.byId'), describeRequestIdentifierSchema(concrete, 'byId')],
    [openApiComponentName(type, 'identifier.toLink'), describeRequestIdentifierSchema(types, 'byId')],
    [openApiComponentName(type, 'identifier.toRemove'), describeIdentifierToRemoveSchema(types)],
  ]
}

/** Names that start with `@` are ignored everywhere. https://jsonapi.org/format/1.1/#document-member-names-at-members */
const ONLY_KNOWN: SchemaObject = { patternProperties: { '^@': {} }, additionalProperties: false }

const NO_FIELDS: SchemaObject = { type: 'object', ...ONLY_KNOWN }
const REQUEST_INCLUDED = 'jsonapi.request.included'
/** Included resources of a request may only be named, because only primary data is written. */
const INCLUDED_SCHEMA = toArraySchema(
  createOpenObjectSchema(
    { type: { type: 'string' }, id: { type: 'string' }, attributes: NO_FIELDS, relationships: NO_FIELDS },
    ['type', 'id'],
  ),
)
