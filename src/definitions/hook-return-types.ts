import type { JsonObject } from '../document/json'
import type { ResourceIdentifier } from '../document/response-document'
import type { FilterExpression } from '../query/tree/filter-builder'
import type { ResourceRecord } from '../records/resource-record'
import type { AcceptedWrite } from './accepted'

/** The result of a hook that may be asynchronous. */
export type MaybePromise<Value> = Value | Promise<Value>

/** A resource that a relationship hook links: a record that it received, or the identifier of another resource. */
export type RecordOrIdentifier = ResourceRecord | ResourceIdentifier

/**
 * Values of attributes, by property of the class. Relationships can't be excluded: types have no decorators, and an embedded object has the
 * type of a relationship. In a definition with a type parameter, state the properties that it sets as the return type of the hook. The
 * compiler then checks their names and values.
 *
 * `override prepareWrite(…): Partial<TenantRow> { return { tenant: 'nl' } }` in `TenantDefinition<Row extends TenantRow>`
 */
export type AttributeValuesReturnedByHook<Resource extends object> = Partial<Resource> | ValuesOfTypeParameter<Resource>

/**
 * Accepts any object while `Resource` is a type parameter. TypeScript can't compare values with a `Partial` of a type parameter. For a class
 * it has no property that values can have, so it accepts none.
 */
type ValuesOfTypeParameter<Resource extends object> = {
  readonly [Property in keyof Resource as Resource extends object ? typeof unresolved : Property]?: unknown
}

declare const unresolved: unique symbol

/** What `filter` may return: a filter from functions such as `equals` and `and`, or `undefined` for all rows. */
export type FilterHookResult = FilterExpression | undefined

/** What `sort` may return: an order such as `'-publishedAt,title'`, or `undefined` for no default order. */
export type SortHookResult = string | undefined

/** What `page` may return: the largest page, with a size of at least 1, or `undefined` for no limit besides that of the type. */
export type PageHookResult = { readonly size: number } | undefined

/** What `fields` may return: public names of fields, in a Set, a list or another iterable, or `undefined` for all fields. */
export type FieldsHookResult = Iterable<string> | undefined

/** What `include` may return: public names of relationships, or `undefined` to include what the client requested. */
export type IncludeHookResult = Iterable<string> | undefined

/** What `serialize` may return: values that replace the stored ones, or `undefined` to show the stored ones. */
export type SerializeHookResult<Resource extends object> = AttributeValuesReturnedByHook<Resource> | undefined

/** What `meta` may return: the `meta` of the resource object, or `undefined` for none. */
export type MetaHookResult = JsonObject | undefined

/** What `redirect` may return: the resource to redirect to, or `undefined` for no redirect. */
export type RedirectHookResult = ResourceIdentifier | undefined

/** What `prepareWrite` may return: values to set before those of the request, or nothing. */
export type PrepareWriteHookResult<Resource extends object> = AttributeValuesReturnedByHook<Resource> | void

/** What `setToOne` may return: the resource to link, `null` to clear the relationship, or nothing to link the requested resource. */
export type SetToOneHookResult = RecordOrIdentifier | null | void

/** What `setToMany` may return: the members to link, or nothing to link the requested ones. */
export type SetToManyHookResult = readonly RecordOrIdentifier[] | void

/** What `addToMany` may return: the members to add, or nothing to add the requested ones. */
export type AddToManyHookResult = readonly RecordOrIdentifier[] | void

/** What `removeFromMany` may return: the members to remove, or nothing to remove the requested ones. */
export type RemoveFromManyHookResult = readonly RecordOrIdentifier[] | void

/** What `beforeWrite` may return: more values to write, the result of `respondAccepted` to postpone the write, or nothing. */
export type BeforeWriteHookResult<Resource extends object> =
  | AttributeValuesReturnedByHook<Resource>
  | AcceptedWrite
  | void
