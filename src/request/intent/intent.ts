import type { JsonPointer } from '../../document/pointer'
import type { JsonApiError } from '../../errors/json-api-error'
import type { Relationship, ResourceType, ToManyRelationship } from '../../graph/model/resource-graph'
import type { ParsedQuery, RelationshipEndpointQuery } from '../../query/tree/ast'
import type {
  LocalResourceIdentifier,
  ParsedResourceObject,
  RequestedIdentifierOrSelf,
  RequestedLinkage,
  ResourceIdOrLid,
} from '../../records/parsed-resource-object'
import type { WritePrecondition } from '../http/read-precondition'
import type { ReturnPreference } from '../http/read-return-preference'

/** The intent of a request, after its path, query string and body were read. */
export type Intent = GetCollectionIntent | GetResourceIntent | GetRelatedIntent | GetRelationshipIntent | WriteIntent

export type WriteIntent =
  | CreateResourceIntent
  | UpdateResourceIntent
  | DeleteResourceIntent
  | SetRelationshipIntent
  | AddToRelationshipIntent
  | RemoveFromRelationshipIntent

/** Several writes in one transaction. https://jsonapi.org/ext/atomic/ */
export interface PerformOperationsIntent {
  readonly kind: 'performOperations'
  readonly operations: readonly OperationWithIntent[]
  readonly preference: ReturnPreference | undefined
  readonly document: unknown
}

/** One of several writes. */
export interface OperationWithIntent {
  readonly intent: WriteIntent
  /** Its pointer in the document. */
  readonly pointer: JsonPointer
  /** The resource that it adds under a local id, for later operations. */
  readonly added: LocalResourceIdentifier | undefined
}

/** The kind of an endpoint. */
export type IntentKind = Intent['kind'] | PerformOperationsIntent['kind']

export interface GetCollectionIntent {
  readonly kind: 'getCollection'
  readonly type: ResourceType
  readonly query: ParsedQuery
}

export interface GetResourceIntent {
  readonly kind: 'getResource'
  readonly target: RequestedResourceIdentifier
  readonly query: ParsedQuery
}

export interface GetRelatedIntent {
  readonly kind: 'getRelated'
  readonly target: RequestedResourceIdentifier
  readonly candidates: CandidateRelationships<Relationship, ParsedQuery>
}

export interface GetRelationshipIntent {
  readonly kind: 'getRelationship'
  readonly target: RequestedResourceIdentifier
  readonly candidates: CandidateRelationships<Relationship, RelationshipEndpointQuery>
}

export interface CreateResourceIntent {
  readonly kind: 'createResource'
  /** The declared type of the endpoint. The type of the change is this or derives from it. */
  readonly type: ResourceType
  readonly change: ParsedResourceObject
  readonly query: ParsedQuery
  readonly sent: DocumentWithDataPointer
  readonly preference?: ReturnPreference | undefined
}

/** The members of writes to existing resources. */
interface Conditional {
  readonly condition: WritePrecondition
  /** `undefined`: no preference. */
  readonly preference?: ReturnPreference | undefined
}

export interface UpdateResourceIntent extends Conditional {
  readonly kind: 'updateResource'
  readonly target: RequestedResourceIdentifier
  readonly change: ParsedResourceObject
  readonly query: ParsedQuery
  readonly sent: DocumentWithDataPointer
}

export interface DeleteResourceIntent extends Conditional {
  readonly kind: 'deleteResource'
  readonly target: RequestedResourceIdentifier
}

export interface SetRelationshipIntent extends Conditional {
  readonly kind: 'setRelationship'
  readonly target: RequestedResourceIdentifier
  readonly candidates: CandidateRelationships<Relationship, RequestedLinkage>
  readonly sent: DocumentWithDataPointer
}

export interface AddToRelationshipIntent extends Conditional {
  readonly kind: 'addToRelationship'
  readonly target: RequestedResourceIdentifier
  readonly candidates: CandidateRelationships<ToManyRelationship, readonly RequestedIdentifierOrSelf[]>
  readonly sent: DocumentWithDataPointer
}

export interface RemoveFromRelationshipIntent extends Conditional {
  readonly kind: 'removeFromRelationship'
  readonly target: RequestedResourceIdentifier
  readonly candidates: CandidateRelationships<ToManyRelationship, readonly RequestedIdentifierOrSelf[]>
  readonly sent: DocumentWithDataPointer
}

/** The resource that a request names. Its stored type is `type` or derives from it. */
export interface RequestedResourceIdentifier extends ResourceIdOrLid {
  readonly type: ResourceType
  /** Its pointer in the document; `undefined`: the URL names it. */
  readonly pointer?: JsonPointer
}

/**
 * The relationships that a name can mean before the stored type is known: that of the type itself, else those of derived
 * types. The request is read for each of them. Only errors for the relationship of the stored type count.
 */
export interface CandidateRelationships<Field, Value> {
  readonly name: string
  /** The pointer of the name in the document; `undefined`: the URL has it. */
  readonly pointer?: JsonPointer
  readonly found: readonly RelationshipValueOrError<Field, Value>[]
}

export type RelationshipValueOrError<Field, Value> =
  | { readonly relationship: Field; readonly value: Value }
  | { readonly relationship: Relationship; readonly error: JsonApiError }

/** The request document and the pointer of its primary data, for errors that are found later. */
export interface DocumentWithDataPointer {
  readonly document: unknown
  readonly pointer: string
}
