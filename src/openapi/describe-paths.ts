import { isFieldWrite, isWritable } from '../graph/model/capabilities'
import type { Field, ResourceType } from '../graph/model/resource-graph'
import type { ApiFacts } from './api-facts'
import { describeHead, describeTypeOptions } from './describe-head-and-options'
import { describeOperation } from './describe-operation'
import { parameterRef } from './describe-parameters'
import { type EnabledPath, listEnabledPaths } from './list-enabled-paths'
import type { Schema, Schemas } from './schema'

/** Describes every URL of every type, with the enabled methods. */
export function describePaths(facts: ApiFacts): Schemas {
  const places = [...facts.graph.types.values()].flatMap(listEnabledPaths)
  return Object.fromEntries(places.map((place) => [place.path, describePath(place, facts)]))
}

function describePath(place: EnabledPath, facts: ApiFacts): Schema {
  const { shape, endpoints } = place
  const operations = endpoints.map((each) => [each.method.toLowerCase(), describeOperation(each, facts)] as const)
  const get = operations.find(([method]) => method === 'get')?.[1]
  return {
    ...(shape !== 'collection' && { parameters: [parameterRef('id')] }),
    ...Object.fromEntries(operations),
    ...(get !== undefined && { head: describeHead(get) }),
    ...describeTypeOptions(place, facts),
  }
}

/**
 * Describes the tags by which tools group operations. Extension members hold the hierarchy and the capabilities, for which OpenAPI has no
 * terms.
 */
export function describeTags({ graph }: ApiFacts): readonly Schema[] {
  return [...graph.types.values()].map((type) => ({
    name: type.name,
    ...(type.notes.description !== undefined && { description: type.notes.description }),
    'x-resource-type': describeType(type),
  }))
}

function describeType({ base, isAbstract, fields }: ResourceType): Schema {
  return {
    ...(base !== undefined && { base: base.name }),
    abstract: isAbstract,
    fields: [...fields.values()].map(describeField).filter(({ capabilities }) => capabilities.length > 0),
  }
}

/** A field without capabilities is not described to clients. */
function describeField(field: Field): Schema & { readonly capabilities: readonly string[] } {
  const { name, kind, notes } = field
  return {
    name,
    kind,
    ...(field.kind !== 'attribute' && { target: field.target.name }),
    ...(notes.description !== undefined && { description: notes.description }),
    capabilities: field.capabilities.filter((each) => !isFieldWrite(each) || isWritable(field, each)),
  }
}
