import type { Attribute, Field, Relationship, StoredType } from '../graph/model/resource-graph'

/** The final values and relationship changes of a write, after all hooks. The statements depend on nothing else. */
export type WritePlan = CreatePlan | UpdatePlan | DeletePlan

export interface CreatePlan {
  readonly kind: 'create'
  readonly type: StoredType
  /** `undefined` if the database generates it. */
  readonly id: string | undefined
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly relationshipChanges: readonly RelationshipChange[]
  /** The fields of the key that the client may not write. A part of its id must not set them. */
  readonly readOnlyKeyFields: ReadonlySet<Field>
}

export interface UpdatePlan {
  readonly kind: 'update'
  readonly type: StoredType
  readonly id: string
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly relationshipChanges: readonly RelationshipChange[]
}

export interface DeletePlan {
  readonly kind: 'delete'
  readonly type: StoredType
  readonly id: string
}

/** `set` replaces all members. A to-one relationship always has `set`, with at most one resource. */
export interface RelationshipChange {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  readonly related: readonly RelatedIdentifierOrSelf[]
  /** The members that a `set` may remove; missing: all. */
  readonly replaced?: readonly RelatedIdentifierOrSelf[]
}

/** A related resource, by its stored type and id. `self` is the resource that the plan creates. */
export type RelatedIdentifierOrSelf = { readonly type: StoredType; readonly id: string } | 'self'
