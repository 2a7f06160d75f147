import type { FieldName, RelationshipName, Resources, StoredOf, TargetOf, TypeName, ValueAt } from './api'
import type { RelatedList } from './related-list'

/** Names a resource. A resource is one of itself too. */
export interface Identifier<Type extends string = string> {
  readonly type: Type
  readonly id: string
}

/** Names a resource that is created by an earlier operation of the same request. */
export interface LocalIdentifier<Type extends string = string> {
  readonly type: Type
  readonly lid: string
}

/**
 * What comes back when a type is asked for: a union of the types that are stored there, told apart by `type`.
 *
 * Attributes and relationships stand side by side. A relationship that was included is the resources at its other end; any other is
 * identifiers, or not there at all. `Include` and `Fields` are what was asked with.
 */
export type ResourceOf<Api extends Resources, Type extends TypeName<Api>, Include = unknown, Fields = unknown> = {
  [Stored in StoredOf<Api, Type>]: Shown<Api, Stored, Include, Fields>
}[StoredOf<Api, Type>]

type Shown<Api extends Resources, Stored extends TypeName<Api>, Include, Fields> = Flat<
  Identifier<Stored> & {
    readonly [Name in ShownField<Api, Stored, Fields, keyof Api[Stored]['attributes']>]: ValueAt<
      Api[Stored]['attributes'],
      Name
    >
  } & {
    readonly [Name in IncludedName<Api, Stored, Include, Fields>]: RelatedOf<Api, Stored, Include, Fields>[Name]
  } & {
    readonly [Name in Exclude<
      ShownField<Api, Stored, Fields, RelationshipName<Api, Stored>>,
      IncludedName<Api, Stored, Include, Fields>
    >]?: LinkageOf<Api, Stored, Name>
  }
>

type IncludedName<Api extends Resources, Stored extends TypeName<Api>, Include, Fields> = ShownField<
  Api,
  Stored,
  Fields,
  RelationshipName<Api, Stored>
> &
  keyof Include

type RelatedOf<Api extends Resources, Stored extends TypeName<Api>, Include, Fields> = {
  readonly [Name in keyof Include & string]: Name extends keyof Api[Stored]['toOne']
    ? RelatedResource<Api, Stored, Name, Include, Fields> | Extract<Api[Stored]['toOne'][Name], null>
    : RelatedList<RelatedResource<Api, Stored, Name, Include, Fields>>
}

type RelatedResource<
  Api extends Resources,
  Stored extends TypeName<Api>,
  Name extends keyof Include,
  Include,
  Fields,
> = ResourceOf<Api, TargetOf<Api, Stored, Name>, IncludedIn<Include[Name]>, Fields>

type IncludedIn<Node> = Node extends { readonly include: infer Include } ? Include : unknown

/** What a relationship says of its other end: identifiers with their stored types. */
export type LinkageOf<Api extends Resources, Type extends TypeName<Api>, Name> = Name extends keyof Api[Type]['toOne']
  ? TargetIdentifier<Api, Type, Name> | Extract<Api[Type]['toOne'][Name], null>
  : RelatedList<TargetIdentifier<Api, Type, Name>>

type TargetIdentifier<Api extends Resources, Type extends TypeName<Api>, Name> = IdentifierOf<
  StoredOf<Api, TargetOf<Api, Type, Name>>
>

type IdentifierOf<Type extends string> = Type extends unknown ? Identifier<Type> : never

/** Of the names, those that the fieldset which counts lets through: that of a base says nothing about what derived types add. */
type ShownField<Api extends Resources, Stored extends TypeName<Api>, Fields, Name> = [
  NearestSet<Api, Stored, Fields>,
] extends [never]
  ? Name & string
  : Name &
      (
        | NamedIn<ValueAt<Fields, NearestSet<Api, Stored, Fields>>>
        | Exclude<FieldName<Api, Stored>, FieldName<Api, NearestSet<Api, Stored, Fields>>>
      )

type NamedIn<Set> = Set extends readonly (infer Name extends string)[] ? Name : never

type NearestSet<Api extends Resources, Stored extends TypeName<Api>, Fields> = LowestOf<
  Api,
  Api[Stored]['bases'] & keyof Fields & TypeName<Api>
>

/** Of types in one line, the one that derives from all others. */
type LowestOf<Api extends Resources, Types extends TypeName<Api>> = {
  [Type in Types]: [Types] extends [Api[Type]['bases']] ? Type : never
}[Types]

type Flat<Object> = { [Name in keyof Object]: Object[Name] }
