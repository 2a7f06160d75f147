import type { JsonPointer } from '../../document/pointer'
import { createJsonApiError, mapCollectingErrors } from '../../errors/json-api-error'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import { isSameOrDerivedType } from '../../graph/model/inheritance'
import { canonicalId } from '../../graph/model/record-id'
import type { Relationship, ResourceGraph } from '../../graph/model/resource-graph'
import type { RequestedIdentifierOrSelf, RequestedLinkage } from '../../records/parsed-resource-object'
import { type LidScope, type LocalIdReference, unknownLidError } from './lid-scope'
import { assertNotAbstract, assertRelatedType, getResourceTypeNamed } from './read-resource-type'
import type { UnresolvedLinkage, UnresolvedResourceIdentifier } from './read-unresolved-linkage'

/** The context in which resource identifiers are read. */
export interface IdentifierResolutionContext {
  readonly graph: ResourceGraph
  readonly isHidden: IsFieldHidden
  readonly locals: LidScope
  /** The limit of identifiers in one relationship; `null`: none. */
  readonly maxIdentifiers: number | null
}

interface LinkageContext extends IdentifierResolutionContext {
  readonly relationship: Relationship
  /** Identifiers may name abstract types at a relationship endpoint, but not in a resource object. */
  readonly location: 'resourceObject' | 'relationshipEndpoint'
}

/** Lists the members, because each member that is added to a spread object takes a microsecond on Node.js 20. */
export function toRequestLinkageContext(
  { graph, isHidden, locals, maxIdentifiers }: IdentifierResolutionContext,
  relationship: Relationship,
  location: LinkageContext['location'],
): LinkageContext {
  return { graph, isHidden, locals, maxIdentifiers, relationship, location }
}

/** Resolves the types of linkage and removes duplicates. Whether the resources exist is checked later. */
export function resolveLinkageIdentifiers(linkage: UnresolvedLinkage, context: LinkageContext): RequestedLinkage {
  const { pointer } = linkage
  if (linkage.kind === 'toMany') {
    return { kind: 'toMany', identifiers: resolveTypesAndLidsOfToMany(linkage.identifiers, pointer, context), pointer }
  }
  if (linkage.identifier !== null) {
    return { kind: 'toOne', identifier: readIdentifier(linkage.identifier, context), pointer }
  }
  assertClearable(context.relationship, pointer)
  return { kind: 'toOne', identifier: null, pointer }
}

/** Resolves the members of a to-many relationship. */
export function resolveTypesAndLidsOfToMany(
  shapes: readonly UnresolvedResourceIdentifier[],
  pointer: JsonPointer,
  context: LinkageContext,
): readonly RequestedIdentifierOrSelf[] {
  const { length } = shapes
  const { maxIdentifiers } = context
  if (maxIdentifiers !== null && length > maxIdentifiers) {
    const detail = `Expected at most ${maxIdentifiers} resource identifiers, found ${length}.`
    throw createJsonApiError('relationship.too-many', detail, { pointer })
  }
  const byKey = new Map<string, RequestedIdentifierOrSelf>()
  for (const identifier of mapCollectingErrors(shapes, (shape) => readIdentifier(shape, context))) {
    const name = keyOf(identifier)
    if (!byKey.has(name)) byKey.set(name, identifier)
  }
  return [...byKey.values()]
}

/** Returns a key that identifies a resource. Type names contain no slash, so ids and local ids can't clash. */
function keyOf(identifier: RequestedIdentifierOrSelf): string {
  if (identifier.kind === 'created') return 'created'
  const { type, id, local } = identifier
  return local === undefined ? `${type.name}/${id}` : `/${type.name}/${local.type.name}/${local.lid}`
}

function readIdentifier(shape: UnresolvedResourceIdentifier, context: LinkageContext): RequestedIdentifierOrSelf {
  const { pointer } = shape
  const typeReference = { name: shape.type, pointer }
  const type = getResourceTypeNamed(typeReference, context.graph)
  if (context.location === 'resourceObject') assertNotAbstract(typeReference, type, context.relationship.target)
  assertRelatedType(typeReference, type, context.relationship)
  if ('id' in shape.name) return { kind: 'existing', type, id: canonicalId(type, shape.name.id), pointer }
  return readLocal({ type, lid: shape.name.lid, pointer }, context)
}

/** Resolves a local id. Checks the type of a resource that this document creates, because no later step does. */
function readLocal(name: LocalIdReference, { locals, relationship }: LinkageContext): RequestedIdentifierOrSelf {
  const local = locals.find(name)
  const { type, pointer } = name
  if (local !== locals.created) return { kind: 'existing', type, id: '', local, pointer }
  if (isSameOrDerivedType(local.type, type) && isSameOrDerivedType(local.type, relationship.target))
    return { kind: 'created', pointer }
  throw unknownLidError(name, 'the local id of a resource of a matching type')
}

function assertClearable(relationship: Relationship, pointer: JsonPointer): void {
  if (relationship.kind !== 'toOne' || relationship.isNullable) return
  const detail = `Expected a resource identifier in '${relationship.name}', which can't be empty, found null.`
  throw createJsonApiError('relationship.required', detail, { pointer })
}
