import type { StoredType } from '../graph/model/resource-graph'
import type { ResourceRecord } from '../records/resource-record'

/** The kind of a write. It changes a resource, or the linkage of one of its relationships. */
export type WriteKind =
  | 'create'
  | 'update'
  | 'delete'
  | 'setRelationship'
  | 'addToRelationship'
  | 'removeFromRelationship'

/** The write that the client requested. */
export type OriginatingWrite = Pick<ResourceWrite, 'kind' | 'type' | 'id'>

/** The write that a hook is called for. */
export interface ResourceWrite<Resource extends object = object, Context = unknown> {
  readonly kind: WriteKind
  /** The stored type of the resource that is written. */
  readonly type: StoredType
  /** The id as clients see it. Empty before the create of a resource whose id the database generates. */
  readonly id: string
  /** The resource as it was before this write; `undefined` on create. */
  readonly previous: ResourceRecord<Resource> | undefined
  /**
   * An instance with the values known at this step. `prepareWrite` and the relationship hooks see the stored values, with those that
   * `prepareWrite` returned. From `beforeWrite` on, the values are final.
   */
  readonly values: Readonly<Resource>
  /** The public names of the fields that the client sent. Empty if there is an `origin`. */
  readonly sentFields: ReadonlySet<string>
  /**
   * The write of another resource that changes a relationship of this one from its other end. `undefined` if the client writes this
   * resource.
   *
   * `origin?.kind === 'delete'` -> the client deletes the other end
   */
  readonly origin: OriginatingWrite | undefined
  /**
   * By property: the resources that relationships will hold (`set…`), or that are added or removed. A relationship that the request leaves
   * out is missing. Filled from `beforeWrite` on.
   */
  readonly relationships: RelatedRecordsByProperty<Resource>
  /** The result of the `context` option for the request. */
  readonly context: Context
  /** The transaction of the database library. Run your own statements in it: see `getEntityManager`. `undefined` in `afterCommit`. */
  readonly transaction: unknown
  /**
   * Aborted when the request exceeds `limits.timeout`. The write is then rolled back, and further statements of its transaction are
   * rejected. Pass it to everything that the hook awaits: `await fetch(url, { signal: write.signal })`.
   */
  readonly signal: AbortSignal
}

/**
 * The related resources of a write, by property of the class. A to-one relationship has a record, or `null` if its type includes `null` or
 * `undefined`. A to-many relationship has a list of records. Properties of plain values have none.
 *
 * `write.relationships.shop?.instance.name` -> the name of the shop that a product is linked to
 */
export type RelatedRecordsByProperty<Resource extends object> = {
  readonly [Property in keyof Resource]?: RelatedRecords<Awaited<Resource[Property]>>
}

/** Types have no decorators, so an embedded object counts as a relationship. A lazy relation is a promise. */
type RelatedRecords<Value> = Value extends null | undefined
  ? null
  : Value extends readonly (infer Member)[]
    ? [Member] extends [object]
      ? readonly ResourceRecord<Member>[]
      : never
    : Value extends PlainValue
      ? never
      : Value extends object
        ? ResourceRecord<Value>
        : never

type PlainValue = Date | Uint8Array | ((...parameters: never[]) => unknown)
