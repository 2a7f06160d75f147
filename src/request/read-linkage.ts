import type { Pointer } from '../document/pointer'
import { collectProblems, JsonApiError, problem } from '../errors/json-api-error'
import { isA } from '../graph/inheritance'
import type { Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/resource-graph'
import type { RequestedIdentifier, RequestedLinkage } from '../records/change'
import { canonicalId } from './canonical-id'
import { describeFound } from './describe-found'
import type { IdentifierShape, LinkageShape } from './read-linkage-shape'
import { readKnownType, refuseAbstract, refuseUnrelated } from './read-resource-type'

export interface LinkageContext {
  readonly relationship: Relationship
  readonly graph: ResourceGraph
  /** A relationship endpoint may name abstract types; what creates or updates a resource may not. */
  readonly place: 'resourceObject' | 'relationshipEndpoint'
  /** The resource that the request creates, if its own identifiers may name it. */
  readonly created?: CreatedResource | undefined
}

export interface CreatedResource {
  readonly type: StoredType
  readonly lid: string
}

/** What linkage means: the types that it names, each resource once. Whether the resources exist is found out later. */
export function readLinkage(linkage: LinkageShape, context: LinkageContext): RequestedLinkage {
  const { pointer } = linkage
  if (linkage.kind === 'toMany') {
    return { kind: 'toMany', identifiers: readIdentifiers(linkage.identifiers, context), pointer }
  }
  if (linkage.identifier !== null) {
    return { kind: 'toOne', identifier: readIdentifier(linkage.identifier, context), pointer }
  }
  refuseClearing(context.relationship, pointer)
  return { kind: 'toOne', identifier: null, pointer }
}

/** `readLinkage` for the members of a to-many relationship. */
export function readIdentifiers(
  shapes: readonly IdentifierShape[],
  context: LinkageContext,
): readonly RequestedIdentifier[] {
  const byName = new Map<string, RequestedIdentifier>()
  for (const identifier of collectProblems(shapes, (shape) => readIdentifier(shape, context))) {
    const name = nameOf(identifier)
    if (!byName.has(name)) byName.set(name, identifier)
  }
  return [...byName.values()]
}

/** No type name has a slash in it. */
function nameOf(identifier: RequestedIdentifier): string {
  return identifier.kind === 'created' ? 'created' : `${identifier.type.name}/${identifier.id}`
}

function readIdentifier(
  { type: name, pointer, ...shape }: IdentifierShape,
  context: LinkageContext,
): RequestedIdentifier {
  const named = { name, pointer }
  const type = readKnownType(named, context.graph)
  if (context.place === 'resourceObject') refuseAbstract(named, type)
  refuseUnrelated(named, type, context.relationship)
  if ('id' in shape.name) return { kind: 'existing', type, id: canonicalId(type, shape.name.id), pointer }
  refuseForeignLocalId(shape.name.lid, { type, pointer }, context)
  return { kind: 'created', pointer }
}

/** A local id is known within one document and one type. https://jsonapi.org/format/1.1/#document-resource-object-identification */
function refuseForeignLocalId(
  lid: string,
  { type, pointer }: { readonly type: ResourceType; readonly pointer: Pointer },
  { created, relationship }: LinkageContext,
): void {
  if (created?.lid === lid && isA(created.type, type) && isA(created.type, relationship.target)) return
  const expected = created === undefined ? "an 'id'" : `an 'id', or the local id of the resource that is created`
  const detail = `Expected ${expected}, found the local id ${describeFound(lid)} of '${type.name}'.`
  throw new JsonApiError([problem('document.lid-unknown', detail, { pointer })])
}

function refuseClearing(relationship: Relationship, pointer: Pointer): void {
  if (relationship.kind !== 'toOne' || relationship.isNullable) return
  const detail = `Expected a resource identifier in '${relationship.name}', which can't be empty, found null.`
  throw new JsonApiError([problem('relationship.required', detail, { pointer })])
}
