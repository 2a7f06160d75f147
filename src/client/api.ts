/** The resource classes by public type name: `{ humans: typeof Human; men: typeof Man }`. */
export type ResourceClassesByTypeName = Readonly<Record<string, abstract new (...parameters: never[]) => object>>

/** Facts that decorators declare and types don't show, by type name. They also apply to derived types. */
export type ClientTypeInferenceOptions<Classes extends ResourceClassesByTypeName> = {
  readonly [Type in keyof Classes]?: {
    /** Properties that are not fields. */
    readonly hidden?: keyof InstanceType<Classes[Type]>
    /** Attributes and relationships that a new resource must have. */
    readonly required?: keyof InstanceType<Classes[Type]>
    /** Public names of properties that differ from the property names. */
    readonly names?: { readonly [Name in keyof InstanceType<Classes[Type]>]?: string }
  }
}

/**
 * Infers the types of an API from the classes that the server decorates. Import the classes as types, so that no server code is loaded.
 *
 * A property is a relationship if its type is a registered class or a list of one. Methods are ignored; all other properties are
 * attributes. An abstract class has no resources of its own. `readonly` properties cannot be written.
 *
 * `type Api = InferApi<{ humans: typeof Human; men: typeof Man; women: typeof Woman }>`
 */
export type InferApi<
  Classes extends ResourceClassesByTypeName,
  Details extends ClientTypeInferenceOptions<Classes> = Record<never, never>,
> = {
  readonly [Type in keyof Classes & string]: TypeSchemaOf<Classes, Details, Type>
}

/** The schema of an API for the compiler, by type name. `InferApi` infers it; write it by hand if the classes are not available. */
export type ApiSchema = Readonly<Record<string, ResourceTypeSchema>>

/** The type-level schema of one resource type. */
export interface ResourceTypeSchema {
  /** JSON value types by attribute name. */
  readonly attributes: object
  /** The related type by relationship name, with `null` if the relationship may be empty. */
  readonly toOne: object
  /** The related type by relationship name. */
  readonly toMany: object
  /** Names of the writable fields. */
  readonly writable: string
  /** Names of the fields that a new resource must have. */
  readonly required: string
  /** The type itself and its base types. */
  readonly bases: string
  /** The stored types of its resources: itself, unless it is abstract, and its derived types. */
  readonly stored: string
}

export type ResourceTypeName<Api> = keyof Api & string

/** The stored types of a type, or of each type of a union. */
export type StoredResourceTypeName<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = Api[Type]['stored'] &
  ResourceTypeName<Api>

export type ToOneName<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = keyof Api[Type]['toOne'] & string
export type ToManyName<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = keyof Api[Type]['toMany'] & string
export type RelationshipName<Api extends ApiSchema, Type extends ResourceTypeName<Api>> =
  | ToOneName<Api, Type>
  | ToManyName<Api, Type>

export type FieldName<Api extends ApiSchema, Type extends ResourceTypeName<Api>> =
  | (keyof Api[Type]['attributes'] & string)
  | RelationshipName<Api, Type>

/** The related type of a relationship; for a union, of all types that have the relationship. */
export type RelatedTypeNameOf<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Name> = Type extends unknown
  ? NonNullable<ValueAtKey<Api[Type]['toOne'], Name> | ValueAtKey<Api[Type]['toMany'], Name>> & ResourceTypeName<Api>
  : never

/** The value type at a key, or `never`. */
export type ValueAtKey<Holder, Name> = Name extends keyof Holder ? Holder[Name] : never

/** The keys of any member of a union. `keyof` gives only those that all have. */
export type KeyOfUnion<Union> = Union extends unknown ? keyof Union & string : never

type TypeSchemaOf<
  Classes extends ResourceClassesByTypeName,
  Details,
  Type extends keyof Classes & string,
  Bases extends string = BasesOf<Classes, Type>,
> = {
  readonly attributes: {
    readonly [Name in PropertyName<Classes, Details, Type> as KindOf<Classes, Type, Name> extends 'attribute'
      ? PublicName<Details, Bases, Name>
      : never]: JsonOf<Property<Classes, Type, Name>>
  }
  readonly toOne: {
    readonly [Name in PropertyName<Classes, Details, Type> as KindOf<Classes, Type, Name> extends 'toOne'
      ? PublicName<Details, Bases, Name>
      : never]:
      | NameOf<Classes, RelatedInstance<Property<Classes, Type, Name>>>
      | ([NoValue<Property<Classes, Type, Name>>] extends [never] ? never : null)
  }
  readonly toMany: {
    readonly [Name in PropertyName<Classes, Details, Type> as KindOf<Classes, Type, Name> extends 'toMany'
      ? PublicName<Details, Bases, Name>
      : never]: NameOf<Classes, RelatedInstance<Property<Classes, Type, Name>>>
  }
  readonly writable: PublicName<
    Details,
    Bases,
    Exclude<PropertyName<Classes, Details, Type>, ReadonlyKey<InstanceType<Classes[Type]>>>
  >
  readonly required: PublicName<Details, Bases, DeclaredNames<Details, Bases, 'required'>>
  readonly bases: Bases
  readonly stored: {
    [Other in keyof Classes & string]: InstanceType<Classes[Other]> extends InstanceType<Classes[Type]>
      ? ConcreteName<Classes, Other>
      : never
  }[keyof Classes & string]
}

/** Distributes over the bases, because any of them may rename the property. */
type PublicName<Details, Bases extends string, Name extends string> = Name extends unknown
  ? [DeclaredName<Details, Bases, Name>] extends [never]
    ? Name
    : DeclaredName<Details, Bases, Name>
  : never

type DeclaredName<Details, Bases extends string, Name> = {
  [Type in Bases]: Type extends keyof Details ? ValueAtKey<ValueAtKey<Details[Type], 'names'>, Name> & string : never
}[Bases]

/** The names `id` and `type` are reserved, so such a property is a field only under another name. */
type PropertyName<Classes extends ResourceClassesByTypeName, Details, Type extends keyof Classes & string> = Exclude<
  keyof InstanceType<Classes[Type]> & string,
  UnnamedOf<Details, BasesOf<Classes, Type>, 'id' | 'type'> | DeclaredNames<Details, BasesOf<Classes, Type>, 'hidden'>
>

type UnnamedOf<Details, Bases extends string, Name extends string> = Name extends unknown
  ? [DeclaredName<Details, Bases, Name>] extends [never]
    ? Name
    : never
  : never

type DeclaredNames<Details, Types extends string, What extends string> = {
  [Type in Types]: Type extends keyof Details ? ValueAtKey<Details[Type], What> & string : never
}[Types]

type Property<Classes extends ResourceClassesByTypeName, Type extends keyof Classes, Name> = ValueAtKey<
  InstanceType<Classes[Type]>,
  Name
>

type KindOf<Classes extends ResourceClassesByTypeName, Type extends keyof Classes, Name> = FieldKindOf<
  Classes,
  Property<Classes, Type, Name>
>

type FieldKindOf<Classes extends ResourceClassesByTypeName, Value> =
  IsAny<Value> extends true
    ? 'attribute'
    : [NonNullable<Value>] extends [(...parameters: never[]) => unknown]
      ? 'method'
      : [NameOf<Classes, RelatedInstance<Value>>] extends [never]
        ? 'attribute'
        : NonNullable<AwaitedValue<Value>> extends readonly unknown[]
          ? 'toMany'
          : 'toOne'

/** A lazy relation is a promise. */
type AwaitedValue<Value> = Awaited<NonNullable<Value>>

type NoValue<Value> = Extract<Value | AwaitedValue<Value>, null | undefined>

type RelatedInstance<Value> =
  NonNullable<AwaitedValue<Value>> extends readonly (infer Member)[] ? Member : NonNullable<AwaitedValue<Value>>

/** TypeScript cannot tell classes of the same shape apart, so they share their names. */
type NameOf<Classes extends ResourceClassesByTypeName, Instance> =
  IsAny<Instance> extends true
    ? never
    : [Instance] extends [never]
      ? never
      : {
          [Type in keyof Classes & string]: [Instance] extends [InstanceType<Classes[Type]>]
            ? [InstanceType<Classes[Type]>] extends [Instance]
              ? Type
              : never
            : never
        }[keyof Classes & string]

type BasesOf<Classes extends ResourceClassesByTypeName, Type extends keyof Classes> = {
  [Other in keyof Classes & string]: InstanceType<Classes[Type]> extends InstanceType<Classes[Other]> ? Other : never
}[keyof Classes & string]

type ConcreteName<Classes extends ResourceClassesByTypeName, Type extends keyof Classes> = Classes[Type] extends new (
  ...parameters: never[]
) => object
  ? Type
  : never

/** The JSON type of a value. */
type JsonOf<Value> =
  IsAny<Value> extends true
    ? unknown
    : Value extends Date | bigint | Uint8Array
      ? string
      : Value extends (...parameters: never[]) => unknown
        ? never
        : Value extends undefined
          ? null
          : Value extends readonly (infer Member)[]
            ? readonly JsonOf<Member>[]
            : Value extends object
              ? { readonly [Name in keyof Value as Value[Name] extends AnyMethod ? never : Name]: JsonOf<Value[Name]> }
              : Value

type AnyMethod = (...parameters: never[]) => unknown

type IsAny<Value> = 0 extends 1 & Value ? true : false

/** TypeScript ignores `readonly` in assignability but not in identity, so this compares for identity. */
type ReadonlyKey<Instance> = {
  [Name in keyof Instance]-?: Identical<Pick<Instance, Name>, Readonly<Pick<Instance, Name>>> extends true
    ? Name
    : never
}[keyof Instance]

type Identical<One, Other> =
  (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : false
