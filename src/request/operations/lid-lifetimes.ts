import { formatValue } from '../../document/format-value'
import { isJsonObject, type JsonObject, type JsonValue } from '../../document/json'
import { pointerTo } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { areInSameLineage, isStoredType } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { LocalResource } from '../../records/resource-input'
import { type LidScope, type LocalReference, unknownLidError } from '../body/lid-scope'
import type { ResourceShape } from '../body/read-resource-shape'
import { formatTypeNames } from '../body/read-resource-type'

/** The operations that add resources under local ids, and those that remove them. */
export interface LidLifetimes {
  /** If two operations add the same local id, the first counts. */
  readonly byLid: ReadonlyMap<string, readonly LidLifetime[]>
  readonly byOperation: ReadonlyMap<number, LocalResource>
}

interface LidLifetime {
  readonly resource: LocalResource
  readonly addedBy: number
  readonly removedBy?: number
}

/** Finds local ids only. An error in an added resource is not an error in operations that refer to it. */
export function collectLidLifetimes(operations: readonly JsonValue[], graph: ResourceGraph): LidLifetimes {
  const byLid = new Map<string, readonly LidLifetime[]>()
  for (const [index, operation] of operations.entries()) {
    const [added, removed] = [findAdded(operation, graph), findRemoved(operation, graph)]
    if (added !== undefined) byLid.set(added.lid, withAdded(added, index, byLid.get(added.lid)))
    const ended = removed === undefined ? undefined : byLid.get(removed.lid)
    if (removed !== undefined && ended !== undefined) byLid.set(removed.lid, withRemoved(removed.type, index, ended))
  }
  const lives = [...byLid.values()].flat()
  return { byLid, byOperation: new Map(lives.map(({ addedBy, resource }) => [addedBy, resource])) }
}

/** Returns the local ids that exist for one operation. */
export function lidScopeOfOperation(index: number, { byLid, byOperation }: LidLifetimes): LidScope {
  return {
    created: byOperation.get(index),
    find: (name) => {
      const lives = byLid.get(name.lid)
      const [found, other] = findNamed(name.type, index, lives)
      if (found !== undefined && other === undefined) return found.resource
      if (lives !== undefined) throw notPresentError(name, index, lives)
      // No operation adds it, so it may be misspelt.
      throw unknownLidError(name, ADDED_BEFORE, didYouMean(name.lid, [...byLid.keys()].slice(0, MAX_COMPARED)))
    },
  }
}

/** A local id is unique per document and type, even after its resource is removed. */
export function assertLidIsFree({ type, lid, pointer }: ResourceShape, index: number, { byLid }: LidLifetimes): void {
  const first = byLid.get(lid ?? '')?.find(({ resource }) => resource.type.name === type)
  if (lid === undefined || first === undefined || first.addedBy === index) return
  const detail = `The local id ${formatValue(lid)} of '${type}' is that of operation ${first.addedBy} already.`
  throw createJsonApiError('document.lid-duplicate', detail, { pointer: pointerTo(pointer, 'lid') })
}

function findAdded(operation: JsonValue, graph: ResourceGraph): LocalResource | undefined {
  const { op, ref, data } = membersOf(operation)
  const { type, lid } = namedBy(data, graph) ?? {}
  if (op !== 'add' || ref !== undefined || type === undefined || lid === undefined) return undefined
  return isStoredType(type) ? { type, lid } : undefined
}

function findRemoved(operation: JsonValue, graph: ResourceGraph): NamedLocal | undefined {
  const { op, ref } = membersOf(operation)
  return op === 'remove' && membersOf(ref).relationship === undefined ? namedBy(ref, graph) : undefined
}

type NamedLocal = Omit<LocalReference, 'pointer'>

function namedBy(value: JsonValue | undefined, graph: ResourceGraph): NamedLocal | undefined {
  const { type: name, lid } = membersOf(value)
  const type = typeof name === 'string' ? graph.types.get(name) : undefined
  return type === undefined || typeof lid !== 'string' ? undefined : { type, lid }
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function withAdded(
  resource: LocalResource,
  addedBy: number,
  lives: readonly LidLifetime[] = [],
): readonly LidLifetime[] {
  const isTaken = lives.some((life) => life.resource.type === resource.type)
  return isTaken ? lives : [...lives, { resource, addedBy }]
}

function withRemoved(type: ResourceType, removedBy: number, lives: readonly LidLifetime[]): readonly LidLifetime[] {
  const [removed, other] = findNamed(type, removedBy, lives)
  return other === undefined ? lives.map((life) => (life === removed ? { ...life, removedBy } : life)) : lives
}

/** Finds the resources that a local id can mean at an operation: of exactly that type, else of one above or below it. */
function findNamed(type: ResourceType, index: number, lives: readonly LidLifetime[] = []): readonly LidLifetime[] {
  const there = lives.filter(({ addedBy, removedBy = index }) => addedBy <= index && removedBy >= index)
  const exact = there.filter(({ resource }) => resource.type === type)
  return exact.length > 0 ? exact : there.filter(({ resource }) => areInSameLineage(resource.type, type))
}

function notPresentError(name: LocalReference, index: number, lives: readonly LidLifetime[]): JsonApiError {
  const there = findNamed(name.type, index, lives).map(({ resource }) => resource.type)
  if (there.length > 0) return unknownLidError(name, `the type of the one that is meant, ${formatTypeNames(there)}`)
  const [other] = lives.filter(({ resource }) => areInSameLineage(resource.type, name.type))
  if (other === undefined) return unknownLidError(name, ADDED_BEFORE)
  const { addedBy, removedBy } = other
  const fate = removedBy === undefined ? `operation ${addedBy} adds it` : `operation ${removedBy} removes it`
  return unknownLidError(name, `the local id of what is there: ${fate}`)
}

/** Limits the comparisons for hints: a request may have any number of operations, with an error in each. */
const MAX_COMPARED = 100
const ADDED_BEFORE = 'the local id of what an operation before adds'
