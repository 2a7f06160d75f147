import type {
  ApiSchema,
  KeyOfUnion,
  RelatedTypeNameOf,
  ResourceTypeName,
  StoredResourceTypeName,
  ToManyName,
  ToOneName,
  ValueAtKey,
} from './api'

/** The API and the resource types that a filter or sort key applies to. */
export interface QueriedType<
  Api extends ApiSchema = ApiSchema,
  Type extends ResourceTypeName<Api> = ResourceTypeName<Api>,
> {
  readonly api: Api
  readonly type: Type
}

/** The beginnings of paths, for completion in editors. `PathOrCompilerSuggestion` checks the rest. */
export type FieldPathWithKnownFirstField<S extends QueriedType> = string extends S['type']
  ? 'id' | UnknownTypeMessage
  : PathBeginning<S>

type PathBeginning<S extends QueriedType, Prefix extends string = ''> =
  | `${Prefix}${'id' | AttributeName<S>}`
  | `${Prefix}${ToOneNameIn<S> | ObjectName<S>}.${string}`
  | `count(${Prefix}${ToManyNameIn<S>})`
  | `count(${Prefix}${ToOneNameIn<S>}.${string})`

/** The compiler shows it as the path that it expects, where neither a client nor a declared type says what is queried. */
type UnknownTypeMessage =
  'In a rule, import from stemma, not from stemma/client. In a client, declare the type of the filter.'

/** The path itself if it leads to a value, otherwise the valid alternatives for the compiler's message. */
export type PathOrCompilerSuggestion<S extends QueriedType, Path extends string> = [ValueAtPath<S, Path>] extends [
  never,
]
  ? PathSuggestion<S, Path>
  : Path

/** The value type at the end of a path of attributes or of a count; `never` if the path is invalid. */
export type ValueAtPath<S extends QueriedType, Path extends string> = Path extends `count(${infer Counted})`
  ? [TypeAtToManyPath<S, Counted>] extends [never]
    ? never
    : number
  : Path extends 'id'
    ? string
    : Path extends AttributeName<S>
      ? AttributeAt<S, Path>
      : Path extends `${infer First}.${infer Rest}`
        ? First extends ToOneNameIn<S>
          ? OrNull<ValueAtPath<RelatedScope<S, First>, Rest>>
          : First extends AttributeName<S>
            ? MemberAt<AttributeAt<S, First>, Rest>
            : never
        : never

/** The types at the end of a path of to-one relationships and a to-many one; `never` if the path is invalid. */
export type TypeAtToManyPath<S extends QueriedType, Path extends string> = PathTarget<S, Path, 'toMany'>

/** The types at the end of a path of to-one relationships; `never` if the path is invalid. */
export type TypeAtToOnePath<S extends QueriedType, Path extends string> = PathTarget<S, Path, 'toOne'>

type PathTarget<
  S extends QueriedType,
  Path extends string,
  Last extends 'toOne' | 'toMany',
> = Path extends keyof S['api'][S['type']][Last]
  ? RelatedTypeNameOf<S['api'], S['type'], Path>
  : Path extends `${infer First}.${infer Rest}`
    ? First extends ToOneNameIn<S>
      ? PathTarget<RelatedScope<S, First>, Rest, Last>
      : never
    : never

export type ToOneNameIn<S extends QueriedType> = ToOneName<S['api'], S['type']>
export type ToManyNameIn<S extends QueriedType> = ToManyName<S['api'], S['type']>

/** The scope of the related type. */
type RelatedScope<S extends QueriedType, Name> = QueriedType<S['api'], RelatedTypeNameOf<S['api'], S['type'], Name>>

/** The valid sort keys: attributes and counts of any stored type. `men:age` and `count(men:pets)` name the type if several have the field. */
export type SortPath<S extends QueriedType> = SortPathOf<S['api'], StoredResourceTypeName<S['api'], S['type']>>

type SortPathOf<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = Type extends unknown
  ? FieldPathWithKnownFirstField<QueriedType<Api, Type>> | PathBeginning<QueriedType<Api, Type>, `${Type}:`>
  : never

/** The path itself if it leads to a value of any stored type, otherwise the valid alternatives. */
export type SortPathOrCompilerSuggestion<S extends QueriedType, Path extends string> = [
  ValueOfAny<S['api'], StoredResourceTypeName<S['api'], S['type']>, Path>,
] extends [never]
  ? OfferOfAny<S['api'], StoredResourceTypeName<S['api'], S['type']>, Path>
  : Path

type ValueOfAny<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Path extends string> = Type extends unknown
  ? ValueAtPath<QueriedType<Api, Type>, WithoutType<Type, Path>>
  : never

type OfferOfAny<Api extends ApiSchema, Type extends ResourceTypeName<Api>, Path extends string> = Type extends unknown
  ? PathSuggestion<QueriedType<Api, Type>, WithoutType<Type, Path>>
  : never

type WithoutType<Type extends string, Path extends string> = Path extends `count(${Type}:${infer Rest}`
  ? `count(${Rest}`
  : Path extends `${Type}:${infer Rest}`
    ? Exclude<Rest, `count(${string}`>
    : Path

type OrNull<Value> = [Value] extends [never] ? never : Value | null

type AttributeName<S extends QueriedType> = keyof S['api'][S['type']]['attributes'] & string
type AttributeAt<S extends QueriedType, Name> = ValueAtKey<S['api'][S['type']]['attributes'], Name>

/** Attributes with members, which a path can continue into. */
type ObjectName<S extends QueriedType> = {
  [Name in AttributeName<S>]: NonNullable<AttributeAt<S, Name>> extends readonly unknown[]
    ? never
    : NonNullable<AttributeAt<S, Name>> extends object
      ? Name
      : never
}[AttributeName<S>]

type MemberAt<Value, Path extends string> =
  Path extends KeyOfUnion<NonNullable<Value>>
    ? ValueAtKey<NonNullable<Value>, Path>
    : Path extends `${infer First}.${infer Rest}`
      ? First extends KeyOfUnion<NonNullable<Value>>
        ? MemberAt<ValueAtKey<NonNullable<Value>, First>, Rest>
        : never
      : never

type PathSuggestion<S extends QueriedType, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? First extends ToOneNameIn<S>
    ? `${First}.${PathSuggestion<RelatedScope<S, First>, Rest>}`
    : FieldPathWithKnownFirstField<S>
  : FieldPathWithKnownFirstField<S>
