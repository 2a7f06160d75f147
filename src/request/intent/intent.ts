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
import type { Condition } from '../http/read-condition'
import type { ReturnPreference } from '../http/read-preference'

/** What is asked for, once path, query string and body are understood. */
export type Intent = GetCollection | GetResource | GetRelated | GetRelationship | WriteIntent

export type WriteIntent =
  | CreateResource
  | UpdateResource
  | DeleteResource
  | SetRelationship
  | AddToRelationship
  | RemoveFromRelationship

/** Several writes, of which all are kept or none. https://jsonapi.org/ext/atomic/ */
export interface PerformOperations {
  readonly kind: 'performOperations'
  readonly operations: readonly Operation[]
  readonly preference: ReturnPreference | undefined
  readonly document: unknown
}

/** One of several writes. */
export interface Operation {
  readonly intent: WriteIntent
  /** Where it stands in the document. */
  readonly pointer: Pointer
  /** What it adds under a local id, for those behind it. */
  readonly added: LocalResource | undefined
}

/** What an endpoint is asked for. */
export type EndpointKind = Intent['kind'] | PerformOperations['kind']

export interface GetCollection {
  readonly kind: 'getCollection'
  readonly type: ResourceType
  readonly query: Query
}

export interface GetResource {
  readonly kind: 'getResource'
  readonly target: Target
  readonly query: Query
}

export interface GetRelated {
  readonly kind: 'getRelated'
  readonly target: Target
  readonly candidates: Candidates<Relationship, Query>
}

export interface GetRelationship {
  readonly kind: 'getRelationship'
  readonly target: Target
  readonly candidates: Candidates<Relationship, RelationshipQuery>
}

export interface CreateResource {
  readonly kind: 'createResource'
  /** What the endpoint promises: the type of the change is it or derives from it. */
  readonly type: ResourceType
  readonly change: ResourceInput
  readonly query: Query
  readonly sent: SentDocument
  readonly preference?: ReturnPreference | undefined
}

/** What may be said of a write to something that is there already. */
interface Conditional {
  readonly condition: Condition
  /** `undefined`: as the server likes. */
  readonly preference?: ReturnPreference | undefined
}

export interface UpdateResource extends Conditional {
  readonly kind: 'updateResource'
  readonly target: Target
  readonly change: ResourceInput
  readonly query: Query
  readonly sent: SentDocument
}

export interface DeleteResource extends Conditional {
  readonly kind: 'deleteResource'
  readonly target: Target
}

export interface SetRelationship extends Conditional {
  readonly kind: 'setRelationship'
  readonly target: Target
  readonly candidates: Candidates<Relationship, RequestedLinkage>
  readonly sent: SentDocument
}

export interface AddToRelationship extends Conditional {
  readonly kind: 'addToRelationship'
  readonly target: Target
  readonly candidates: Candidates<ToMany, readonly RequestedIdentifier[]>
  readonly sent: SentDocument
}

export interface RemoveFromRelationship extends Conditional {
  readonly kind: 'removeFromRelationship'
  readonly target: Target
  readonly candidates: Candidates<ToMany, readonly RequestedIdentifier[]>
  readonly sent: SentDocument
}

/** The resource that a request is about; its stored type is `type` or derives from it. */
export interface Target extends ResourceReference {
  readonly type: ResourceType
  /** Where the document names it; `undefined`: the URL does. */
  readonly pointer?: Pointer
}

/**
 * The name of a relationship that a request is about, before the stored type is known: the field of that name that the type has, else those of its derived
 * branches. What was sent is read against each; only the one that the stored type has must be free of mistakes.
 */
export interface Candidates<Field, Value> {
  readonly name: string
  /** Where the document has the name; `undefined`: the URL has it. */
  readonly pointer?: Pointer
  readonly found: readonly Candidate<Field, Value>[]
}

export type Candidate<Field, Value> =
  | { readonly relationship: Field; readonly value: Value }
  | { readonly relationship: Relationship; readonly mistake: JsonApiError }

/** The document as it was sent, and where in it the primary data stands: for pointers of mistakes that are found later. */
export interface SentDocument {
  readonly document: unknown
  readonly pointer: string
}
