import type { Pointer } from '../document/pointer'
import type { Attribute, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'

/** What a resource object in a request asks for, its names resolved against the type that it names. */
export interface ResourceInput {
  readonly type: StoredType
  /** The client's id for what is to be created; the id of the target on update. */
  readonly id: string | undefined
  /** In the order they were sent; values as `AttributeType` has them held. */
  readonly attributes: ReadonlyMap<Attribute, unknown>
  readonly relationships: ReadonlyMap<Relationship, RequestedLinkage>
}

export type RequestedLinkage =
  | { readonly kind: 'toOne'; readonly identifier: RequestedIdentifier | null; readonly pointer: Pointer }
  | { readonly kind: 'toMany'; readonly identifiers: readonly RequestedIdentifier[]; readonly pointer: Pointer }

/** Names a related resource: one that exists, or by local id the very one that is created. */
export type RequestedIdentifier = ExistingIdentifier | { readonly kind: 'created'; readonly pointer: Pointer }

export interface ExistingIdentifier extends ResourceReference {
  readonly kind: 'existing'
  readonly type: ResourceType
  readonly pointer: Pointer
}

/** A resource that a client names. */
export interface ResourceReference {
  readonly id: string
  /** It is not there yet: the id is empty until an earlier operation of the same request has added it. */
  readonly local?: LocalResource | undefined
}

/** A resource that a request adds under a local id. */
export interface LocalResource {
  readonly type: StoredType
  readonly lid: string
}
