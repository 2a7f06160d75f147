import type { AnyKey, ApiSchema, StoredOf, TargetOf, ToManyName, ToOneName, TypeName, ValueAt } from './api'

/** The API and the resource types that a filter or sort key applies to. */
export interface FilterScope<Api extends ApiSchema = ApiSchema, Type extends TypeName<Api> = TypeName<Api>> {
  readonly api: Api
  readonly type: Type
}

/** The beginnings of paths, for completion in editors. `CheckedPath` checks the rest. */
export type PathStart<S extends FilterScope> =
  | 'id'
  | AttributeName<S>
  | `${ToOneOf<S> | ObjectName<S>}.${string}`
  | `count(${ToManyOf<S>})`
  | `count(${ToOneOf<S>}.${string})`

/** The path itself if it leads to a value, otherwise the valid alternatives for the compiler's message. */
export type CheckedPath<S extends FilterScope, Path extends string> = [ValueOf<S, Path>] extends [never]
  ? PathSuggestion<S, Path>
  : Path

/** The value type at the end of a path of attributes or of a count; `never` if the path is invalid. */
export type ValueOf<S extends FilterScope, Path extends string> = Path extends `count(${infer Counted})`
  ? [ToManyTarget<S, Counted>] extends [never]
    ? never
    : number
  : Path extends 'id'
    ? string
    : Path extends AttributeName<S>
      ? AttributeAt<S, Path>
      : Path extends `${infer First}.${infer Rest}`
        ? First extends ToOneOf<S>
          ? OrNull<ValueOf<RelatedScope<S, First>, Rest>>
          : First extends AttributeName<S>
            ? MemberAt<AttributeAt<S, First>, Rest>
            : never
        : never

/** The types at the end of a path of to-one relationships and a to-many one; `never` if the path is invalid. */
export type ToManyTarget<S extends FilterScope, Path extends string> = PathTarget<S, Path, 'toMany'>

/** The types at the end of a path of to-one relationships; `never` if the path is invalid. */
export type ToOneTarget<S extends FilterScope, Path extends string> = PathTarget<S, Path, 'toOne'>

type PathTarget<
  S extends FilterScope,
  Path extends string,
  Last extends 'toOne' | 'toMany',
> = Path extends keyof S['api'][S['type']][Last]
  ? TargetOf<S['api'], S['type'], Path>
  : Path extends `${infer First}.${infer Rest}`
    ? First extends ToOneOf<S>
      ? PathTarget<RelatedScope<S, First>, Rest, Last>
      : never
    : never

export type ToOneOf<S extends FilterScope> = ToOneName<S['api'], S['type']>
export type ToManyOf<S extends FilterScope> = ToManyName<S['api'], S['type']>

/** The scope of the related type. */
export type RelatedScope<S extends FilterScope, Name> = FilterScope<S['api'], TargetOf<S['api'], S['type'], Name>>

/** The valid sort keys: attributes and counts of any stored type. `men:age` names the type if several have the attribute. */
export type SortPath<S extends FilterScope> = SortPathOf<S['api'], StoredOf<S['api'], S['type']>>

type SortPathOf<Api extends ApiSchema, Type extends TypeName<Api>> = Type extends unknown
  ? PathStart<FilterScope<Api, Type>> | `${Type}:${PathStart<FilterScope<Api, Type>>}`
  : never

/** The path itself if it leads to a value of any stored type, otherwise the valid alternatives. */
export type CheckedSortPath<S extends FilterScope, Path extends string> = [
  ValueOfAny<S['api'], StoredOf<S['api'], S['type']>, Path>,
] extends [never]
  ? OfferOfAny<S['api'], StoredOf<S['api'], S['type']>, Path>
  : Path

type ValueOfAny<Api extends ApiSchema, Type extends TypeName<Api>, Path extends string> = Type extends unknown
  ? ValueOf<FilterScope<Api, Type>, WithoutType<Type, Path>>
  : never

type OfferOfAny<Api extends ApiSchema, Type extends TypeName<Api>, Path extends string> = Type extends unknown
  ? PathSuggestion<FilterScope<Api, Type>, WithoutType<Type, Path>>
  : never

type WithoutType<Type extends string, Path extends string> = Path extends `${Type}:${infer Rest}` ? Rest : Path

type OrNull<Value> = [Value] extends [never] ? never : Value | null

type AttributeName<S extends FilterScope> = keyof S['api'][S['type']]['attributes'] & string
type AttributeAt<S extends FilterScope, Name> = ValueAt<S['api'][S['type']]['attributes'], Name>

/** Attributes with members, which a path can continue into. */
type ObjectName<S extends FilterScope> = {
  [Name in AttributeName<S>]: NonNullable<AttributeAt<S, Name>> extends readonly unknown[]
    ? never
    : NonNullable<AttributeAt<S, Name>> extends object
      ? Name
      : never
}[AttributeName<S>]

type MemberAt<Value, Path extends string> =
  Path extends AnyKey<NonNullable<Value>>
    ? ValueAt<NonNullable<Value>, Path>
    : Path extends `${infer First}.${infer Rest}`
      ? First extends AnyKey<NonNullable<Value>>
        ? MemberAt<ValueAt<NonNullable<Value>, First>, Rest>
        : never
      : never

type PathSuggestion<S extends FilterScope, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? First extends ToOneOf<S>
    ? `${First}.${PathSuggestion<RelatedScope<S, First>, Rest>}`
    : PathStart<S>
  : PathStart<S>
