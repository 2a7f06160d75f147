import { isViewable, isWritable } from '../graph/model/capabilities'
import { areInSameLineage } from '../graph/model/inheritance'
import type { Attribute, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { describeAnnotations, describeResponseValueSchema } from './describe-values'
import { allStoredTypesOfApi, type OpenApiContext, rowsMayBeHidden } from './openapi-context'
import {
  arrayOf,
  componentName,
  objectOf,
  type SchemaObject,
  type SchemaObjects,
  schemaRef,
  toNullableSchema,
} from './schema'

/**
 * Describes resources in responses: a schema for each stored type, and for each base type the choice between its stored types. An abstract
 * type has no schema of its own, because no resource has it as its `type`.
 */
export function describeResourceSchemas(api: OpenApiContext): SchemaObjects {
  const types = [...api.graph.types.values()]
  return Object.fromEntries([
    ...allStoredTypesOfApi(api).map((type) => [exactSchemaName(type), describeResource(type, api)] as const),
    ...types
      .filter(({ derived }) => derived.length > 0)
      .map((type) => [componentName(type), describeAny(type)] as const),
    ...types.map((type) => [componentName(type, 'identifier'), describeIdentifier(type)] as const),
    ['jsonapi.resource', describeOneOfTypes(allStoredTypesOfApi(api), exactSchemaName)] as const,
  ])
}

/** Returns the name of the schema for rows of this very type, if the type has derived types. */
export function exactSchemaName(type: StoredType): string {
  return componentName(type, type.derived.length > 0 ? 'exact' : undefined)
}

/** Describes a choice of objects, discriminated by `type`. */
export function describeOneOfTypes(types: readonly StoredType[], toName: (type: StoredType) => string): SchemaObject {
  const [only, other] = types
  if (only !== undefined && other === undefined) return schemaRef(toName(only))
  const mapping = Object.fromEntries(types.map((type) => [type.name, `#/components/schemas/${toName(type)}`]))
  return {
    oneOf: types.map((type) => schemaRef(toName(type))),
    discriminator: { propertyName: 'type', mapping },
  }
}

/** Describes the values of `type` for these types. */
export function describeTypeNames(types: readonly ResourceType[]): SchemaObject {
  const [only, other] = types
  if (only !== undefined && other === undefined) return { type: 'string', const: only.name }
  return { type: 'string', enum: types.map(({ name }) => name) }
}

/** Describes linkage in responses. */
export function describeLinkage(relationship: Relationship, api: OpenApiContext): SchemaObject {
  const identifier = schemaRef(componentName(relationship.target, 'identifier'))
  if (relationship.kind === 'toMany') return arrayOf(identifier)
  return linkageMayBeNull(relationship, api) ? toNullableSchema(identifier) : identifier
}

/** Returns true if to-one linkage may be `null`. A resource that a rule hides is missing from linkage. */
export function linkageMayBeNull(relationship: Relationship, api: OpenApiContext): boolean {
  return relationship.kind === 'toOne' && (relationship.isNullable || rowsMayBeHidden(relationship.target, api))
}

/** Returns the types that may stand for a declared type: those derived from it, and its bases. */
export function typesInLineage(type: ResourceType, { graph }: Pick<OpenApiContext, 'graph'>): readonly ResourceType[] {
  return [...graph.types.values()].filter((each) => areInSameLineage(each, type))
}

function describeAny(type: ResourceType): SchemaObject {
  return { ...describeAnnotations(type), ...describeOneOfTypes(type.concreteTypes, exactSchemaName) }
}

/** https://jsonapi.org/format/1.1/#document-resource-objects */
function describeResource(type: StoredType, api: OpenApiContext): SchemaObject {
  const attributes = type.attributes.filter(isViewable)
  const relationships = type.relationships.filter(isViewable)
  const properties = {
    type: describeTypeNames([type]),
    id: ID,
    ...(attributes.length > 0 && { attributes: objectOf(describeByName(attributes, describeAttribute)) }),
    ...(relationships.length > 0 && {
      relationships: objectOf(describeByName(relationships, (each) => describeRelationship(each, api))),
    }),
    links: schemaRef('jsonapi.links.resource'),
    meta: schemaRef('jsonapi.meta'),
  }
  return { ...describeAnnotations(type), ...objectOf(properties, ['type', 'id']) }
}

function describeAttribute(attribute: Attribute): SchemaObject {
  const isReadOnly = !isWritable(attribute, 'create') && !isWritable(attribute, 'change')
  return {
    ...describeResponseValueSchema(attribute),
    ...describeAnnotations(attribute),
    ...(isReadOnly && { readOnly: true }),
  }
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function describeRelationship(relationship: Relationship, api: OpenApiContext): SchemaObject {
  const properties = {
    data: describeLinkage(relationship, api),
    links: schemaRef(`jsonapi.links.${relationship.kind}`),
    ...(relationship.kind === 'toMany' && { meta: schemaRef('jsonapi.meta.toMany') }),
  }
  return { ...describeAnnotations(relationship), ...objectOf(properties) }
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function describeIdentifier({ concreteTypes }: ResourceType): SchemaObject {
  const properties = { type: describeTypeNames(concreteTypes), id: ID, meta: schemaRef('jsonapi.meta') }
  return objectOf(properties, ['type', 'id'])
}

/** Returns the description of each item by the item's name. */
export function describeByName<Named extends { readonly name: string }>(
  all: readonly Named[],
  describe: (each: Named) => SchemaObject,
): SchemaObjects {
  return Object.fromEntries(all.map((each) => [each.name, describe(each)]))
}

const ID: SchemaObject = { type: 'string', minLength: 1 }
