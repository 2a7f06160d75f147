import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import { pointerTo } from '../document/pointer'
import { JsonApiError, problem } from '../errors/json-api-error'
import { isOnOneBranch, isStoredType } from '../graph/inheritance'
import type { ResourceGraph } from '../graph/resource-graph'
import type { LocalResource } from '../records/change'
import { describeFound } from './describe-found'
import { type LocalName, type Locals, unknownLocal } from './local-names'
import type { ResourceShape } from './read-resource-shape'

/** Which operations of a document add resources under local ids, and remove them. */
export interface LocalHistory {
  /** Of two that add the same, the first one. */
  readonly added: readonly AddedResource[]
  readonly removedBy: ReadonlyMap<LocalResource, number>
}

interface AddedResource extends LocalResource {
  readonly addedBy: number
}

/** Looks at the local ids alone: what is added with a mistake in it is no mistake of those that name it. */
export function findLocalHistory(operations: readonly JsonValue[], graph: ResourceGraph): LocalHistory {
  const all = operations.flatMap((operation, index) => findAdded(operation, index, graph))
  const added = all.filter((each, index) => all.findIndex((other) => isSame(each, other)) === index)
  const removedBy = new Map<LocalResource, number>()
  for (const [index, operation] of operations.entries()) {
    const name = removedName(operation, graph)
    const [removed, other] = name === undefined ? [] : findNamed(name, index, { added, removedBy })
    if (removed !== undefined && other === undefined) removedBy.set(removed, index)
  }
  return { added, removedBy }
}

/** The local ids as they are for one of the operations. */
export function localsAt(index: number, history: LocalHistory): Locals {
  return {
    created: history.added.find(({ addedBy }) => addedBy === index),
    find: (name) => {
      const [found, other] = findNamed(name, index, history)
      if (found !== undefined && other === undefined) return found
      throw notThere(name, found !== undefined, history)
    },
  }
}

/** A local id is known once within a document and a type, also after its resource is gone. */
export function refuseTaken({ type, lid, pointer }: ResourceShape, index: number, { history }: Taking): void {
  const first = history.added.find((each) => each.type.name === type && each.lid === lid)
  if (first === undefined || first.addedBy === index) return
  const detail = `The local id ${describeFound(lid)} of '${type}' is that of operation ${first.addedBy} already.`
  throw new JsonApiError([problem('document.lid-taken', detail, { pointer: pointerTo(pointer, 'lid') })])
}

interface Taking {
  readonly history: LocalHistory
}

function findAdded(operation: JsonValue, addedBy: number, graph: ResourceGraph): AddedResource[] {
  const { op, ref, data } = membersOf(operation)
  if (op !== 'add' || ref !== undefined) return []
  const { type, lid } = findName(data, graph) ?? {}
  return type === undefined || lid === undefined || !isStoredType(type) ? [] : [{ type, lid, addedBy }]
}

function removedName(operation: JsonValue, graph: ResourceGraph): NameOnly | undefined {
  const { op, ref } = membersOf(operation)
  return op === 'remove' && membersOf(ref).relationship === undefined ? findName(ref, graph) : undefined
}

type NameOnly = Omit<LocalName, 'pointer'>

function findName(value: JsonValue | undefined, graph: ResourceGraph): NameOnly | undefined {
  const { type: name, lid } = membersOf(value)
  const type = typeof name === 'string' ? graph.types.get(name) : undefined
  return type === undefined || typeof lid !== 'string' ? undefined : { type, lid }
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function isSame(one: LocalResource, other: LocalResource): boolean {
  return one.type === other.type && one.lid === other.lid
}

/** Those that a name can stand for at an operation: of its very type, or else of one above or below. */
function findNamed(name: NameOnly, index: number, history: LocalHistory): readonly LocalResource[] {
  const there = allNamed(name, history).filter(
    (each) => each.addedBy <= index && (history.removedBy.get(each) ?? index) >= index,
  )
  const exact = there.filter(({ type }) => type === name.type)
  return exact.length > 0 ? exact : there
}

function allNamed({ type, lid }: NameOnly, { added }: LocalHistory): readonly AddedResource[] {
  return added.filter((each) => each.lid === lid && isOnOneBranch(each.type, type))
}

function notThere(name: LocalName, isAmbiguous: boolean, history: LocalHistory): JsonApiError {
  const named = allNamed(name, history)
  const [first] = named
  if (isAmbiguous)
    return unknownLocal(name, `a type that tells ${named.map(({ type }) => `'${type.name}'`).join(' from ')}`)
  if (first === undefined) return unknownLocal(name, 'the local id of what an operation before adds')
  const removedBy = history.removedBy.get(first)
  const fate = removedBy === undefined ? `operation ${first.addedBy} adds it` : `operation ${removedBy} removes it`
  return unknownLocal(name, `the local id of what is there (${fate})`)
}
