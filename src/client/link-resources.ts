import { isPage, toRelatedList } from './related-list'
import type { Identifier } from './resource'
import type { ResourceObject, WireDocument, WireRelationship } from './wire'

/** Fields of every name, beside `type` and `id`. */
export type AnyResource = Identifier & Record<string, unknown>

const wires = new WeakMap<object, ResourceObject>()
const etags = new WeakMap<object, string>()

/**
 * A resource as it was sent, with links and `meta`, of its relationships too; `undefined` for what didn't come from a client.
 *
 * `getResourceObject(human)?.relationships?.children?.meta`
 */
export function getResourceObject(resource: object): ResourceObject | undefined {
  return wires.get(resource)
}

/** The state that a resource was read in; `undefined` where the server has not told, as in collections. */
export function getEtag(resource: object): string | undefined {
  return etags.get(resource)
}

export function rememberEtag(resource: object | null, etag: string | null | undefined): void {
  if (resource !== null && typeof etag === 'string') etags.set(resource, etag)
}

/** The primary data of a document, each of its resources once, and linked to each other. */
export function linkResources({ data, included = [] }: WireDocument): readonly AnyResource[] {
  const primary = listOf(data)
  const known = new Map([...included, ...primary].map((wire) => [keyOf(wire), toResource(wire)]))
  for (const resource of known.values()) {
    for (const [name, relationship] of Object.entries(wires.get(resource)?.relationships ?? {}))
      if (relationship.data !== undefined) resource[name] = related(relationship, known)
  }
  return primary.map((wire) => known.get(keyOf(wire)) ?? toResource(wire))
}

function listOf(data: WireDocument['data']): readonly ResourceObject[] {
  return [data ?? []].flat() as readonly ResourceObject[]
}

function toResource(wire: ResourceObject): AnyResource {
  const resource = { ...wire.attributes, type: wire.type, id: wire.id }
  wires.set(resource, wire)
  return resource
}

/** What wasn't included is an identifier still. */
function related(relationship: WireRelationship, known: ReadonlyMap<string, AnyResource>): unknown {
  const { data = null } = relationship
  const resolve = (each: ResourceObject) => known.get(keyOf(each)) ?? { type: each.type, id: each.id }
  if (data === null) return null
  return Array.isArray(data) ? toRelatedList(data.map(resolve), isPage(relationship)) : resolve(data as ResourceObject)
}

/** Neither may contain a line break. */
function keyOf({ type, id }: Identifier): string {
  return `${type}\n${id}`
}
