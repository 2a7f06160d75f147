import { hasViewCapability, isFieldWritable } from '../graph/model/capabilities'
import { areInSameLineage } from '../graph/model/inheritance'
import type { Attribute, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { describeResponseValueSchema, toSchemaAnnotations } from './describe-values'
import { allStoredTypesOfApi, type OpenApiContext, rowsMayBeHidden } from './openapi-context'
import {
  createOpenObjectSchema,
  type OpenApiObjectMap,
  openApiComponentName,
  type SchemaObject,
  schemaComponentRef,
  toArraySchema,
  toNullableSchema,
} from './schema'

/**
 * Describes resources in responses: a schema for each stored type, and for each base type the choice between its stored types. An abstract
 * type has no schema of its own, because no resource has it as its `type`.
 */
export function describeResponseResourceSchemas(api: OpenApiContext): OpenApiObjectMap {
  const types = [...api.graph.types.values()]
  return Object.fromEntries([
    ...allStoredTypesOfApi(api).map((type) => [schemaNameOfExactType(type), describeResource(type, api)] as const),
    ...types
      .filter(({ derived }) => derived.length > 0)
      .map((type) => [openApiComponentName(type), describeAny(type)] as const),
    ...types.map((type) => [openApiComponentName(type, 'identifier'), describeIdentifier(type)] as const),
    ['jsonapi.resource', toOneOfTypesSchema(allStoredTypesOfApi(api), schemaNameOfExactType)] as const,
  ])
}

/** Returns the name of the schema for rows of this very type, if the type has derived types. */
export function schemaNameOfExactType(type: StoredType): string {
  return openApiComponentName(type, type.derived.length > 0 ? 'exact' : undefined)
}

/** Describes a choice of objects, discriminated by `type`. */
export function toOneOfTypesSchema(types: readonly StoredType[], toName: (type: StoredType) => string): SchemaObject {
  const [only, other] = types
  if (only !== undefined && other === undefined) return schemaComponentRef(toName(only))
  const mapping = Object.fromEntries(types.map((type) => [type.name, `#/components/schemas/${toName(type)}`]))
  return {
    oneOf: types.map((type) => schemaComponentRef(toName(type))),
    discriminator: { propertyName: 'type', mapping },
  }
}

/** Describes the values of `type` for these types. */
export function describeTypeNamesSchema(types: readonly ResourceType[]): SchemaObject {
  const [only, other] = types
  if (only !== undefined && other === undefined) return { type: 'string', const: only.name }
  return { type: 'string', enum: types.map(({ name }) => name) }
}

/** Describes linkage in responses. */
export function describeLinkageSchema(relationship: Relationship, api: OpenApiContext): SchemaObject {
  const identifier = schemaComponentRef(openApiComponentName(relationship.target, 'identifier'))
  if (relationship.kind === 'toMany') return toArraySchema(identifier)
  return linkageMayBeNull(relationship, api) ? toNullableSchema(identifier) : identifier
}

/** Returns true if to-one linkage may be `null`. A resource that a rule hides, or that is soft-deleted, is missing from linkage. */
export function linkageMayBeNull(relationship: Relationship, api: OpenApiContext): boolean {
  if (relationship.kind === 'toMany') return false
  const { isNullableInStore, target } = relationship
  return isNullableInStore || target.concreteTypes.some((type) => type.isSoftDeletable) || rowsMayBeHidden(target, api)
}

/** Returns the types that may stand for a declared type: those derived from it, and its bases. */
export function selfAncestorsAndDescendants(
  type: ResourceType,
  { graph }: Pick<OpenApiContext, 'graph'>,
): readonly ResourceType[] {
  return [...graph.types.values()].filter((each) => areInSameLineage(each, type))
}

function describeAny(type: ResourceType): SchemaObject {
  return { ...toSchemaAnnotations(type), ...toOneOfTypesSchema(type.concreteTypes, schemaNameOfExactType) }
}

/** https://jsonapi.org/format/1.1/#document-resource-objects */
function describeResource(type: StoredType, api: OpenApiContext): SchemaObject {
  const attributes = type.attributes.filter(hasViewCapability)
  const relationships = type.relationships.filter(hasViewCapability)
  const properties = {
    type: describeTypeNamesSchema([type]),
    id: ID,
    ...(attributes.length > 0 && {
      attributes: createOpenObjectSchema(toPropertySchemas(attributes, describeAttribute)),
    }),
    ...(relationships.length > 0 && {
      relationships: createOpenObjectSchema(
        toPropertySchemas(relationships, (each) => describeRelationship(each, api)),
      ),
    }),
    links: schemaComponentRef('jsonapi.links.resource'),
    meta: schemaComponentRef('jsonapi.meta'),
  }
  return { ...toSchemaAnnotations(type), ...createOpenObjectSchema(properties, ['type', 'id']) }
}

function describeAttribute(attribute: Attribute): SchemaObject {
  const isReadOnly = !isFieldWritable(attribute, 'create') && !isFieldWritable(attribute, 'change')
  return {
    ...describeResponseValueSchema(attribute),
    ...toSchemaAnnotations(attribute),
    ...(isReadOnly && { readOnly: true }),
  }
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function describeRelationship(relationship: Relationship, api: OpenApiContext): SchemaObject {
  const properties = {
    data: describeLinkageSchema(relationship, api),
    links: schemaComponentRef(`jsonapi.links.${relationship.kind}`),
    ...(relationship.kind === 'toMany' && { meta: schemaComponentRef('jsonapi.meta.toMany') }),
  }
  return { ...toSchemaAnnotations(relationship), ...createOpenObjectSchema(properties) }
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function describeIdentifier({ concreteTypes }: ResourceType): SchemaObject {
  const properties = { type: describeTypeNamesSchema(concreteTypes), id: ID, meta: schemaComponentRef('jsonapi.meta') }
  return createOpenObjectSchema(properties, ['type', 'id'])
}

/** Returns the description of each item by the item's name. */
export function toPropertySchemas<Named extends { readonly name: string }>(
  all: readonly Named[],
  describe: (each: Named) => SchemaObject,
): OpenApiObjectMap {
  return Object.fromEntries(all.map((each) => [each.name, describe(each)]))
}

const ID: SchemaObject = { type: 'string', minLength: 1 }
