import { formatValueForError } from '../../document/format-value-for-error'
import { isJsonObject, type JsonObject, type JsonValue } from '../../document/json'
import { appendToPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { areInSameLineage } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { LocalResourceIdentifier } from '../../records/parsed-resource-object'
import { type LidScope, type LocalIdReference, unknownLidError } from '../body/lid-scope'
import { formatTypeNames } from '../body/read-resource-type'
import type { ResourceObjectWithUnresolvedNames } from '../body/read-unresolved-resource-object'

/** The operations that add resources under local ids, and those that remove them. */
export interface LidLifetimes {
  /** If two operations add the same local id for one type, only the first is listed. */
  readonly byLid: ReadonlyMap<string, readonly LidLifetime[]>
  readonly byOperation: ReadonlyMap<number, LocalResourceIdentifier>
}

interface LidLifetime {
  readonly resource: LocalResourceIdentifier
  readonly addedBy: number
  readonly removedBy?: number
}

/** Collects the local ids, and ignores other errors: an error in an added resource is not an error in operations that refer to it. */
export function collectLidLifetimes(operations: readonly JsonValue[], graph: ResourceGraph): LidLifetimes {
  const byLid = new Map<string, readonly LidLifetime[]>()
  for (const [index, operation] of operations.entries()) {
    const [added, removed] = [findAdded(operation, graph), findRemoved(operation, graph)]
    if (added !== undefined) byLid.set(added.lid, withAdded(added, index, byLid.get(added.lid)))
    const ended = removed === undefined ? undefined : byLid.get(removed.lid)
    if (removed !== undefined && ended !== undefined) byLid.set(removed.lid, withRemoved(removed.type, index, ended))
  }
  const lifetimes = [...byLid.values()].flat()
  return { byLid, byOperation: new Map(lifetimes.map(({ addedBy, resource }) => [addedBy, resource])) }
}

/** Returns the local ids that exist for one operation. */
export function createLidScopeForOperation(index: number, { byLid, byOperation }: LidLifetimes): LidScope {
  return {
    created: byOperation.get(index),
    find: (name) => {
      const lifetimes = byLid.get(name.lid)
      const [found, other] = findLifetimes(name.type, index, lifetimes)
      if (found !== undefined && other === undefined) return found.resource
      if (lifetimes !== undefined) throw notPresentError(name, index, lifetimes)
      // No operation adds this local id, so it may be misspelt.
      throw unknownLidError(name, ADDED_EARLIER, didYouMean(name.lid, [...byLid.keys()].slice(0, MAX_COMPARED)))
    },
  }
}

/** Throws if an earlier operation adds the same local id for the type. It stays reserved after its resource is removed. */
export function assertLidIsFree(
  { type, lid, pointer }: ResourceObjectWithUnresolvedNames,
  index: number,
  { byLid }: LidLifetimes,
): void {
  const first = byLid.get(lid ?? '')?.find(({ resource }) => resource.type.name === type)
  if (lid === undefined || first === undefined || first.addedBy === index) return
  const detail = `The local id ${formatValueForError(lid)} of '${type}' is already used by operation ${first.addedBy}.`
  throw createJsonApiError('document.lid-duplicate', detail, { pointer: appendToPointer(pointer, 'lid') })
}

function findAdded(operation: JsonValue, graph: ResourceGraph): LocalResourceIdentifier | undefined {
  const { op, ref, data } = membersOf(operation)
  return op === 'add' && ref === undefined ? localReferenceIn(data, graph) : undefined
}

function findRemoved(operation: JsonValue, graph: ResourceGraph): LocalResourceIdentifier | undefined {
  const { op, ref } = membersOf(operation)
  return op === 'remove' && membersOf(ref).relationship === undefined ? localReferenceIn(ref, graph) : undefined
}

function localReferenceIn(value: JsonValue | undefined, graph: ResourceGraph): LocalResourceIdentifier | undefined {
  const { type: name, lid } = membersOf(value)
  const type = typeof name === 'string' ? graph.types.get(name) : undefined
  return type === undefined || typeof lid !== 'string' ? undefined : { type, lid }
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function withAdded(
  resource: LocalResourceIdentifier,
  addedBy: number,
  lifetimes: readonly LidLifetime[] = [],
): readonly LidLifetime[] {
  const isTaken = lifetimes.some((lifetime) => lifetime.resource.type === resource.type)
  return isTaken ? lifetimes : [...lifetimes, { resource, addedBy }]
}

function withRemoved(type: ResourceType, removedBy: number, lifetimes: readonly LidLifetime[]): readonly LidLifetime[] {
  const [removed, other] = findLifetimes(type, removedBy, lifetimes)
  return other === undefined
    ? lifetimes.map((lifetime) => (lifetime === removed ? { ...lifetime, removedBy } : lifetime))
    : lifetimes
}

/** Finds the resources that a local id can mean at an operation: those of exactly that type, or else of a type above or below it. */
function findLifetimes(
  type: ResourceType,
  index: number,
  lifetimes: readonly LidLifetime[] = [],
): readonly LidLifetime[] {
  const present = lifetimes.filter(({ addedBy, removedBy = index }) => addedBy <= index && removedBy >= index)
  const exact = present.filter(({ resource }) => resource.type === type)
  return exact.length > 0 ? exact : present.filter(({ resource }) => areInSameLineage(resource.type, type))
}

function notPresentError(name: LocalIdReference, index: number, lifetimes: readonly LidLifetime[]): JsonApiError {
  const present = findLifetimes(name.type, index, lifetimes).map(({ resource }) => resource.type)
  if (present.length > 0) return unknownLidError(name, `the local id with the exact type, ${formatTypeNames(present)}`)
  const [other] = lifetimes.filter(({ resource }) => areInSameLineage(resource.type, name.type))
  if (other === undefined) return unknownLidError(name, ADDED_EARLIER)
  const { addedBy, removedBy } = other
  const reason = removedBy === undefined ? `operation ${addedBy} adds it` : `operation ${removedBy} removes it`
  return unknownLidError(name, `the local id of a resource that exists at this operation: ${reason}`)
}

/** Limits the comparisons for hints: a request may have any number of operations, with an error in each. */
const MAX_COMPARED = 100
const ADDED_EARLIER = 'the local id of a resource that an earlier operation adds'
