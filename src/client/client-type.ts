import type { RelationshipName, Resources, TargetOf, ToManyName, ToOneName, TypeName } from './api'
import type { Page } from './page'
import type { FilterScope } from './paths'
import type { CursorParams, Exact, ExactFields, FieldsOf, IncludeOf, ListOptions, PageNumberParams } from './query'
import type { RelationshipDocument } from './read'
import type { Identifier, LinkageOf, ResourceOf } from './resource'
import type { RequestOptions, WriteOptions } from './send-request'
import type {
  ConditionalWriteOptions,
  IdentifierBy,
  NewLinkage,
  NewResource,
  RelationshipMember,
  ResourceChange,
} from './write'

/** Nothing is included, and nothing is left out. */
export type Nothing = Record<never, never>

/** What `createClient` makes: a method for each thing that an API can be asked for. */
export interface Client<Api extends Resources> extends ReadClient<Api>, WriteClient<Api> {
  /**
   * Sends several writes at once: all are done, or none. What `create` gives stands for the new resource in all that follows, and what
   * `build` gives comes back as the resources that were made of it.
   *
   * ```ts
   * const { groom } = await client.operate((operations) => {
   *   const groom = operations.create('men', { attributes: { name: 'Kilian' } })
   *   operations.create('women', { attributes: { name: 'Lotte', maidenName: 'Hill' }, relationships: { husband: groom } })
   *   return { groom }
   * })
   * console.log(groom.id)
   * ```
   */
  operate<Made extends MadeBy<Api>>(
    build: (operations: Operations<Api>) => Made,
    options?: WriteOptions,
  ): Promise<{ readonly [Name in keyof Made]: ResourceOf<Api, Made[Name]['type']> }>
  operate(build: (operations: Operations<Api>) => void, options?: WriteOptions): Promise<Nothing>
}

interface ReadClient<Api extends Resources> {
  /** One resource: `get('humans', '1', { include: { children: true } })`. It remembers its state, for a write. */
  get<
    Type extends TypeName<Api>,
    const Include extends IncludeOf<Api, Type> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(
    type: Type,
    id: string,
    query?: ReadOne<Api, Type, Include, Fields>,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /** Many resources: `list('humans', { filter: has('children'), sort: [descending('name')], page: { size: 5 } })`. */
  list<
    Type extends TypeName<Api>,
    const Include extends IncludeOf<Api, Type> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(type: Type, query?: ReadMany<Api, Type, Include, Fields>): Promise<Page<ResourceOf<Api, Type, Include, Fields>>>

  /** What a to-one relationship leads to: `getRelated(human, 'father')`. */
  getRelated<
    Type extends TypeName<Api>,
    Name extends ToOneName<Api, Type>,
    const Include extends IncludeOf<Api, TargetOf<Api, Type, Name>> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(
    of: Identifier<Type>,
    name: Name,
    query?: ReadOne<Api, TargetOf<Api, Type, Name>, Include, Fields>,
  ): Promise<ResourceOf<Api, TargetOf<Api, Type, Name>, Include, Fields> | Extract<Api[Type]['toOne'][Name], null>>

  /** What a to-many relationship leads to: `listRelated(human, 'children', { sort: [ascending('name')] })`. */
  listRelated<
    Type extends TypeName<Api>,
    Name extends ToManyName<Api, Type>,
    const Include extends IncludeOf<Api, TargetOf<Api, Type, Name>> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(
    of: Identifier<Type>,
    name: Name,
    query?: ReadMany<Api, TargetOf<Api, Type, Name>, Include, Fields>,
  ): Promise<Page<ResourceOf<Api, TargetOf<Api, Type, Name>, Include, Fields>>>

  /** The identifiers in a relationship, of a to-many one those of a page. */
  getLinkage<Type extends TypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    query?: RequestOptions & { readonly page?: PageNumberParams },
  ): Promise<RelationshipDocument<LinkageOf<Api, Type, Name>>>
}

interface WriteClient<Api extends Resources> {
  /** Gives what was stored: `create('women', { attributes: { name: 'Ada', maidenName: 'May' } })`. */
  create<
    Type extends CreatableName<Api>,
    const Include extends IncludeOf<Api, Type> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(
    type: Type,
    values: NewResource<Api, Type>,
    options?: ReadOne<Api, Type, Include, Fields> & WriteOptions,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /**
   * Gives what is stored now. A resource that was read with its state is changed only if nobody else has changed it since: else there
   * is a `PreconditionFailedError`.
   */
  update<
    Type extends TypeName<Api>,
    const Include extends IncludeOf<Api, Type> = Nothing,
    const Fields extends FieldsOf<Api> = Nothing,
  >(
    of: Identifier<Type>,
    values: ResourceChange<Api, Type>,
    options?: ReadOne<Api, Type, Include, Fields> & ConditionalWriteOptions,
  ): Promise<ResourceOf<Api, Type, Include, Fields>>

  /** On the same condition as `update`. */
  delete(of: Identifier<TypeName<Api>>, options?: ConditionalWriteOptions): Promise<void>

  /** Replaces what is in a relationship: `setLinkage(man, 'wife', woman)`. For `ifMatch` see `getLinkage`. */
  setLinkage<Type extends TypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [linkage: NewLinkage<Api, Type, Name>, options?: ConditionalWriteOptions]
  ): Promise<void>

  /** Adds to a to-many relationship. */
  addLinkage<Type extends TypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [members: readonly RelationshipMember<Api, Type, Name>[], options?: ConditionalWriteOptions]
  ): Promise<void>

  /** Takes out of a to-many relationship. */
  removeLinkage<Type extends TypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: Identifier<Type>,
    name: Name,
    ...rest: [members: readonly RelationshipMember<Api, Type, Name>[], options?: ConditionalWriteOptions]
  ): Promise<void>
}

/** Collects what `operate` sends. */
export interface Operations<Api extends Resources> {
  create<Type extends CreatableName<Api>>(type: Type, values: NewResource<Api, Type, 'lid'>): IdentifierBy<Type, 'lid'>
  update<Type extends TypeName<Api>>(of: IdentifierBy<Type, 'lid'>, values: ResourceChange<Api, Type, 'lid'>): void
  delete(of: IdentifierBy<TypeName<Api>, 'lid'>): void
  setLinkage<Type extends TypeName<Api>, Name extends RelationshipName<Api, Type>>(
    of: IdentifierBy<Type, 'lid'>,
    name: Name,
    linkage: NewLinkage<Api, Type, Name, 'lid'>,
  ): void
  addLinkage<Type extends TypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: IdentifierBy<Type, 'lid'>,
    name: Name,
    members: readonly RelationshipMember<Api, Type, Name, 'lid'>[],
  ): void
  removeLinkage<Type extends TypeName<Api>, Name extends ToManyName<Api, Type>>(
    of: IdentifierBy<Type, 'lid'>,
    name: Name,
    members: readonly RelationshipMember<Api, Type, Name, 'lid'>[],
  ): void
}

/** What is to come back of operations, under names of the caller's own. */
type MadeBy<Api extends Resources> = Readonly<Record<string, IdentifierBy<CreatableName<Api>, 'lid'>>>

/** Types that resources can be created of: abstract ones are not among them. */
export type CreatableName<Api extends Resources> = {
  [Type in TypeName<Api>]: Type extends Api[Type]['stored'] ? Type : never
}[TypeName<Api>]

export interface ReadOne<Api extends Resources, Type extends TypeName<Api>, Include, Fields> extends RequestOptions {
  /** Relationships whose resources come along: `{ children: { include: { wife: true } } }`. */
  readonly include?: Include & Exact<Api, Type, Include>
  /** The fields that are shown, by type: `{ men: ['name'] }`. The set of the nearest self or base counts. */
  readonly fields?: Fields & ExactFields<Api, Fields>
}

export interface ReadMany<Api extends Resources, Type extends TypeName<Api>, Include, Fields>
  extends ReadOne<Api, Type, Include, Fields>,
    ListOptions<FilterScope<Api, Type>> {
  readonly page?: PageNumberParams | CursorParams
}
