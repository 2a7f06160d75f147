import type { ApiSchema, RelatedTypeNameOf, RelationshipName, ResourceTypeName, ToManyName, ToOneName } from './api'
import type { Page } from './page'
import type { QueriedType } from './paths'
import type {
  FieldsetsOf,
  FilterAndSortParams,
  IncludeOf,
  OnlyKnownFieldsetTypes,
  OnlyKnownIncludes,
  PageCursorParams,
  PageNumberParams,
} from './query'
import type { LinkageResult } from './read'
import type { Identifier, LinkageOf, ResourceOf } from './resource'
import type { RequestOptions, WriteOptions } from './send-request'
import type {
  ClientUpdateValues,
  ConditionalOperationOptions,
  ConditionalWriteOptions,
  IdentifierByIdOrLid,
  LinkageInput,
  NewResource,
  RelatedResourceIdentifier,
} from './write'

/** No include and no sparse fieldset. */
type NoOptions = Record<never, never>

/** The methods of a client. */
export interface Client<Api extends ApiSchema> extends ReadClient<Api>, WriteClient<Api> {
  /**
   * Runs several writes in one transaction. `create` returns a reference for use in later operations. The references that `build` returns
   * are resolved to resources. If a rule hides one of them from this client, throws an `UnreadableWriteResultError` after the writes.
   *
   * ```ts
   * const { groom } = await client.performOperations((operations) => {
   *   const groom = operations.create('men', { attributes: { name: 'Kilian' } })
   *   operations.create('women', { attributes: { name: 'Lotte', maidenName: 'Hill' }, relationships: { husband: groom } })
   *   return { groom }
   * })
   * console.log(groom.id)
   * ```
   */
  performOperations<Made extends MadeBy<Api>>(
    build: (operations: Operations<Api>) => Made,
    options?: WriteOptions,
  ): Promise<{ readonly [Name in keyof Made]: ResourceOf<Api, Made[Name]['type']> }>
  performOperations(build: (operations: Operations<Api>) => void, options?: WriteOptions): Promise<NoOptions>
}

interface ReadClient<Api extends ApiSchema> {
  /** Fetches one resource: `get('humans', '1', { include: { children: true } })`. Writes of the result send its ETag. */
  get<
    Type extends ResourceTypeName<Api>,
    const Include extends IncludeOf<Api, Type> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    type: Type,
    id: string,
    query?: SingleReadOptions<Api, Type, Include, Fields>,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /** Fetches a collection: `list('humans', { filter: has('children'), sort: [descending('name')], page: { size: 5 } })`. */
  list<
    Type extends ResourceTypeName<Api>,
    const Include extends IncludeOf<Api, Type> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    type: Type,
    query?: ListReadOptions<Api, Type, Include, Fields>,
  ): Promise<Page<ResourceOf<Api, Type, Include, Fields>>>

  /** Fetches the related resource of a to-one relationship: `getRelated(human, 'father')`. */
  getRelated<
    Type extends ResourceTypeName<Api>,
    Name extends ToOneName<Api, Type>,
    const Include extends IncludeOf<Api, RelatedTypeNameOf<Api, Type, Name>> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    of: Identifier<Type>,
    name: Name,
    query?: SingleReadOptions<Api, RelatedTypeNameOf<Api, Type, Name>, Include, Fields>,
  ): Promise<
    ResourceOf<Api, RelatedTypeNameOf<Api, Type, Name>, Include, Fields> | Extract<Api[Type]['toOne'][Name], null>
  >

  /** Fetches the related resources of a to-many relationship: `listRelated(human, 'children', { sort: [ascending('name')] })`. */
  listRelated<
    Type extends ResourceTypeName<Api>,
    Name extends ToManyName<Api, Type>,
    const Include extends IncludeOf<Api, RelatedTypeNameOf<Api, Type, Name>> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    of: Identifier<Type>,
    name: Name,
    query?: ListReadOptions<Api, RelatedTypeNameOf<Api, Type, Name>, Include, Fields>,
  ): Promise<Page<ResourceOf<Api, RelatedTypeNameOf<Api, Type, Name>, Include, Fields>>>

  /** Fetches the linkage of a relationship. For a to-many relationship, this is one page. */
  getLinkage<Type extends ResourceTypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    query?: RequestOptions & { readonly page?: PageNumberParams },
  ): Promise<LinkageResult<LinkageOf<Api, Type, Name>>>
}

interface WriteClient<Api extends ApiSchema> {
  /**
   * Creates a resource and returns it as stored: `create('women', { attributes: { name: 'Ada', maidenName: 'May' } })`. If a rule hides it from
   * this client, throws an `UnreadableWriteResultError` after the write.
   */
  create<
    Type extends CreatableName<Api>,
    const Include extends IncludeOf<Api, Type> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    type: Type,
    values: NewResource<Api, Type>,
    options?: SingleReadOptions<Api, Type, Include, Fields> & WriteOptions,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /**
   * Updates a resource and returns it as stored. If the resource was read with an ETag and another client has changed it since, throws a
   * `PreconditionFailedError`. If a rule hides the result from this client, throws an `UnreadableWriteResultError` after the write.
   */
  update<
    Type extends CreatableName<Api>,
    const Include extends IncludeOf<Api, Type> = NoOptions,
    const Fields extends FieldsetsOf<Api> = NoOptions,
  >(
    of: Identifier<Type>,
    values: ClientUpdateValues<Api, Type>,
    options?: SingleReadOptions<Api, Type, Include, Fields> & ConditionalWriteOptions,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /** Deletes a resource. Checks its ETag as `update` does. */
  delete(of: Identifier<ResourceTypeName<Api>>, options?: ConditionalWriteOptions): Promise<void>

  /** Replaces the linkage of a relationship: `setLinkage(man, 'wife', woman)`. For `ifMatch` see `getLinkage`. */
  setLinkage<Type extends ResourceTypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [linkage: LinkageInput<Api, Type, Name>, options?: ConditionalWriteOptions]
  ): Promise<void>

  /** Adds members to a to-many relationship. */
  addLinkage<Type extends ResourceTypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [members: readonly RelatedResourceIdentifier<Api, Type, Name>[], options?: ConditionalWriteOptions]
  ): Promise<void>

  /** Removes members from a to-many relationship. */
  removeLinkage<Type extends ResourceTypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [members: readonly RelatedResourceIdentifier<Api, Type, Name>[], options?: ConditionalWriteOptions]
  ): Promise<void>
}

/** Collects the operations that `performOperations` sends. */
export interface Operations<Api extends ApiSchema> {
  create<Type extends CreatableName<Api>>(
    type: Type,
    values: NewResource<Api, Type, 'lid'>,
  ): IdentifierByIdOrLid<Type, 'lid'>
  update<Type extends CreatableName<Api>>(
    of: IdentifierByIdOrLid<Type, 'lid'>,
    values: ClientUpdateValues<Api, Type, 'lid'>,
    options?: ConditionalOperationOptions,
  ): void
  delete(of: IdentifierByIdOrLid<ResourceTypeName<Api>, 'lid'>, options?: ConditionalOperationOptions): void
  setLinkage<Type extends ResourceTypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: IdentifierByIdOrLid<Type, 'lid'>,
    name: Name,
    ...rest: [linkage: LinkageInput<Api, Type, Name, 'lid'>, options?: ConditionalOperationOptions]
  ): void
  addLinkage<Type extends ResourceTypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: IdentifierByIdOrLid<Type, 'lid'>,
    name: Name,
    ...rest: [
      members: readonly RelatedResourceIdentifier<Api, Type, Name, 'lid'>[],
      options?: ConditionalOperationOptions,
    ]
  ): void
  removeLinkage<Type extends ResourceTypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: IdentifierByIdOrLid<Type, 'lid'>,
    name: Name,
    ...rest: [
      members: readonly RelatedResourceIdentifier<Api, Type, Name, 'lid'>[],
      options?: ConditionalOperationOptions,
    ]
  ): void
}

/** The references that `build` returns, by name. */
type MadeBy<Api extends ApiSchema> = Readonly<Record<string, IdentifierByIdOrLid<CreatableName<Api>, 'lid'>>>

/** The types that clients can create: all that are not abstract. */
type CreatableName<Api extends ApiSchema> = {
  [Type in ResourceTypeName<Api>]: Type extends Api[Type]['stored'] ? Type : never
}[ResourceTypeName<Api>]

interface SingleReadOptions<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Include, Fields>
  extends RequestOptions {
  /** The relationships to include: `{ children: { include: { wife: true } } }`. */
  readonly include?: Include & OnlyKnownIncludes<Api, Type, Include>
  /** Sparse fieldsets by type: `{ men: ['name'] }`. The fieldset of the type itself or of its nearest base applies. */
  readonly fields?: Fields & OnlyKnownFieldsetTypes<Api, Fields>
}

interface ListReadOptions<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Include, Fields>
  extends SingleReadOptions<Api, Type, Include, Fields>,
    FilterAndSortParams<QueriedType<Api, Type>> {
  readonly page?: PageNumberParams | PageCursorParams
}
