import type { Resources, TargetOf, TypeName, ValueAt } from './api'
import type { ReplacingList } from './related-list'
import type { Identifier, LocalIdentifier } from './resource'
import type { WriteOptions } from './send-request'

/** How a resource can be named: in operations by a local id too. */
export type IdentifierKind = 'id' | 'lid'

/** The values of a new resource. What has a default on the server may be left out. */
export type NewResource<Api extends Resources, Type extends TypeName<Api>, By extends IdentifierKind = 'id'> = {
  /** Where clients may choose it. */
  readonly id?: string
} & MemberObject<'attributes', Attributes<Api, Type>, Api[Type]['required']> &
  MemberObject<'relationships', Relationships<Api, Type, By>, Api[Type]['required']>

/** The values that are to change; what is left out stays. Of a union of types: what all of them have. */
export interface ResourceChange<Api extends Resources, Type extends TypeName<Api>, By extends IdentifierKind = 'id'> {
  readonly attributes?: Partial<Attributes<Api, Type>>
  readonly relationships?: Partial<Relationships<Api, Type, By>>
}

/** How a write is sent: for which state, and whether it may be sent again. */
export interface ConditionalWriteOptions extends WriteOptions {
  /** The state that this is for; `'*'` is any. Default: the one that the resource was read in, where that is known. */
  readonly ifMatch?: string
}

/** What can be put at the other end of a relationship: identifiers, or resources themselves. No page of a list that has more. */
export type NewLinkage<
  Api extends Resources,
  Type extends TypeName<Api>,
  Name,
  By extends IdentifierKind = 'id',
> = Name extends keyof Api[Type]['toOne']
  ? RelationshipMember<Api, Type, Name, By> | Extract<Api[Type]['toOne'][Name], null>
  : ReplacingList<RelationshipMember<Api, Type, Name, By>>

export type RelationshipMember<
  Api extends Resources,
  Type extends TypeName<Api>,
  Name,
  By extends IdentifierKind = 'id',
> = IdentifierBy<AtOrBelow<Api, TargetOf<Api, Type, Name>>, By>

export type IdentifierBy<Type extends string, By extends IdentifierKind> = By extends 'lid'
  ? Identifier<Type> | LocalIdentifier<Type>
  : Identifier<Type>

/** A value as it can be sent: what is a `Date` on the server may be one here. */
export type Input<Value> = string extends Value ? Value | Date : Value

type Attributes<Api extends Resources, Type extends TypeName<Api>> = {
  readonly [Name in keyof Api[Type]['attributes'] & Api[Type]['writable']]: Input<
    ValueAt<Api[Type]['attributes'], Name>
  >
}

type Relationships<Api extends Resources, Type extends TypeName<Api>, By extends IdentifierKind> = {
  readonly [Name in (keyof Api[Type]['toOne'] | keyof Api[Type]['toMany']) & Api[Type]['writable']]: NewLinkage<
    Api,
    Type,
    Name,
    By
  >
}

type MemberObject<Name extends string, Values, Required> = [keyof Values & Required] extends [never]
  ? { readonly [_ in Name]?: Partial<Values> }
  : { readonly [_ in Name]: Partial<Values> & Pick<Values, keyof Values & Required> }

/** A request may name a resource by the type that it has, or by one on the way there. */
type AtOrBelow<Api extends Resources, Type extends TypeName<Api>> = {
  [Other in TypeName<Api>]: Type & Api[Other]['bases'] extends never ? never : Other
}[TypeName<Api>]
