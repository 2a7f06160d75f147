import type { ResourceIdentifier } from '../document/document'
import type { JsonObject } from '../document/json'
import type { ResourceClass } from '../graph/model/resource-graph'
import type { FilterExpression } from '../query/tree/filter-builder'
import type { StoredRecord } from '../records/stored-record'
import type { AcceptedWrite } from './accepted'
import type { ResourceWrite } from './resource-write'

/** A hook may be asynchronous. */
export type MaybePromise<Value> = Value | Promise<Value>

/** What a hook may put at the other end of a relationship: a record it was given, or the name of another resource. */
export type RelatedResourceChoice = StoredRecord | ResourceIdentifier

/**
 * The business rules of a resource type. Exactly one definition answers for a record: that of its stored type, else that of the nearest
 * base that has one; no endpoint, base type or include is a way around it. A derived definition extends the base's class and delegates
 * with `super`.
 *
 * Hooks return values and do not change what they are given; a hook that returns nothing leaves things as they are. To refuse, a hook
 * throws a `JsonApiError`. All hooks but `afterCommit` run within the transaction of the write. `context` is what the option of that name
 * made of the request; write hooks find it in `write.context`.
 *
 * | hook | create | update | delete | set relationship | add to | remove from |
 * |---|---|---|---|---|---|---|
 * | `prepareWrite` | yes | yes | no | yes | yes | yes |
 * | `setToOne` / `setToMany` | per relationship sent | per relationship sent | no | yes | no | no |
 * | `addToMany` | no | no | no | no | yes | no |
 * | `removeFromMany` | no | no | no | no | no | yes |
 * | `beforeWrite`, `afterWrite`, `afterCommit` | yes | yes | yes | yes | yes | yes |
 *
 * A write that `beforeWrite` has accepted for later has no `afterWrite`.
 *
 * Relationship hooks are asked too where the client writes the other end of a relationship, deletes it, or links it elsewhere: as if the
 * own relationship had been written, with `write.origin`. They can refuse then, and change nothing.
 */
export abstract class ResourceDefinition<Resource extends object = object, Context = unknown> {
  /** The class of the resource type that these rules are for. */
  abstract readonly resource: ResourceClass

  /** Which rows can be seen, and so be found, written and linked to. Asked once per request. */
  filter(_context: Context): FilterExpression | undefined {
    return undefined
  }

  /**
   * The order of collections for which the client names none, as in `sort`: `-publishedAt,title`. Where rows of several stored types
   * are one list it holds when all of their definitions say the same.
   */
  sort(_context: Context): string | undefined {
    return undefined
  }

  /**
   * The largest page of a collection: who asks for more gets this many, or 400 where pages have cursors. Of several stored types the
   * smallest holds.
   */
  page(_context: Context): { readonly size: number } | undefined {
    return undefined
  }

  /**
   * Which of the fields exist for the client, by public name, in a Set, a list or another iterable. What is left out is answered as an unknown
   * name is, in reads and in writes. A field of a base that only some stored types leave out is lacking in the rows of those types.
   */
  fields(_fields: ReadonlySet<string>, _context: Context): Iterable<string> | undefined {
    return undefined
  }

  /**
   * The relationships to be included from here, given those that the client asked for. Of `sent` ones it can only take away; when the
   * client has sent no `include`, what is returned for the primary data is included by default.
   */
  include(_names: readonly string[], _client: 'sent' | 'notSent', _context: Context): Iterable<string> | undefined {
    return undefined
  }

  /**
   * Values to be shown in place of those that are stored, by property; fields that the client does not see stay unseen. Called for each
   * resource of a document, primary and included, with all of its attributes, also where a fieldset shows few of them.
   *
   * `serialize: ({ instance }) => ({ email: instance.email.replace(/.+@/, '…@') })` -> `"email": "…@example.com"`
   */
  serialize(_record: StoredRecord<Resource>, _context: Context): Partial<Resource> | undefined {
    return undefined
  }

  /**
   * The `meta` of a resource object. Called like `serialize`, and sees what is stored; resource identifiers have none.
   *
   * `meta: ({ instance }) => ({ isAdult: instance.age >= 18 })` -> `"meta": { "isAdult": true }`
   */
  meta(_record: StoredRecord<Resource>, _context: Context): JsonObject | undefined {
    return undefined
  }

  /**
   * Where a client that asks for this resource alone is to look instead, with 303: a job that is done leads to what it has made. Called like
   * `serialize`.
   *
   * `redirect: ({ instance }) => (instance.photoId === null ? undefined : { type: 'photos', id: instance.photoId })`
   */
  redirect(_record: StoredRecord<Resource>, _context: Context): ResourceIdentifier | undefined {
    return undefined
  }

  /** Fills in values before those of the request are applied. */
  prepareWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<Partial<Resource> | void> {}

  /** `right` is the resource asked for, with its stored type; `null` clears. What is returned is linked instead. */
  setToOne(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _right: StoredRecord | null,
  ): MaybePromise<RelatedResourceChoice | null | void> {}

  /** All members that the relationship is to have. */
  setToMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _rights: readonly StoredRecord[],
  ): MaybePromise<readonly RelatedResourceChoice[] | void> {}

  addToMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _rights: readonly StoredRecord[],
  ): MaybePromise<readonly RelatedResourceChoice[] | void> {}

  removeFromMany(
    _write: ResourceWrite<Resource, Context>,
    _relationship: string,
    _rights: readonly StoredRecord[],
  ): MaybePromise<readonly RelatedResourceChoice[] | void> {}

  /**
   * Sees the final values, of every kind of write. What is returned is written besides; of a write that it hands to the background,
   * `accepted({ type, id })`.
   */
  beforeWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<Partial<Resource> | AcceptedWrite | void> {}

  /** The statements have run; throwing still undoes them. `write.id` is known now, on create too. */
  afterWrite(_write: ResourceWrite<Resource, Context>): MaybePromise<void> {}

  /** The transaction has ended well. Errors are logged, not answered. */
  afterCommit(_write: ResourceWrite<Resource, Context>): MaybePromise<void> {}
}
