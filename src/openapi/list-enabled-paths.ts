import type { EndpointName } from '../declarations/field-options'
import { isViewable, isWritable } from '../graph/model/capabilities'
import { allFieldNames, findFields } from '../graph/model/inheritance'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import { type HttpMethod, ROUTES, type UrlShape } from '../request/intent/routes'
import type { Endpoint } from './endpoint'

/** A URL of a type, with what is switched on there. */
export interface EnabledPath {
  /** The id stays a parameter: `/men/{id}/relationships/wife`. */
  readonly path: string
  readonly shape: UrlShape
  readonly endpoints: readonly Endpoint[]
}

/** Every URL of a type at which something is switched on, from the table by which requests find their endpoints. */
export function listEnabledPaths(type: ResourceType): readonly EnabledPath[] {
  const named = relationshipsOf(type)
  return [
    toEnabledPath('collection', { type, relationships: [] }),
    toEnabledPath('individual', { type, relationships: [] }),
    ...named.map((relationships) => toEnabledPath('related', { type, relationships })),
    ...named.map((relationships) => toEnabledPath('relationship', { type, relationships })),
  ].filter(({ endpoints }) => endpoints.length > 0)
}

/** By name: what each can stand for, at this type or at those that derive from it. */
function relationshipsOf(type: ResourceType): readonly (readonly Relationship[])[] {
  return allFieldNames(type).flatMap((name) => {
    const found = findFields(type, name).filter((field) => field.kind !== 'attribute')
    const viewable = found.filter(isViewable)
    return viewable.length === 0 ? [] : [viewable]
  })
}

type NamedEndpoint = Pick<Endpoint, 'type' | 'relationships'>

function toEnabledPath(shape: UrlShape, named: NamedEndpoint): EnabledPath {
  const { path, methods } = ROUTES[shape]
  const endpoints = (Object.entries(methods) as [HttpMethod, EndpointName][])
    .map(([method, name]) => ({ method, name, ...named }))
    .filter(isEnabled)
  return { path: toPath(path, named), shape, endpoints }
}

/** By the type of the URL; of a relationship at least one that the name stands for must allow it. */
function isEnabled({ type, name, relationships }: Endpoint): boolean {
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

function toPath(path: string, { type, relationships: [relationship] }: NamedEndpoint): string {
  return path
    .replace('{type}', encodeURIComponent(type.name))
    .replace('{relationship}', encodeURIComponent(relationship?.name ?? ''))
}
