import type {
  ApiSchema,
  FieldName,
  RelatedTypeNameOf,
  RelationshipName,
  ResourceTypeName,
  StoredResourceTypeName,
  ValueAtKey,
} from './api'
import type { RelatedList, RelatedListMatchingIncludeFilter } from './related-list'

/** Identifies a resource. A resource is an identifier too. */
export interface Identifier<Type extends string = string> {
  readonly type: Type
  readonly id: string
}

/** Identifies a resource that an earlier operation of the same request creates. */
export interface LocalIdentifier<Type extends string = string> {
  readonly type: Type
  readonly lid: string
}

/**
 * The resources of a type as the client returns them: a union of its stored types, discriminated by `type`.
 *
 * Attributes and relationships are members of the same object. An included relationship contains resources; any other contains identifiers
 * or is missing. `Include` and `Fields` are those of the request.
 */
export type ResourceOf<
  Api extends ApiSchema,
  Type extends ResourceTypeName<Api>,
  Include = unknown,
  Fields = unknown,
> = {
  [Stored in StoredResourceTypeName<Api, Type>]: Shown<Api, Stored, Include, Fields>
}[StoredResourceTypeName<Api, Type>]

type Shown<Api extends ApiSchema, Stored extends ResourceTypeName<Api>, Include, Fields> = Flat<
  Identifier<Stored> & {
    readonly [Name in ShownField<Api, Stored, Fields, keyof Api[Stored]['attributes']>]: ValueAtKey<
      Api[Stored]['attributes'],
      Name
    >
  } & {
    readonly [Name in IncludedName<Api, Stored, Include, Fields>]: RelatedOf<Api, Stored, Include, Fields>[Name]
  } & {
    readonly [Name in Exclude<
      ShownField<Api, Stored, Fields, RelationshipName<Api, Stored>>,
      IncludedName<Api, Stored, Include, Fields>
    >]?: LinkageOf<Api, Stored, Name> | ValueAtKey<RelatedOf<Api, Stored, Include, Fields>, Name>
  }
>

/** An include that may be `undefined` makes the relationship optional. */
type IncludedName<Api extends ApiSchema, Stored extends ResourceTypeName<Api>, Include, Fields> = ShownField<
  Api,
  Stored,
  Fields,
  RelationshipName<Api, Stored>
> &
  { [Name in keyof Include]-?: undefined extends Include[Name] ? never : Name }[keyof Include]

type RelatedOf<Api extends ApiSchema, Stored extends ResourceTypeName<Api>, Include, Fields> = {
  readonly [Name in keyof Include & string]: Name extends keyof Api[Stored]['toOne']
    ? RelatedResource<Api, Stored, Name, Include, Fields> | Extract<Api[Stored]['toOne'][Name], null>
    : IncludedList<RelatedResource<Api, Stored, Name, Include, Fields>, Include[Name]>
}

/** A filter may be `undefined` too. */
type IncludedList<Member, Node> = Node extends unknown
  ? [ValueAtKey<Node, 'filter'>] extends [undefined]
    ? RelatedList<Member>
    : RelatedListMatchingIncludeFilter<Member>
  : never

type RelatedResource<
  Api extends ApiSchema,
  Stored extends ResourceTypeName<Api>,
  Name extends keyof Include,
  Include,
  Fields,
> = ResourceOf<Api, RelatedTypeNameOf<Api, Stored, Name>, IncludedIn<NonNullable<Include[Name]>>, Fields>

type IncludedIn<Node> = Node extends { readonly include: infer Include } ? Include : unknown

/** The linkage of a relationship: identifiers with their stored types. */
export type LinkageOf<
  Api extends ApiSchema,
  Type extends ResourceTypeName<Api>,
  Name,
> = Name extends keyof Api[Type]['toOne']
  ? TargetIdentifier<Api, Type, Name> | Extract<Api[Type]['toOne'][Name], null>
  : RelatedList<TargetIdentifier<Api, Type, Name>>

type TargetIdentifier<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Name> = IdentifierOf<
  StoredResourceTypeName<Api, RelatedTypeNameOf<Api, Type, Name>>
>

type IdentifierOf<Type extends string> = Type extends unknown ? Identifier<Type> : never

/** The names that the applicable fieldset includes. The fieldset of a base does not restrict fields that derived types add. */
type ShownField<Api extends ApiSchema, Stored extends ResourceTypeName<Api>, Fields, Name> = [
  NearestSet<Api, Stored, Fields>,
] extends [never]
  ? Name & string
  : Name &
      (
        | NamedIn<ValueAtKey<Fields, NearestSet<Api, Stored, Fields>>>
        | Exclude<FieldName<Api, Stored>, FieldName<Api, NearestSet<Api, Stored, Fields>>>
      )

type NamedIn<Set> = Set extends readonly (infer Name extends string)[] ? Name : never

type NearestSet<Api extends ApiSchema, Stored extends ResourceTypeName<Api>, Fields> = LowestOf<
  Api,
  Api[Stored]['bases'] & keyof Fields & ResourceTypeName<Api>
>

/** The most derived of several types on one line of inheritance. */
type LowestOf<Api extends ApiSchema, Types extends ResourceTypeName<Api>> = {
  [Type in Types]: [Types] extends [Api[Type]['bases']] ? Type : never
}[Types]

type Flat<Object> = { [Name in keyof Object]: Object[Name] }
