import { addIsFilteredPropertyToList, copyListWithHasMoreProperty } from './related-list'
import type { Identifier } from './resource'
import type { UntypedClientQuery } from './to-query-string'
import type { ResourceObject, WireDocument, WireRelationship } from './wire'

/** An untyped resource. */
export type UntypedClientResource = Identifier & Record<string, unknown>

const resourceObjects = new WeakMap<object, ResourceObject>()
const etags = new WeakMap<object, string>()

/**
 * Returns the resource object as it was received, with `links`, `meta` and relationship objects. Returns `undefined` for objects that did
 * not come from a client.
 *
 * `getRawResourceObject(human)?.relationships?.children?.meta`
 */
export function getRawResourceObject(resource: object): ResourceObject | undefined {
  return resourceObjects.get(resource)
}

/** Returns the ETag that a resource was read with, or `undefined` if the response had none, as for collections. */
export function getEtag(resource: object): string | undefined {
  return etags.get(resource)
}

export function rememberEtagOfReceivedResource(resource: object | null, etag: string | null | undefined): void {
  if (resource !== null && typeof etag === 'string') etags.set(resource, etag)
}

/**
 * Returns the primary data, with references to included resources. Each resource becomes one object. `include` is that of the request: the
 * document does not show which linkage a filter has shortened.
 */
export function deserializeResources(
  { data, included = [] }: WireDocument,
  include?: UntypedClientQuery['include'],
): readonly UntypedClientResource[] {
  const primary = primaryDataToArray(data)
  const known = new Map([...included, ...primary].map((wire) => [keyOf(wire), toResource(wire)]))
  for (const resource of known.values()) {
    for (const [name, relationship] of Object.entries(resourceObjects.get(resource)?.relationships ?? {}))
      if (relationship.data !== undefined) resource[name] = related(relationship, known)
  }
  const resources = primary.map((wire) => known.get(keyOf(wire)) ?? toResource(wire))
  markFilteredLists(new Set(resources), include)
  return resources
}

/** A list that several paths lead to counts as filtered if the include of one of them has a filter. */
function markFilteredLists(
  resources: ReadonlySet<UntypedClientResource>,
  include: UntypedClientQuery['include'] = {},
): void {
  for (const [name, node] of Object.entries(include)) {
    if (node === undefined || node === true) continue
    const values = [...resources].map((resource) => resource[name] ?? [])
    if (node.filter !== undefined)
      for (const value of values) if (Array.isArray(value)) addIsFilteredPropertyToList(value)
    markFilteredLists(new Set(values.flat() as UntypedClientResource[]), node.include)
  }
}

export function primaryDataToArray(data: WireDocument['data']): readonly ResourceObject[] {
  return [data ?? []].flat() as readonly ResourceObject[]
}

function toResource(wire: ResourceObject): UntypedClientResource {
  const resource = { ...wire.attributes, type: wire.type, id: wire.id }
  resourceObjects.set(resource, wire)
  return resource
}

/** Returns an identifier for a resource that was not included. */
function related(relationship: WireRelationship, known: ReadonlyMap<string, UntypedClientResource>): unknown {
  const { data = null } = relationship
  const resolve = (each: ResourceObject) => known.get(keyOf(each)) ?? { type: each.type, id: each.id }
  if (data === null) return null
  return Array.isArray(data)
    ? copyListWithHasMoreProperty(data.map(resolve), relationship.meta?.hasMore === true)
    : resolve(data as ResourceObject)
}

/** Neither type nor id can contain a line break. */
function keyOf({ type, id }: Identifier): string {
  return `${type}\n${id}`
}
