import type { Attribute, Relationship, StoredType } from '../graph/model/resource-graph'

/** What to write, once every rule has spoken. The statements follow from it. */
export type WritePlan = CreatePlan | UpdatePlan | DeletePlan

export interface CreatePlan {
  readonly kind: 'create'
  readonly type: StoredType
  /** `undefined`: the store gives one. */
  readonly id: string | undefined
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly links: readonly LinkChange[]
}

export interface UpdatePlan {
  readonly kind: 'update'
  readonly type: StoredType
  readonly id: string
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly links: readonly LinkChange[]
}

export interface DeletePlan {
  readonly kind: 'delete'
  readonly type: StoredType
  readonly id: string
}

/** `set`: these and no others. On a to-one relationship always `set`, with at most one. */
export interface LinkChange {
  readonly relationship: Relationship
  readonly mode: 'set' | 'add' | 'remove'
  readonly related: readonly LinkedResource[]
  /** Of a to-many relationship that is set: the members that may be taken out. Without it all may. */
  readonly replaced?: readonly LinkedResource[]
}

/** A related resource, by its stored type and id; `self`: the resource that this very plan creates. */
export type LinkedResource = { readonly type: StoredType; readonly id: string } | 'self'
