import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import { isFieldWritable, isWriteCapability } from '../graph/model/capabilities'
import type { Field, ResourceType } from '../graph/model/resource-graph'
import { describeAtomicOperationsPath, describeAtomicOperationsSchemas } from './describe-atomic'
import { describeDocumentSchemas } from './describe-documents'
import { describeErrorResponseComponents } from './describe-errors'
import { describeHeadMethod, describeOptionsMethodOfPath } from './describe-head-and-options'
import { describeHeaderComponents } from './describe-headers'
import { describeOpenApiOperation } from './describe-operation'
import { describeParameterComponents, parameterComponentRef } from './describe-parameters'
import { describeRequestResourceSchemas } from './describe-request-resources'
import { describeResponseResourceSchemas } from './describe-resources'
import { type EnabledUrlPath, listEnabledPathsOfType } from './list-enabled-paths-of-type'
import type { OpenApiContext } from './openapi-context'
import type { OpenApiObjectMap, SchemaObject } from './schema'

/** An OpenAPI document: JSON. https://spec.openapis.org/oas/v3.1.1.html */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly components: JsonObject
}

/** Describes all enabled endpoints with their requests and responses, from the graph, the options and the route table. */
export function createOpenApiDocument(api: OpenApiContext): OpenApiDocument {
  const { title, version, description, servers, securitySchemes, security } = api.options.openApi
  const paths = { ...describePaths(api), ...describeAtomicOperationsPath(api) }
  const components = selectUsed(paths, {
    schemas: {
      ...describeResponseResourceSchemas(api),
      ...describeRequestResourceSchemas(api),
      ...describeDocumentSchemas(api),
      ...describeAtomicOperationsSchemas(api),
    },
    responses: describeErrorResponseComponents(api),
    parameters: describeParameterComponents(api),
    headers: describeHeaderComponents(),
  })
  return {
    openapi: '3.1.1',
    info: { title, version, ...(description !== undefined && { description }) },
    ...(servers !== undefined && { servers }),
    tags: describeTags(api),
    ...(security !== undefined && { security }),
    paths,
    components: { ...components, ...(securitySchemes !== undefined && { securitySchemes }) },
  }
}

type Components = Readonly<Record<string, OpenApiObjectMap>>

/** Returns the components that the paths refer to, directly or through other components. */
function selectUsed(paths: OpenApiObjectMap, components: Components): Components {
  const used = referencesFrom(paths, components)
  const sections = Object.entries(components).map(([section, all]) => {
    const referenced = Object.entries(all).filter(([name]) => used.has(`#/components/${section}/${name}`))
    return [section, Object.fromEntries(referenced)] as const
  })
  return Object.fromEntries(sections.filter(([, referenced]) => Object.keys(referenced).length > 0))
}

function referencesFrom(paths: OpenApiObjectMap, components: Components): ReadonlySet<string> {
  const used = new Set<string>()
  const addFrom = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) value.forEach(addFrom)
    if (!isJsonObject(value)) return
    if (typeof value.$ref === 'string') used.add(value.$ref)
    for (const name of Object.keys(value)) addFrom(value[name])
  }
  addFrom(paths)
  // The loop also visits the references that it adds.
  for (const ref of used) addFrom(componentAt(ref, components))
  return used
}

function componentAt(ref: string, components: Components): JsonValue | undefined {
  const [, , section = '', name = ''] = ref.split('/')
  return components[section]?.[name]
}

/** Describes every URL of every type, with the enabled methods. */
function describePaths(api: OpenApiContext): OpenApiObjectMap {
  const paths = [...api.graph.types.values()].flatMap(listEnabledPathsOfType)
  return Object.fromEntries(paths.map((path) => [path.path, describePath(path, api)]))
}

function describePath(path: EnabledUrlPath, api: OpenApiContext): SchemaObject {
  const { routeKind, endpoints } = path
  const operations = endpoints.map((each) => [each.method.toLowerCase(), describeOpenApiOperation(each, api)] as const)
  const get = operations.find(([method]) => method === 'get')?.[1]
  return {
    ...(routeKind !== 'collection' && { parameters: [parameterComponentRef('id')] }),
    ...Object.fromEntries(operations),
    ...(get !== undefined && { head: describeHeadMethod(get) }),
    ...describeOptionsMethodOfPath(path, api),
  }
}

/**
 * Describes the tags by which tools group operations. Extension members hold the hierarchy and the capabilities, for which OpenAPI has no
 * terms.
 */
function describeTags({ graph }: OpenApiContext): readonly SchemaObject[] {
  return [...graph.types.values()].map((type) => ({
    name: type.name,
    ...(type.annotations.description !== undefined && { description: type.annotations.description }),
    'x-resource-type': describeType(type),
  }))
}

function describeType({ base, isAbstract, fields }: ResourceType): SchemaObject {
  return {
    ...(base !== undefined && { base: base.name }),
    abstract: isAbstract,
    fields: [...fields.values()].map(describeField).filter(({ capabilities }) => capabilities.length > 0),
  }
}

/** Describes a field with its capabilities. Fields without any are left out by the caller. */
function describeField(field: Field): SchemaObject & { readonly capabilities: readonly string[] } {
  const { name, kind, annotations } = field
  return {
    name,
    kind,
    ...(field.kind !== 'attribute' && { target: field.target.name }),
    ...(annotations.description !== undefined && { description: annotations.description }),
    capabilities: field.capabilities.filter((each) => !isWriteCapability(each) || isFieldWritable(field, each)),
  }
}
