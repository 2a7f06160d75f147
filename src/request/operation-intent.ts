import { type Pointer, pointerTo } from '../document/pointer'
import { assertNever } from '../errors/invariant'
import { JsonApiError, problem } from '../errors/json-api-error'
import { selfAndAncestors } from '../graph/inheritance'
import type { ResourceType } from '../graph/resource-graph'
import { NOTHING_INCLUDED } from '../query/no-query'
import type { CreateResource, DeleteResource, SentDocument, Target, UpdateResource, WriteIntent } from './intent'
import { type LocalHistory, refuseTaken } from './local-history'
import type { OperationTarget } from './operation-target'
import { pointingTo } from './point-to'
import type { Condition } from './read-condition'
import type { Naming } from './read-linkage'
import type { ReturnPreference } from './read-preference'
import { nameRelationship, readMembers, readNewLinkage } from './read-relationship-write'
import { type Creating, readNewResource, readUpdatedResource } from './read-resource-object'
import { type ResourceShape, readResourceShape } from './read-resource-shape'
import { readKnownType, refuseAbstract } from './read-resource-type'
import { readAll, type SentValue, shapeMistake } from './read-shape'

export type Op = (typeof OPS)[number]
export const OPS = ['add', 'update', 'remove'] as const

/** An operation whose members are known, and not yet what they ask for together. */
export interface SaidOperation {
  readonly op: Op
  readonly target: OperationTarget
  readonly condition: Condition
  readonly data: SentValue
  /** Among the others. */
  readonly index: number
  readonly pointer: Pointer
}

interface Sources extends Naming, Pick<Creating, 'isFilledIn' | 'noteValues' | 'document'> {
  readonly history: LocalHistory
  /** What the client wants to be answered with. */
  readonly preference: ReturnPreference | undefined
}

export function readOperationIntent(said: SaidOperation, sources: Sources): WriteIntent {
  const { target, op } = said
  if (target.kind === 'relationship') return readLinks(target, said, sources)
  switch (op) {
    case 'add':
      return readAdd(said, sources)
    case 'update':
      return readUpdate(said, sources)
    case 'remove':
      return readRemove(said, sources)
    default:
      return assertNever(op)
  }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-relationships */
function readLinks(
  { target, name, pointer }: Extract<OperationTarget, { kind: 'relationship' }>,
  said: SaidOperation,
  sources: Sources,
): WriteIntent {
  const { op, data } = said
  const common = { target, sent: sentOf(said, sources), ...answeringOf(said, sources) }
  if (op === 'update') {
    refuseOff(target.type, 'setRelationship', pointer)
    const named = pointingTo(pointer, () => nameRelationship(target, name, 'set', sources.isHidden))
    return { kind: 'setRelationship', candidates: { ...readNewLinkage(named, data, sources), pointer }, ...common }
  }
  const kind = op === 'add' ? 'addToRelationship' : 'removeFromRelationship'
  refuseOff(target.type, kind, pointer)
  const named = pointingTo(pointer, () => nameRelationship(target, name, op, sources.isHidden))
  return { kind, candidates: { ...readMembers(named, data, sources), pointer }, ...common }
}

/** https://jsonapi.org/ext/atomic/#auto-id-creating-resources */
function readAdd(said: SaidOperation, sources: Sources): CreateResource {
  const { target, data, condition, index } = said
  if (target.kind === 'resource') {
    throw unsuited("Expected the 'href' of a collection, or none and no 'ref', where a resource is added.", target)
  }
  const shape = readResourceShape(data, 'create', sources)
  const type = target.kind === 'collection' ? target.type : readKnownType({ ...shape, name: shape.type }, sources.graph)
  refuseOff(type, 'createResource', target.kind === 'collection' ? target.pointer : pointerTo(data.pointer, 'type'))
  const { change } = readAll({
    change: () => readNewResource(shape, type, { ...sources, localsOf: () => sources.locals }),
    lid: () => refuseTaken(shape, index, sources.history),
    condition: () => refuseCondition(condition),
  })
  const { preference } = answeringOf(said, sources)
  return { kind: 'createResource', type, change, query: NOTHING_INCLUDED, sent: sentOf(said, sources), preference }
}

/** What is created is in no state yet. */
function refuseCondition({ kind, pointer }: Condition): void {
  if (kind !== 'states' || pointer === undefined) return
  throw new JsonApiError([
    problem('operation.version', 'Expected no version of what is to be added, found one.', { pointer }),
  ])
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-resources */
function readUpdate(said: SaidOperation, sources: Sources): UpdateResource {
  if (said.target.kind === 'collection') {
    throw unsuited('Expected what names one resource or relationship, found a collection.', said.target)
  }
  const shape = readResourceShape(said.data, 'updateAny', sources)
  const target = said.target.kind === 'resource' ? said.target.target : readOwnTarget(shape, sources)
  refuseOff(target.type, 'updateResource', target.pointer ?? said.pointer)
  const change = readUpdatedResource(shape, target, sources)
  const common = { sent: sentOf(said, sources), ...answeringOf(said, sources) }
  return { kind: 'updateResource', target, change, query: NOTHING_INCLUDED, ...common }
}

/** The resource that the data name, where nothing else does. */
function readOwnTarget({ type: name, id, lid, pointer }: ResourceShape, { graph, locals }: Naming): Target {
  const type = readKnownType({ name, pointer }, graph)
  refuseAbstract({ name, pointer }, type, type)
  if (lid === undefined) return { type, id: id ?? '', pointer }
  return { type, id: '', local: locals.find({ type, lid, pointer }), pointer }
}

/** Data would be members of a relationship that was forgotten: whoever sends them does not mean to delete the resource. */
function readRemove(said: SaidOperation, sources: Sources): DeleteResource {
  const { target, data, pointer } = said
  if (target.kind === 'unsaid') throw shapeMistake(pointer, "a member 'ref' or 'href'", undefined)
  if (target.kind !== 'resource') throw unsuited('Expected what names one resource or relationship.', target)
  if (data.value !== undefined) {
    throw shapeMistake(data.pointer, "no 'data' where a resource is removed, or a 'relationship' in 'ref'", data.value)
  }
  refuseOff(target.target.type, 'deleteResource', target.pointer)
  return { kind: 'deleteResource', target: target.target, ...answeringOf(said, sources) }
}

function sentOf({ data }: SaidOperation, { document }: Sources): SentDocument {
  return { document, pointer: data.pointer }
}

/** Whoever says a version wants to know the next one. For all others there is a result where one must be. */
function answeringOf({ condition }: SaidOperation, { preference }: Sources) {
  return { condition, preference: preference ?? (condition.kind === 'unsaid' ? 'minimal' : 'representation') } as const
}

/** What can be asked of a base type's endpoint can be asked of all its derived types. */
function refuseOff(type: ResourceType, kind: WriteIntent['kind'], pointer: Pointer): void {
  if (selfAndAncestors(type).some(({ endpoints }) => endpoints.includes(kind))) return
  throw new JsonApiError([problem('endpoint.off', `${kind} is switched off for '${type.name}'.`, { pointer })])
}

function unsuited(detail: string, { pointer }: { readonly pointer: Pointer }): JsonApiError {
  return new JsonApiError([problem('operation.target', detail, { pointer })])
}
