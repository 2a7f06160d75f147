import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { assertNever } from '../../errors/invariant'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { selfAndAncestors } from '../../graph/model/inheritance'
import type { ResourceType } from '../../graph/model/resource-graph'
import { QUERY_WITHOUT_INCLUDES } from '../../query/tree/ast'
import {
  documentShapeError,
  runReadersCollectingErrors,
  runWithDefaultErrorPointer,
  type ValueWithPointer,
} from '../body/read-members'
import { readLinkageToAddOrRemove, readReplacementLinkage } from '../body/read-relationship-write'
import {
  type ResolveCreateResourceObjectContext,
  resolveCreateResourceObject,
  resolveUpdateResourceObject,
} from '../body/read-resource-object'
import { assertNotAbstract, getResourceTypeNamed } from '../body/read-resource-type'
import {
  type ResourceObjectWithUnresolvedNames,
  readUnresolvedResourceObject,
} from '../body/read-unresolved-resource-object'
import type { IdentifierResolutionContext } from '../body/resolve-linkage'
import type { WritePrecondition } from '../http/read-precondition'
import type { ReturnPreference } from '../http/read-return-preference'
import type {
  CreateResourceIntent,
  DeleteResourceIntent,
  DocumentWithDataPointer,
  RequestedResourceIdentifier,
  UpdateResourceIntent,
  WriteIntent,
} from '../intent/intent'
import { getRelationshipsNamedOrThrowIfReadOnly } from '../intent/relationship-candidates'
import { assertLidIsFree, type LidLifetimes } from './lid-lifetimes'
import type { OperationTarget } from './read-operation-target'

export type OperationCode = (typeof OPERATION_CODES)[number]
export const OPERATION_CODES = ['add', 'update', 'remove'] as const

/** An operation with parsed members, before they are combined to an intent. */
interface ParsedOperation {
  readonly op: OperationCode
  readonly target: OperationTarget
  readonly condition: WritePrecondition
  readonly data: ValueWithPointer
  /** Its index in the document. */
  readonly index: number
  readonly pointer: JsonPointer
}

interface OperationIntentSources
  extends IdentifierResolutionContext,
    Pick<ResolveCreateResourceObjectContext, 'providesDefaults' | 'onValues' | 'document'> {
  readonly history: LidLifetimes
  /** The preferred response. */
  readonly preference: ReturnPreference | undefined
}

export function readOperationIntent(operation: ParsedOperation, sources: OperationIntentSources): WriteIntent {
  const { target, op } = operation
  if (target.kind === 'relationship') return readRelationshipOperation(target, operation, sources)
  switch (op) {
    case 'add':
      return readAdd(operation, sources)
    case 'update':
      return readUpdate(operation, sources)
    case 'remove':
      return readRemove(operation, sources)
    default:
      return assertNever(op)
  }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-relationships */
function readRelationshipOperation(
  { target, name, pointer }: Extract<OperationTarget, { kind: 'relationship' }>,
  operation: ParsedOperation,
  sources: OperationIntentSources,
): WriteIntent {
  const { op, data } = operation
  const common = { target, sent: sentOf(operation, sources), ...conditionalOf(operation, sources) }
  if (op === 'update') {
    assertOperationEnabled(target.type, 'setRelationship', pointer)
    const candidates = runWithDefaultErrorPointer(pointer, () => {
      const relationshipToWrite = getRelationshipsNamedOrThrowIfReadOnly(target.type, name, 'set', sources.isHidden)
      return readReplacementLinkage(relationshipToWrite, data, sources)
    })
    return { kind: 'setRelationship', candidates: { ...candidates, pointer }, ...common }
  }
  const kind = op === 'add' ? 'addToRelationship' : 'removeFromRelationship'
  assertOperationEnabled(target.type, kind, pointer)
  const candidates = runWithDefaultErrorPointer(pointer, () => {
    const relationshipToWrite = getRelationshipsNamedOrThrowIfReadOnly(target.type, name, op, sources.isHidden)
    return readLinkageToAddOrRemove(relationshipToWrite, data, sources)
  })
  return { kind, candidates: { ...candidates, pointer }, ...common }
}

/** https://jsonapi.org/ext/atomic/#auto-id-creating-resources */
function readAdd(operation: ParsedOperation, sources: OperationIntentSources): CreateResourceIntent {
  const { target, data, condition, index } = operation
  if (target.kind === 'resource') {
    throw targetError("Expected the 'href' of a collection, or neither 'href' nor 'ref', to add a resource.", target)
  }
  const shape = readUnresolvedResourceObject(data, 'create', sources)
  const type =
    target.kind === 'collection' ? target.type : getResourceTypeNamed({ ...shape, name: shape.type }, sources.graph)
  assertOperationEnabled(
    type,
    'createResource',
    target.kind === 'collection' ? target.pointer : appendToPointer(data.pointer, 'type'),
  )
  const { change } = runReadersCollectingErrors({
    change: () => resolveCreateResourceObject(shape, type, { ...sources, localsOf: () => sources.locals }),
    lid: () => assertLidIsFree(shape, index, sources.history),
    condition: () => assertNoCondition(condition),
  })
  const { preference } = conditionalOf(operation, sources)
  return {
    kind: 'createResource',
    type,
    change,
    query: QUERY_WITHOUT_INCLUDES,
    sent: sentOf(operation, sources),
    preference,
  }
}

/** Throws for a version, because a new resource has none. */
function assertNoCondition({ kind, pointer }: WritePrecondition): void {
  if (kind !== 'revisions' || pointer === undefined) return
  throw createJsonApiError('operation.precondition-failed', 'Expected no version for a new resource, found one.', {
    pointer,
  })
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-resources */
function readUpdate(operation: ParsedOperation, sources: OperationIntentSources): UpdateResourceIntent {
  if (operation.target.kind === 'collection') {
    throw targetError('Expected the URL of a resource or relationship, found that of a collection.', operation.target)
  }
  const shape = readUnresolvedResourceObject(operation.data, 'updateAny', sources)
  const target = operation.target.kind === 'resource' ? operation.target.target : readOwnTarget(shape, sources)
  assertOperationEnabled(target.type, 'updateResource', target.pointer ?? operation.pointer)
  const change = resolveUpdateResourceObject(shape, target, sources)
  const common = { sent: sentOf(operation, sources), ...conditionalOf(operation, sources) }
  return { kind: 'updateResource', target, change, query: QUERY_WITHOUT_INCLUDES, ...common }
}

/** Returns the resource that `data` identifies, for an operation without `ref` and `href`. */
function readOwnTarget(
  { type: name, id, lid, pointer }: ResourceObjectWithUnresolvedNames,
  { graph, locals }: IdentifierResolutionContext,
): RequestedResourceIdentifier {
  const type = getResourceTypeNamed({ name, pointer }, graph)
  assertNotAbstract({ name, pointer }, type, type)
  if (lid === undefined) return { type, id: id ?? '', pointer }
  return { type, id: '', local: locals.find({ type, lid, pointer }), pointer }
}

/** Reads a deletion. Throws if there is `data`: the client has probably forgotten the relationship, and does not intend to delete the resource. */
function readRemove(operation: ParsedOperation, sources: OperationIntentSources): DeleteResourceIntent {
  const { target, data, pointer } = operation
  if (target.kind === 'none') throw documentShapeError(pointer, "a member 'ref' or 'href'", undefined)
  if (target.kind !== 'resource')
    throw targetError('Expected the URL of a resource or relationship, found that of a collection.', target)
  if (data.value !== undefined) {
    throw documentShapeError(
      data.pointer,
      "no 'data' where a resource is removed, or a 'relationship' in 'ref'",
      data.value,
    )
  }
  assertOperationEnabled(target.target.type, 'deleteResource', target.pointer)
  return { kind: 'deleteResource', target: target.target, ...conditionalOf(operation, sources) }
}

function sentOf({ data }: ParsedOperation, { document }: OperationIntentSources): DocumentWithDataPointer {
  return { document, pointer: data.pointer }
}

/** Returns the condition and the preferred response. By default, only operations with a version return the resource with its new version. */
function conditionalOf({ condition }: ParsedOperation, { preference }: OperationIntentSources) {
  return { condition, preference: preference ?? (condition.kind === 'none' ? 'minimal' : 'representation') } as const
}

/** Throws if the endpoint is disabled for the type and all its base types. An endpoint of a base type also serves its derived types. */
function assertOperationEnabled(type: ResourceType, kind: WriteIntent['kind'], pointer: JsonPointer): void {
  if (selfAndAncestors(type).some(({ endpoints }) => endpoints.includes(kind))) return
  throw createJsonApiError('endpoint.disabled', `${kind} is disabled for '${type.name}'.`, { pointer })
}

function targetError(detail: string, { pointer }: { readonly pointer: JsonPointer }): JsonApiError {
  return createJsonApiError('operation.target', detail, { pointer })
}
