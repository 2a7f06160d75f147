import type { JsonPointer } from '../document/pointer'
import type { Attribute, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'

/** The content of a resource object in a request, with its names resolved for its type. */
export interface ParsedResourceObject {
  readonly type: StoredType
  /** On create the client-generated id, on update the id of the target. */
  readonly id: string | undefined
  /** In the order in which they were sent, as runtime values. */
  readonly attributes: ReadonlyMap<Attribute, unknown>
  readonly relationships: ReadonlyMap<Relationship, RequestedLinkage>
}

export type RequestedLinkage =
  | { readonly kind: 'toOne'; readonly identifier: RequestedIdentifierOrSelf | null; readonly pointer: JsonPointer }
  | {
      readonly kind: 'toMany'
      readonly identifiers: readonly RequestedIdentifierOrSelf[]
      readonly pointer: JsonPointer
    }

/** A related resource in a request: an existing one, or, by local id, the one that is being created. */
export type RequestedIdentifierOrSelf = ExistingIdentifier | { readonly kind: 'created'; readonly pointer: JsonPointer }

interface ExistingIdentifier extends ResourceIdOrLid {
  readonly kind: 'existing'
  readonly type: ResourceType
  readonly pointer: JsonPointer
}

/** A resource that a client refers to. */
export interface ResourceIdOrLid {
  readonly id: string
  /** Set for a resource that an earlier operation of the same request adds. Its id is empty until then. */
  readonly local?: LocalResourceIdentifier | undefined
}

/** A resource that a request adds under a local id. */
export interface LocalResourceIdentifier {
  /** Abstract only if the request is refused. */
  readonly type: ResourceType
  readonly lid: string
}
