import type { ResourceClass } from '../graph/model/resource-graph'
import type { ResourceRecord } from '../records/resource-record'
import type {
  AddToManyHookResult,
  BeforeWriteHookResult,
  FieldsHookResult,
  FilterHookResult,
  IncludeHookResult,
  MaybePromise,
  MetaHookResult,
  PageHookResult,
  PrepareWriteHookResult,
  RedirectHookResult,
  RemoveFromManyHookResult,
  SerializeHookResult,
  SetToManyHookResult,
  SetToOneHookResult,
  SortHookResult,
} from './hook-return-types'
import type { ResourceWrite } from './resource-write'

/**
 * The business rules of a resource type. A record is subject to one definition: that of its stored type, or of the nearest base type that
 * has one. This holds on every endpoint, base type and include. A derived definition extends the class of the base definition and delegates
 * with `super`.
 *
 * Hooks return values and do not change their arguments. A hook that returns nothing changes nothing. To reject a request, throw a
 * `JsonApiError`. All hooks except `afterCommit` run in the transaction of the write. `context` is the result of the `context` option;
 * write hooks find it in `write.context`.
 *
 * | hook | create | update | delete | set relationship | add to | remove from |
 * |---|---|---|---|---|---|---|
 * | `prepareWrite` | yes | yes | no | yes | yes | yes |
 * | `setToOne` / `setToMany` | per relationship sent | per relationship sent | no | yes | no | no |
 * | `addToMany` | no | no | no | no | yes | no |
 * | `removeFromMany` | no | no | no | no | no | yes |
 * | `beforeWrite`, `afterWrite`, `afterCommit` | yes | yes | yes | yes | yes | yes |
 *
 * If `beforeWrite` postpones a write with `respondAccepted`, `afterWrite` does not run.
 *
 * Relationship hooks also run if the client writes, deletes or relinks the other end of a relationship. They run as if the client had
 * written this end, with `write.origin`. In that case they may reject the write, but not change it.
 */
export abstract class ResourceDefinition<Resource extends object = object, Context = unknown> {
  /** The class of the resource type that these rules apply to. */
  abstract readonly resource: ResourceClass

  /** Returns a filter for the rows that exist for the client: to read, write and link to. Called once per request. Default: all rows. */
  filter(_context: Context): FilterHookResult {
    return undefined
  }

  /**
   * Returns the default order of collections, in the syntax of `sort`: `-publishedAt,title`. If a list has several stored types, it applies
   * only if all their definitions return the same.
   */
  sort(_context: Context): SortHookResult {
    return undefined
  }

  /**
   * Returns the largest page of a collection. A larger `page[size]` is reduced to it; with cursors it returns 400. If a list has several
   * stored types, the smallest applies.
   */
  page(_context: Context): PageHookResult {
    return undefined
  }

  /**
   * Returns the public names of the fields that exist for the client, in a Set, a list or another iterable. Any other field is treated as
   * unknown, in reads and in writes. If only some stored types leave out a field of their base, rows of these types lack it.
   */
  fields(_fields: ReadonlySet<string>, _context: Context): FieldsHookResult {
    return undefined
  }

  /**
   * Returns the relationships to include from this type, given those that the client requested. If the client sent `include`, the hook can
   * only remove names. Otherwise its result for the primary data is the default `include`.
   */
  include(_names: readonly string[], _client: 'sent' | 'notSent', _context: Context): IncludeHookResult {
    return undefined
  }

  /**
   * Returns values by property that replace the stored ones in documents. Fields that are hidden from the client stay hidden. Called for
   * each primary and included resource with all its attributes, whatever the sparse fieldset.
   *
   * `serialize: ({ instance }) => ({ email: instance.email.replace(/.+@/, '…@') })` -> `"email": "…@example.com"`
   */
  serialize(_record: ResourceRecord<Resource>, _context: Context): SerializeHookResult<Resource> {
    return undefined
  }

  /**
   * Returns the `meta` of a resource object. Called like `serialize`, with the stored values. Resource identifiers have no such `meta`.
   *
   * `meta: ({ instance }) => ({ isAdult: instance.age >= 18 })` -> `"meta": { "isAdult": true }`
   */
  meta(_record: ResourceRecord<Resource>, _context: Context): MetaHookResult {
    return undefined
  }

  /**
   * Returns the resource that a GET of this resource redirects to with 303, for example from a finished job to its result. Not called
   * for lists, included resources and responses to writes.
   *
   * `redirect: ({ instance }) => (instance.photoId === null ? undefined : { type: 'photos', id: instance.photoId })`
   */
  redirect(_record: ResourceRecord<Resource>, _context: Context): RedirectHookResult {
    return undefined
  }

  /** Returns values by property to set before those of the request. Asynchronous hooks may return a promise. */
  prepareWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<PrepareWriteHookResult<Resource>> {}

  /** Receives the requested resource with its stored type; `null` clears the relationship. Returns what to link instead. */
  setToOne(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _related: ResourceRecord | null,
  ): MaybePromise<SetToOneHookResult> {}

  /** Receives the members that the client sent. Members that are hidden from the client stay. Returns those to link instead. */
  setToMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _related: readonly ResourceRecord[],
  ): MaybePromise<SetToManyHookResult> {}

  addToMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _related: readonly ResourceRecord[],
  ): MaybePromise<AddToManyHookResult> {}

  removeFromMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _related: readonly ResourceRecord[],
  ): MaybePromise<RemoveFromManyHookResult> {}

  /**
   * Receives the final values of every kind of write. Returns additional values to write, or `respondAccepted({ type, id })` to postpone the
   * write.
   */
  beforeWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<BeforeWriteHookResult<Resource>> {}

  /** Runs after the statements. If it throws, the write is rolled back. `write.id` is always known, on create too. */
  afterWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<void> {}

  /** Runs after the commit. Errors are logged and don't change the response. */
  afterCommit(_write: ResourceWrite<Resource, Context>): MaybePromise<void> {}
}
