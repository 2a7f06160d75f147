import type { ApiSchema, RelatedTypeNameOf, ResourceTypeName, StoredResourceTypeName, ValueAtKey } from './api'
import type { CompleteRelatedList } from './related-list'
import type { Identifier, LocalIdentifier } from './resource'
import type { WriteOptions } from './send-request'

/** How requests identify resources: operations also accept a local id. */
type IdentifierKind = 'id' | 'lid'

/** The values of a new resource. Fields with a default on the server may be left out. */
export type NewResource<Api extends ApiSchema, Type extends ResourceTypeName<Api>, By extends IdentifierKind = 'id'> = {
  /** Allowed if the server accepts client-generated ids. */
  readonly id?: string
} & MemberObject<'attributes', Attributes<Api, Type>, Api[Type]['required']> &
  MemberObject<'relationships', Relationships<Api, Type, By>, Api[Type]['required']>

/** The values to change. Fields that are left out stay unchanged. For a union of types: the fields that all types have. */
export interface ClientUpdateValues<
  Api extends ApiSchema,
  Type extends ResourceTypeName<Api>,
  By extends IdentifierKind = 'id',
> {
  readonly attributes?: Optional<Attributes<Api, Type>>
  readonly relationships?: Optional<Relationships<Api, Type, By>>
}

/** Options of a write with a condition. */
export interface ConditionalWriteOptions extends WriteOptions {
  /** The ETag that the resource must have; `'*'` for any. Default: the ETag that the resource was read with, if known. */
  readonly ifMatch?: string
}

/** Options of an operation with a condition. Default: that of other writes, and `'*'` for a resource that the same request adds. */
export type ConditionalOperationOptions = Pick<ConditionalWriteOptions, 'ifMatch'>

/** The new linkage of a relationship: identifiers or resources, but not a page of a list that has more. */
export type LinkageInput<
  Api extends ApiSchema,
  Type extends ResourceTypeName<Api>,
  Name,
  By extends IdentifierKind = 'id',
  Target extends string = AtOrBelow<Api, RelatedTypeNameOf<Api, Type, Name>>,
> = Name extends keyof Api[Type]['toOne']
  ? IdentifierByIdOrLid<Target, By> | Extract<Api[Type]['toOne'][Name], null>
  : CompleteRelatedList<IdentifierByIdOrLid<Target, By>>

export type RelatedResourceIdentifier<
  Api extends ApiSchema,
  Type extends ResourceTypeName<Api>,
  Name,
  By extends IdentifierKind = 'id',
> = IdentifierByIdOrLid<AtOrBelow<Api, RelatedTypeNameOf<Api, Type, Name>>, By>

export type IdentifierByIdOrLid<Type extends string, By extends IdentifierKind> = By extends 'lid'
  ? Identifier<Type> | LocalIdentifier<Type>
  : Identifier<Type>

/** The type of a value in a request. An attribute that is a `Date` on the server accepts dates. */
type Input<Value> = string extends Value ? Value | Date : Value

type Attributes<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = {
  readonly [Name in keyof Api[Type]['attributes'] & Api[Type]['writable']]: Input<
    ValueAtKey<Api[Type]['attributes'], Name>
  >
}

/** Resource objects can't name abstract types, as writes of linkage can. */
type Relationships<Api extends ApiSchema, Type extends ResourceTypeName<Api>, By extends IdentifierKind> = {
  readonly [Name in (keyof Api[Type]['toOne'] | keyof Api[Type]['toMany']) & Api[Type]['writable']]: LinkageInput<
    Api,
    Type,
    Name,
    By,
    StoredResourceTypeName<Api, RelatedTypeNameOf<Api, Type, Name>>
  >
}

type MemberObject<Name extends string, Values, Required> = [keyof Values & Required] extends [never]
  ? { readonly [_ in Name]?: Optional<Values> }
  : { readonly [_ in Name]: Partial<Values> & Pick<Values, keyof Values & Required> }

/** Without values, only `{}`: an object type without members would accept any. */
type Optional<Values> = [keyof Values] extends [never] ? Readonly<Record<string, never>> : Partial<Values>

/** The types that may name a resource: its stored type, or a base type between that and the relationship's type. */
type AtOrBelow<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = {
  [Other in ResourceTypeName<Api>]: Type & Api[Other]['bases'] extends never ? never : Other
}[ResourceTypeName<Api>]
