import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import type { ApiFacts } from './api-facts'
import { describeAtomicPath, describeAtomicSchemas } from './describe-atomic'
import { describeDocuments } from './describe-documents'
import { describeErrorResponses } from './describe-errors'
import { describeAllHeaders } from './describe-headers'
import { describeParameters } from './describe-parameters'
import { describePaths, describeTags } from './describe-paths'
import { describeResources } from './describe-resources'
import { describeWrittenResources } from './describe-written-resources'
import type { Schemas } from './schema'

/** An OpenAPI document: JSON. https://spec.openapis.org/oas/v3.1.1.html */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly components: JsonObject
}

/** Describes all enabled endpoints with their requests and responses, from the graph, the options and the route table. */
export function describeApi(facts: ApiFacts): OpenApiDocument {
  const { title, version, description, servers, securitySchemes, security } = facts.options.openApi
  const paths = { ...describePaths(facts), ...describeAtomicPath(facts) }
  const components = withUsed(paths, {
    schemas: {
      ...describeResources(facts),
      ...describeWrittenResources(facts),
      ...describeDocuments(facts),
      ...describeAtomicSchemas(facts),
    },
    responses: describeErrorResponses(facts),
    parameters: describeParameters(facts),
    headers: describeAllHeaders(),
  })
  return {
    openapi: '3.1.1',
    info: { title, version, ...(description !== undefined && { description }) },
    ...(servers !== undefined && { servers }),
    tags: describeTags(facts),
    ...(security !== undefined && { security }),
    paths,
    components: { ...components, ...(securitySchemes !== undefined && { securitySchemes }) },
  }
}

type Components = Readonly<Record<string, Schemas>>

/** Returns the components that the paths refer to, directly or through other components. */
function withUsed(paths: Schemas, components: Components): Components {
  const used = usedBy(paths, components)
  const sections = Object.entries(components).map(([section, all]) => {
    const kept = Object.entries(all).filter(([name]) => used.has(`#/components/${section}/${name}`))
    return [section, Object.fromEntries(kept)] as const
  })
  return Object.fromEntries(sections.filter(([, kept]) => Object.keys(kept).length > 0))
}

function usedBy(paths: Schemas, components: Components): ReadonlySet<string> {
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
