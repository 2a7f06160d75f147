import type { EndpointName } from '../declarations/field-options'
import { isViewable, isWritable } from '../graph/model/capabilities'
import { allFieldNames, findFields } from '../graph/model/inheritance'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import { type HttpMethod, ROUTES, type UrlShape } from '../request/intent/routes'
import type { Endpoint } from './endpoint'

/** A URL of a type with its enabled methods. */
export interface EnabledPath {
  /** With the id as a parameter: `/men/{id}/relationships/wife`. */
  readonly path: string
  readonly shape: UrlShape
  readonly endpoints: readonly Endpoint[]
}

/** Returns every URL of a type with an enabled method, from the route table that requests use. */
export function listEnabledPaths(type: ResourceType): readonly EnabledPath[] {
  const named = relationshipsOf(type)
  return [
    toEnabledPath('collection', { type, relationships: [] }),
    toEnabledPath('individual', { type, relationships: [] }),
    ...named.map((relationships) => toEnabledPath('related', { type, relationships })),
    ...named.map((relationships) => toEnabledPath('relationship', { type, relationships })),
  ].filter(({ endpoints }) => endpoints.length > 0)
}

/** Groups the relationships of this type and its derived types by name. */
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

/** Checks the endpoints of the type in the URL. At least one of the relationships must allow the write. */
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
