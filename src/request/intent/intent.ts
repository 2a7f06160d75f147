import type { Pointer } from '../../document/pointer'
import type { JsonApiError } from '../../errors/json-api-error'
import type { Relationship, ResourceType, ToMany } from '../../graph/model/resource-graph'
import type { Query, RelationshipQuery } from '../../query/tree/ast'
import type {
  LocalResource,
  RequestedIdentifier,
  RequestedLinkage,
  ResourceInput,
  ResourceReference,
} from '../../records/resource-input'
import type { WritePrecondition } from '../http/read-precondition'
import type { ReturnPreference } from '../http/read-preference'

/** The intent of a request, after its path, query string and body were read. */
export type Intent = GetCollection | GetResource | GetRelated | GetRelationship | WriteIntent

export type WriteIntent =
  | CreateResource
  | UpdateResource
  | DeleteResource
  | SetRelationship
  | AddToRelationship
  | RemoveFromRelationship

/** Several writes in one transaction. https://jsonapi.org/ext/atomic/ */
export interface PerformOperations {
  readonly kind: 'performOperations'
  readonly operations: readonly Operation[]
  readonly preference: ReturnPreference | undefined
  readonly document: unknown
}

/** One of several writes. */
export interface Operation {
  readonly intent: WriteIntent
  /** Its pointer in the document. */
  readonly pointer: Pointer
  /** The resource that it adds under a local id, for later operations. */
  readonly added: LocalResource | undefined
}

/** The kind of an endpoint. */
export type IntentKind = Intent['kind'] | PerformOperations['kind']

export interface GetCollection {
  readonly kind: 'getCollection'
  readonly type: ResourceType
  readonly query: Query
}

export interface GetResource {
  readonly kind: 'getResource'
  readonly target: RequestedResource
  readonly query: Query
}

export interface GetRelated {
  readonly kind: 'getRelated'
  readonly target: RequestedResource
  readonly candidates: RelationshipCandidates<Relationship, Query>
}

export interface GetRelationship {
  readonly kind: 'getRelationship'
  readonly target: RequestedResource
  readonly candidates: RelationshipCandidates<Relationship, RelationshipQuery>
}

export interface CreateResource {
  readonly kind: 'createResource'
  /** The declared type of the endpoint. The type of the change is this or derives from it. */
  readonly type: ResourceType
  readonly change: ResourceInput
  readonly query: Query
  readonly sent: SentDocument
  readonly preference?: ReturnPreference | undefined
}

/** The members of writes to existing resources. */
interface Conditional {
  readonly condition: WritePrecondition
  /** `undefined`: no preference. */
  readonly preference?: ReturnPreference | undefined
}

export interface UpdateResource extends Conditional {
  readonly kind: 'updateResource'
  readonly target: RequestedResource
  readonly change: ResourceInput
  readonly query: Query
  readonly sent: SentDocument
}

export interface DeleteResource extends Conditional {
  readonly kind: 'deleteResource'
  readonly target: RequestedResource
}

export interface SetRelationship extends Conditional {
  readonly kind: 'setRelationship'
  readonly target: RequestedResource
  readonly candidates: RelationshipCandidates<Relationship, RequestedLinkage>
  readonly sent: SentDocument
}

export interface AddToRelationship extends Conditional {
  readonly kind: 'addToRelationship'
  readonly target: RequestedResource
  readonly candidates: RelationshipCandidates<ToMany, readonly RequestedIdentifier[]>
  readonly sent: SentDocument
}

export interface RemoveFromRelationship extends Conditional {
  readonly kind: 'removeFromRelationship'
  readonly target: RequestedResource
  readonly candidates: RelationshipCandidates<ToMany, readonly RequestedIdentifier[]>
  readonly sent: SentDocument
}

/** The resource that a request names. Its stored type is `type` or derives from it. */
export interface RequestedResource extends ResourceReference {
  readonly type: ResourceType
  /** Its pointer in the document; `undefined`: the URL names it. */
  readonly pointer?: Pointer
}

/**
 * The relationships that a name can mean before the stored type is known: that of the type itself, else those of derived
 * types. The request is read for each of them. Only errors for the relationship of the stored type count.
 */
export interface RelationshipCandidates<Field, Value> {
  readonly name: string
  /** The pointer of the name in the document; `undefined`: the URL has it. */
  readonly pointer?: Pointer
  readonly found: readonly RelationshipCandidate<Field, Value>[]
}

export type RelationshipCandidate<Field, Value> =
  | { readonly relationship: Field; readonly value: Value }
  | { readonly relationship: Relationship; readonly error: JsonApiError }

/** The request document and the pointer of its primary data, for errors that are found later. */
export interface SentDocument {
  readonly document: unknown
  readonly pointer: string
}
