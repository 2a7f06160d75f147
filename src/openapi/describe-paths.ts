import type { EndpointName } from '../declarations/field-options'
import { isViewable, isWritable } from '../graph/capabilities'
import { fieldNames, findFields } from '../graph/inheritance'
import type { Relationship, ResourceType } from '../graph/resource-graph'
import { type Method, ROUTES, type Shape } from '../request/routes'
import type { ApiFacts } from './api-facts'
import { describeOperation } from './describe-operation'
import { parameterRef } from './describe-parameters'
import type { Endpoint } from './endpoint'
import type { Schema, Schemas } from './schema'

/** Every URL of every type, with the methods that are switched on, from the table by which requests find their endpoints. */
export function describePaths(facts: ApiFacts): Schemas {
  return Object.fromEntries([...facts.graph.types.values()].flatMap((type) => pathsOf(type, facts)))
}

type PathItem = readonly [path: string, item: Schema]

function pathsOf(type: ResourceType, facts: ApiFacts): readonly PathItem[] {
  const named = relationshipsOf(type)
  return [
    ...toItem('collection', { type, relationships: [] }, facts),
    ...toItem('individual', { type, relationships: [] }, facts),
    ...named.flatMap((relationships) => toItem('related', { type, relationships }, facts)),
    ...named.flatMap((relationships) => toItem('relationship', { type, relationships }, facts)),
  ]
}

/** By name: what each can stand for, at this type or at those that derive from it. */
function relationshipsOf(type: ResourceType): readonly (readonly Relationship[])[] {
  return fieldNames(type).flatMap((name) => {
    const found = findFields(type, name).filter((field) => field.kind !== 'attribute')
    const viewable = found.filter(isViewable)
    return viewable.length === 0 ? [] : [viewable]
  })
}

type Place = Pick<Endpoint, 'type' | 'relationships'>

/** Nothing where every method is switched off. */
function toItem(shape: Shape, place: Place, facts: ApiFacts): readonly PathItem[] {
  const { path, methods } = ROUTES[shape]
  const operations = (Object.entries(methods) as [Method, EndpointName][])
    .map(([method, name]) => ({ method, name, ...place }))
    .filter(isOn)
    .map((endpoint) => [endpoint.method.toLowerCase(), describeOperation(endpoint, facts)] as const)
  if (operations.length === 0) return []
  const parameters = shape === 'collection' ? {} : { parameters: [parameterRef('id')] }
  return [[toPath(path, place), { ...parameters, ...Object.fromEntries(operations) }]]
}

/** By the type of the URL; of a relationship at least one that the name stands for must allow it. */
function isOn({ type, name, relationships }: Endpoint): boolean {
  if (!type.endpoints.includes(name)) return false
  switch (name) {
    case 'setRelationship':
      return relationships.some((each) => isWritable(each, 'set'))
    case 'addToRelationship':
      return relationships.some((each) => each.kind === 'toMany' && isWritable(each, 'add'))
    case 'removeFromRelationship':
      return relationships.some((each) => each.kind === 'toMany' && isWritable(each, 'remove'))
    default:
      return true
  }
}

/** The id stays a parameter: `/men/{id}/relationships/wife`. */
function toPath(path: string, { type, relationships: [relationship] }: Place): string {
  return path
    .replace('{type}', encodeURIComponent(type.name))
    .replace('{relationship}', encodeURIComponent(relationship?.name ?? ''))
}

/** What operations are sorted by in tools. */
export function describeTags({ graph }: ApiFacts): readonly Schema[] {
  return [...graph.types.values()].map(({ name, notes: { description } }) => ({
    name,
    ...(description !== undefined && { description }),
  }))
}
