import type { Pointer } from '../../document/pointer'
import { clientError, collectErrors, JsonApiError } from '../../errors/json-api-error'
import type { IsHidden } from '../../graph/model/capabilities'
import { isA } from '../../graph/model/inheritance'
import { canonicalId } from '../../graph/model/record-id'
import type { Relationship, ResourceGraph } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage } from '../../records/resource-input'
import { type LocalReference, type LocalScope, unknownLid } from './local-references'
import type { IdentifierShape, LinkageShape } from './read-linkage-shape'
import { assertNotAbstract, assertRelatedType, readKnownType } from './read-resource-type'

/** What names in linkage may stand for. */
export interface IdentifierContext {
  readonly graph: ResourceGraph
  readonly isHidden: IsHidden
  readonly locals: LocalScope
  /** How many there may be in the data of one relationship; `null`: any number. */
  readonly mostIdentifiers: number | null
}

export interface LinkageContext extends IdentifierContext {
  readonly relationship: Relationship
  /** A relationship endpoint may name abstract types; what creates or updates a resource may not. */
  readonly location: 'resourceObject' | 'relationshipEndpoint'
}

/** What linkage means: the types that it names, each resource once. Whether the resources exist is found out later. */
export function readLinkage(linkage: LinkageShape, context: LinkageContext): RequestedLinkage {
  const { pointer } = linkage
  if (linkage.kind === 'toMany') {
    return { kind: 'toMany', identifiers: readIdentifiers(linkage.identifiers, pointer, context), pointer }
  }
  if (linkage.identifier !== null) {
    return { kind: 'toOne', identifier: readIdentifier(linkage.identifier, context), pointer }
  }
  assertClearable(context.relationship, pointer)
  return { kind: 'toOne', identifier: null, pointer }
}

/** `readLinkage` for the members of a to-many relationship. */
export function readIdentifiers(
  shapes: readonly IdentifierShape[],
  pointer: Pointer,
  context: LinkageContext,
): readonly RequestedIdentifier[] {
  assertIdentifierCount(shapes, pointer, context)
  const byName = new Map<string, RequestedIdentifier>()
  for (const identifier of collectErrors(shapes, (shape) => readIdentifier(shape, context))) {
    const name = nameOf(identifier)
    if (!byName.has(name)) byName.set(name, identifier)
  }
  return [...byName.values()]
}

function assertIdentifierCount(
  { length }: readonly IdentifierShape[],
  pointer: Pointer,
  { mostIdentifiers }: LinkageContext,
): void {
  if (mostIdentifiers === null || length <= mostIdentifiers) return
  const detail = `Expected at most ${mostIdentifiers} resource identifiers, found ${length}.`
  throw new JsonApiError([clientError('relationship.too-many', detail, { pointer })])
}

/** No type name has a slash in it, or is empty: an id may have any, and is never taken for a local id. */
function nameOf(identifier: RequestedIdentifier): string {
  if (identifier.kind === 'created') return 'created'
  const { type, id, local } = identifier
  return local === undefined ? `${type.name}/${id}` : `/${type.name}/${local.type.name}/${local.lid}`
}

function readIdentifier(shape: IdentifierShape, context: LinkageContext): RequestedIdentifier {
  const { pointer } = shape
  const named = { name: shape.type, pointer }
  const type = readKnownType(named, context.graph)
  if (context.location === 'resourceObject') assertNotAbstract(named, type, context.relationship.target)
  assertRelatedType(named, type, context.relationship)
  if ('id' in shape.name) return { kind: 'existing', type, id: canonicalId(type, shape.name.id), pointer }
  return readLocal({ type, lid: shape.name.lid, pointer }, context)
}

/** Nobody looks later whether what is created itself is of the right type. */
function readLocal(name: LocalReference, { locals, relationship }: LinkageContext): RequestedIdentifier {
  const local = locals.find(name)
  const { type, pointer } = name
  if (local !== locals.created) return { kind: 'existing', type, id: '', local, pointer }
  if (isA(local.type, type) && isA(local.type, relationship.target)) return { kind: 'created', pointer }
  throw unknownLid(name, 'the local id of a resource that can stand there')
}

function assertClearable(relationship: Relationship, pointer: Pointer): void {
  if (relationship.kind !== 'toOne' || relationship.isNullable) return
  const detail = `Expected a resource identifier in '${relationship.name}', which can't be empty, found null.`
  throw new JsonApiError([clientError('relationship.required', detail, { pointer })])
}
