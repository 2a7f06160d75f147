import { formatValue } from '../../document/format-value'
import { type Pointer, pointerTo } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { areInSameLineage, isA, isStoredType } from '../../graph/model/inheritance'
import type { Relationship, ResourceGraph, ResourceType, StoredType } from '../../graph/model/resource-graph'

/** The name of a type, and the pointer of the object that has it. */
interface NamedType {
  readonly name: string
  readonly pointer: Pointer
}

/** Returns the type of a resource object: a concrete type that is the endpoint's or derives from it. */
export function readStoredTypeOfEndpoint(
  named: NamedType,
  endpointType: ResourceType,
  graph: ResourceGraph,
): StoredType {
  const type = graph.types.get(named.name)
  if (type === undefined) throw conflict(named, endpointType)
  if (!isStoredType(type)) throw abstractType(named, type, endpointType)
  if (!isA(type, endpointType)) throw conflict(named, endpointType)
  return type
}

/** Returns the type of an identifier. The caller checks whether it is allowed there. */
export function readResourceType(named: NamedType, graph: ResourceGraph): ResourceType {
  const type = graph.types.get(named.name)
  if (type !== undefined) return type
  const suggestion = didYouMean(named.name, graph.types.keys())
  const detail = `Expected a resource type, found ${formatValue(named.name)}.${suggestion}`
  throw createJsonApiError('document.type-unknown', detail, sourceOf(named))
}

/** Refuses abstract types. `expected` is the type whose concrete types the message names. */
export function assertNotAbstract(named: NamedType, type: ResourceType, expected: ResourceType): void {
  if (!isStoredType(type)) throw abstractType(named, type, expected)
}

/** Identifiers may name the type of the relationship, or one above or below it. */
export function assertRelatedType(named: NamedType, type: ResourceType, { name, target }: Relationship): void {
  if (areInSameLineage(type, target)) return
  const detail = `Expected '${target.name}', or a type above or below it, in '${name}', found '${type.name}'.`
  throw createJsonApiError('document.type-conflict', detail, sourceOf(named))
}

function abstractType(named: NamedType, type: ResourceType, expected: ResourceType): JsonApiError {
  const fitting = type.concreteTypes.filter((each) => isA(each, expected))
  const names = formatTypeNames(fitting.length > 0 ? fitting : expected.concreteTypes)
  const detail = `Expected a type that can be stored, found the abstract type '${type.name}'. Name ${names}.`
  return createJsonApiError('document.type-abstract', detail, sourceOf(named))
}

function conflict(named: NamedType, { concreteTypes }: ResourceType): JsonApiError {
  const suggestion = didYouMean(named.name, concreteTypes.map(nameOf))
  const detail = `Expected ${formatTypeNames(concreteTypes)}, found ${formatValue(named.name)}.${suggestion}`
  return createJsonApiError('document.type-conflict', detail, sourceOf(named))
}

function sourceOf({ pointer }: NamedType): { readonly pointer: Pointer } {
  return { pointer: pointerTo(pointer, 'type') }
}

export function formatTypeNames(types: readonly ResourceType[]): string {
  return types.map((type) => `'${type.name}'`).join(' or ')
}

function nameOf(type: ResourceType): string {
  return type.name
}
