import { formatValueForError } from '../../document/format-value-for-error'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean, didYouMeanIfSeveral } from '../../errors/nearest-name'
import { areInSameLineage, isSameOrDerivedType, isStoredType } from '../../graph/model/inheritance'
import type { Relationship, ResourceGraph, ResourceType, StoredType } from '../../graph/model/resource-graph'

/** The name of a type, and the pointer of the object that contains it. */
interface TypeReference {
  readonly name: string
  readonly pointer: JsonPointer
}

/** Returns the type of a resource object: a concrete type that is the endpoint's or derives from it. */
export function readResourceObjectType(
  reference: TypeReference,
  endpointType: ResourceType,
  graph: ResourceGraph,
): StoredType {
  const type = graph.types.get(reference.name)
  if (type === undefined) throw typeConflictError(reference, endpointType, nearestTypeHint(reference, endpointType))
  if (!isStoredType(type)) throw abstractTypeError(reference, type, endpointType)
  if (!isSameOrDerivedType(type, endpointType)) throw typeConflictError(reference, endpointType)
  return type
}

/** Returns the type of an identifier. The caller checks whether it is allowed there. */
export function getResourceTypeNamed(reference: TypeReference, graph: ResourceGraph): ResourceType {
  const type = graph.types.get(reference.name)
  if (type !== undefined) return type
  const suggestion = didYouMean(reference.name, graph.types.keys())
  const detail = `Expected a resource type, found ${formatValueForError(reference.name)}.${suggestion}`
  throw createJsonApiError('document.type-unknown', detail, sourceOf(reference))
}

/** Throws for an abstract type. The message lists the concrete types of `expected`. */
export function assertNotAbstract(reference: TypeReference, type: ResourceType, expected: ResourceType): void {
  if (!isStoredType(type)) throw abstractTypeError(reference, type, expected)
}

/** Throws unless an identifier has the type of the relationship, or a type above or below it. */
export function assertRelatedType(reference: TypeReference, type: ResourceType, { name, target }: Relationship): void {
  if (areInSameLineage(type, target)) return
  const detail = `Expected '${target.name}', or a type above or below it, in '${name}', found '${type.name}'.`
  throw createJsonApiError('document.type-conflict', detail, sourceOf(reference))
}

function abstractTypeError(reference: TypeReference, type: ResourceType, expected: ResourceType): JsonApiError {
  const fitting = type.concreteTypes.filter((each) => isSameOrDerivedType(each, expected))
  const names = formatTypeNames(fitting.length > 0 ? fitting : expected.concreteTypes)
  const detail = `Expected a type that can be stored, found the abstract type '${type.name}'. Name ${names}.`
  return createJsonApiError('document.type-abstract', detail, sourceOf(reference))
}

function typeConflictError(reference: TypeReference, { concreteTypes }: ResourceType, hint = ''): JsonApiError {
  const detail = `Expected ${formatTypeNames(concreteTypes)}, found ${formatValueForError(reference.name)}.${hint}`
  return createJsonApiError('document.type-conflict', detail, sourceOf(reference))
}

function sourceOf({ pointer }: TypeReference): { readonly pointer: JsonPointer } {
  return { pointer: appendToPointer(pointer, 'type') }
}

export function formatTypeNames(types: readonly ResourceType[]): string {
  return types.map((type) => `'${type.name}'`).join(' or ')
}

function nearestTypeHint({ name }: TypeReference, { concreteTypes }: ResourceType): string {
  return didYouMeanIfSeveral(
    name,
    concreteTypes.map((type) => type.name),
  )
}
