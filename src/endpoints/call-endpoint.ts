import { appendToPointer, type JsonPointer, trimPointerToExistingMember } from '../document/pointer'
import { ERRORS } from '../errors/catalogue'
import { assertNever, InvariantError } from '../errors/invariant'
import { type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { didYouMean } from '../errors/nearest-name'
import {
  fieldNamesOfSelfAndDescendants,
  findOwnOrDerivedFields,
  publicNameHint,
  rootTypeOf,
} from '../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import type { DocumentWithDataPointer, Intent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { handleChangeRelationship } from './change-relationship'
import { handleCreateResource } from './create-resource'
import { handleDeleteResource } from './delete-resource'
import { handleGetCollection } from './get-collection'
import { handleGetRelated } from './get-related'
import { handleGetRelationship } from './get-relationship'
import { handleGetResource } from './get-resource'
import type { RequestScope } from './request-scope'
import { handleUpdateResource } from './update-resource'

/** Calls the endpoint of an intent. */
export async function executeIntent(intent: Intent, scope: RequestScope): Promise<EndpointResult> {
  try {
    switch (intent.kind) {
      case 'getCollection':
        return await handleGetCollection(intent, scope)
      case 'getResource':
        return await handleGetResource(intent, scope)
      case 'getRelated':
        return await handleGetRelated(intent, scope)
      case 'getRelationship':
        return await handleGetRelationship(intent, scope)
      case 'createResource':
        return await handleCreateResource(intent, scope)
      case 'updateResource':
        return await handleUpdateResource(intent, scope)
      case 'deleteResource':
        return await handleDeleteResource(intent, scope)
      case 'setRelationship':
      case 'addToRelationship':
      case 'removeFromRelationship':
        return await handleChangeRelationship(intent, scope)
      default:
        return assertNever(intent)
    }
  } catch (error) {
    for (const mistake of findUnknownFields(error, intent, scope.core)) scope.onError(mistake)
    throw withPointers(error, intent)
  }
}

/**
 * Returns a mistake for each error of a rule that names only unknown fields. The client still gets the error of the rule. Fields of other
 * types of the hierarchy are known, because types inherit the rules of their base. So are those of related types, whose relationship hooks run too.
 */
function findUnknownFields(error: unknown, intent: Intent, { graph }: RequestScope['core']): readonly InvariantError[] {
  const type = writtenTypeOf(intent)
  if (!(error instanceof JsonApiError) || type === undefined) return []
  const ofRules = error.errors.filter(({ field, code }) => {
    return field !== undefined && (code === 'rule.rejected' || !Object.hasOwn(ERRORS, code))
  })
  if (ofRules.length === 0) return []
  const known = new Set(['id', ...[...rootsWithHooks(type, graph)].flatMap(fieldNamesOfSelfAndDescendants)])
  return ofRules.flatMap(({ field, title }) => {
    const names = [field ?? []].flat()
    const [name] = names
    if (name === undefined || names.some((each) => known.has(each))) return []
    const hint = publicNameHint(type, name) || didYouMean(name, known)
    const remedy = 'Give it the public name of a field.'
    return new InvariantError(
      `The JsonApiError '${title}' has the field '${name}', which '${type.name}' does not have.${hint} ${remedy}`,
    )
  })
}

function writtenTypeOf(intent: Intent): ResourceType | undefined {
  switch (intent.kind) {
    case 'createResource':
    case 'updateResource':
      return intent.change.type
    case 'deleteResource':
    case 'setRelationship':
    case 'addToRelationship':
    case 'removeFromRelationship':
      return intent.target.type
    default:
      return undefined
  }
}

/** Returns the roots of the hierarchies whose hooks a write of this type can run: its own, and those at the other ends of relationships. */
function rootsWithHooks(type: ResourceType, { types }: ResourceGraph): ReadonlySet<ResourceType> {
  const own = rootTypeOf(type)
  const related = [...types.values()].flatMap(({ relationships }) =>
    relationships.flatMap(({ declaringType, target }) => {
      const ends = [rootTypeOf(declaringType), rootTypeOf(target)]
      return ends.includes(own) ? ends : []
    }),
  )
  return new Set([own, ...related])
}

/**
 * Adds pointers to errors of hooks and of the database that have a `field`. A pointer leads to the field in the body, or to the nearest
 * member above it. Without a body there is no pointer.
 */
function withPointers(error: unknown, intent: Intent): unknown {
  if (!(error instanceof JsonApiError) || error.errors.every(({ field }) => field === undefined)) return error
  return new JsonApiError(error.errors.map((details) => withPointer(details, intent)))
}

function withPointer({ field, ...details }: ErrorDetails, intent: Intent): ErrorDetails {
  if (field === undefined || details.source !== undefined || !('sent' in intent)) return details
  const { document } = intent.sent
  const pointers = [field].flat().map((name) => pointerOf(name, intent, intent.sent))
  const sent =
    pointers.find((pointer) => trimPointerToExistingMember(pointer, document) === pointer) ?? pointers[0] ?? ''
  return { ...details, source: { pointer: trimPointerToExistingMember(sent, document) } }
}

function pointerOf(name: string, intent: Intent, { pointer }: DocumentWithDataPointer): JsonPointer {
  if (intent.kind !== 'createResource' && intent.kind !== 'updateResource') return pointer
  if (name === 'id') return appendToPointer(pointer, 'id')
  // The stored type may be a descendant of the type in the document.
  const [field] = findOwnOrDerivedFields(intent.change.type, name)
  return field === undefined
    ? pointer
    : appendToPointer(pointer, field.kind === 'attribute' ? 'attributes' : 'relationships', name)
}
