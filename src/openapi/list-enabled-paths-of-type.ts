import type { EndpointName } from '../declarations/field-options'
import { hasViewCapability, isFieldWritable } from '../graph/model/capabilities'
import { fieldNamesOfSelfAndDescendants, findOwnOrDerivedFields } from '../graph/model/inheritance'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import type { OperationsOptions } from '../graph/options/options'
import type { RelationshipWriteMode } from '../request/intent/relationship-candidates'
import { type EndpointMethod, ROUTES, type RouteKind } from '../request/intent/routes'
import type { OpenApiContext } from './openapi-context'

/** A URL of a type with its enabled methods. */
export interface EnabledUrlPath {
  /** With the id as a parameter: `/men/{id}/relationships/wife`. */
  readonly path: string
  readonly routeKind: RouteKind
  readonly endpoints: readonly EnabledMethod[]
}

/** Returns every URL of a type with an enabled method, from the route table that requests use. */
export function listEnabledPathsOfType(type: ResourceType): readonly EnabledUrlPath[] {
  const groups = relationshipsOf(type)
  return [
    toEnabledUrlPath('collection', { type, relationships: [] }),
    toEnabledUrlPath('individual', { type, relationships: [] }),
    ...groups.map((relationships) => toEnabledUrlPath('related', { type, relationships })),
    ...groups.map((relationships) => toEnabledUrlPath('relationship', { type, relationships })),
  ].filter(({ endpoints }) => endpoints.length > 0)
}

/** Groups the relationships of this type and its derived types by name. */
function relationshipsOf(type: ResourceType): readonly (readonly Relationship[])[] {
  return fieldNamesOfSelfAndDescendants(type).flatMap((name) => {
    const found = findOwnOrDerivedFields(type, name).filter((field) => field.kind !== 'attribute')
    const viewable = found.filter(hasViewCapability)
    return viewable.length === 0 ? [] : [viewable]
  })
}

/** Returns the options of the operations endpoint; `undefined` if it is disabled, or if every type refuses every operation. */
export function findEnabledOperationsOptions({
  graph,
  options: { operations },
}: Pick<OpenApiContext, 'graph' | 'options'>): OperationsOptions | undefined {
  const hasWrites = [...graph.types.values()].some(({ endpoints }) => endpoints.some((name) => !name.startsWith('get')))
  return operations !== false && hasWrites ? operations : undefined
}

type NamedEndpoint = Pick<EnabledMethod, 'type' | 'relationships'>

function toEnabledUrlPath(routeKind: RouteKind, target: NamedEndpoint): EnabledUrlPath {
  const { path, methods } = ROUTES[routeKind]
  const endpoints = (Object.entries(methods) as [EndpointMethod, EndpointName][])
    .map(([method, name]) => ({ method, name, ...target }))
    .filter(isEnabled)
  return { path: toPath(path, target), routeKind, endpoints }
}

/** Checks the endpoints of the type in the URL. At least one of the relationships must allow the write. */
function isEnabled({ type, name, relationships }: EnabledMethod): boolean {
  const write = RELATIONSHIP_WRITE_BY_ENDPOINT[name]
  return (
    type.endpoints.includes(name) &&
    (write === undefined || relationshipsAllowingWrite(write, relationships).length > 0)
  )
}

/** The kind of write of each relationship endpoint. */
export const RELATIONSHIP_WRITE_BY_ENDPOINT: Readonly<Partial<Record<EndpointName, RelationshipWriteMode>>> = {
  setRelationship: 'set',
  addToRelationship: 'add',
  removeFromRelationship: 'remove',
}

/** Returns the relationships that allow a write. */
export function relationshipsAllowingWrite(
  write: RelationshipWriteMode,
  relationships: readonly Relationship[],
): readonly Relationship[] {
  return relationships.filter((each) => isFieldWritable(each, write) && (write === 'set' || each.kind === 'toMany'))
}

function toPath(path: string, { type, relationships: [relationship] }: NamedEndpoint): string {
  return path
    .replace('{type}', encodeURIComponent(type.name))
    .replace('{relationship}', encodeURIComponent(relationship?.name ?? ''))
}

/** One method of a URL. */
export interface EnabledMethod {
  readonly name: EndpointName
  readonly method: EndpointMethod
  /** The type in the URL. */
  readonly type: ResourceType
  /** The relationships that the name in the URL may stand for; empty for other URLs. */
  readonly relationships: readonly Relationship[]
}

/** Returns true for methods that only read. */
export function isReadMethod({ method }: Pick<EnabledMethod, 'method'>): boolean {
  return method === 'GET'
}
