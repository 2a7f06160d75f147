import type { StoredType } from '../graph/model/resource-graph'
import type { StoredRecord } from '../records/stored-record'

/** What a write does: to a resource, or to the linkage of one of its relationships. */
export type WriteKind =
  | 'create'
  | 'update'
  | 'delete'
  | 'setRelationship'
  | 'addToRelationship'
  | 'removeFromRelationship'

/** The write that the client has asked for. */
export type WriteOrigin = Pick<ResourceWrite, 'kind' | 'type' | 'id'>

/** What a hook is told of the write that it is asked about. */
export interface ResourceWrite<Resource extends object = object, Context = unknown> {
  readonly kind: WriteKind
  /** The stored type of the resource that is written. */
  readonly type: StoredType
  /** As clients see it. Empty before a resource whose id the database gives is created. */
  readonly id: string
  /** The resource as it was before this write; `undefined` on create. */
  readonly previous: StoredRecord<Resource> | undefined
  /**
   * An instance with the values as they are known at this step: in `prepareWrite` and the relationship hooks those that are stored
   * (with what `prepareWrite` returned), in `beforeWrite` and later the final ones.
   */
  readonly values: Readonly<Resource>
  /** The public names of the fields that the client sent; none where there is an `origin`. */
  readonly sentFields: ReadonlySet<string>
  /**
   * The write of another resource that changes a relationship of this one, which is at the other end of it; `undefined`: the client
   * writes this resource. `origin?.kind === 'delete'` -> the other end is deleted
   */
  readonly origin: WriteOrigin | undefined
  /** By public name: what the relationships that are written will hold (`set…`), or what is added or removed. Filled from `beforeWrite` on. */
  readonly relationships: ReadonlyMap<string, StoredRecord | null | readonly StoredRecord[]>
  /** Who is asking: what the option `context` made of the request. */
  readonly context: Context
  /** The transaction of the database library: statements of a rule's own belong here. See `getEntityManager`. */
  readonly transaction: unknown
  /**
   * Aborted when the request has taken as long as it may (`limits.timeout`): by then the write is undone, and what the rule still does through its
   * transaction is refused. For what a rule waits for: `await fetch(url, { signal: write.signal })`.
   */
  readonly signal: AbortSignal
}
