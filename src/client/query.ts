import type { FieldName, Resources, StoredOf, TargetOf, ToManyName, ToOneName, TypeName } from './api'
import type { FilterExpression } from './filter'
import type { FilterScope } from './paths'
import type { SortKey } from './sort'

/** Which resources of many, and in what order. */
export interface ListOptions<S extends FilterScope> {
  readonly filter?: FilterExpression<S>
  readonly sort?: readonly SortKey<S>[]
}

/** From 1 on. Default: the first page, of the size that the server chooses. */
export interface PageNumberParams {
  readonly size?: number
  readonly number?: number
}

/** A page that starts behind a cursor; `'start'` is before the first one. It stays where it is when rows come and go. */
export interface CursorParams {
  readonly size?: number
  readonly after: string
}

/** What may be included of a type: relationships of all types that its resources can have. */
export type IncludeOf<Api extends Resources, Type extends TypeName<Api>> = IncludeOfStored<Api, StoredOf<Api, Type>>

type IncludeOfStored<Api extends Resources, Stored extends TypeName<Api>> = {
  readonly [Name in AnyToOne<Api, Stored>]?: true | IncludedOne<Api, TargetOf<Api, Stored, Name>>
} & {
  readonly [Name in AnyToMany<Api, Stored>]?: true | IncludedMany<Api, TargetOf<Api, Stored, Name>>
}

interface IncludedOne<Api extends Resources, Type extends TypeName<Api>> {
  readonly include?: IncludeOf<Api, Type>
}

interface IncludedMany<Api extends Resources, Type extends TypeName<Api>>
  extends IncludedOne<Api, Type>,
    ListOptions<FilterScope<Api, Type>> {
  readonly page?: PageNumberParams
}

type AnyToOne<Api extends Resources, Type extends TypeName<Api>> = Type extends unknown ? ToOneName<Api, Type> : never
type AnyToMany<Api extends Resources, Type extends TypeName<Api>> = Type extends unknown ? ToManyName<Api, Type> : never

/**
 * A type parameter takes objects with members that its bound does not know: these make them mistakes. To intersect `Include` with a type
 * of all that is right would do the same; for 20 types in circles `tsc` took 4.5 s with it, and takes 0.8 s.
 */
export type Exact<Api extends Resources, Type extends TypeName<Api>, Include> = [Unknown<Api, Type, Include>] extends [
  never,
]
  ? unknown
  : { readonly [_ in Unknown<Api, Type, Include>]: never }

type Unknown<Api extends Resources, Type extends TypeName<Api>, Include> = {
  [Name in keyof Include]-?: Name extends keyof IncludeOf<Api, Type>
    ? UnknownOf<Api, TargetOf<Api, StoredOf<Api, Type>, Name>, Include[Name]>
    : Name
}[keyof Include]

type UnknownOf<Api extends Resources, Type extends TypeName<Api>, Node> = Node extends true
  ? never
  :
      | Exclude<keyof Node, 'include' | 'filter' | 'sort' | 'page'>
      | (Node extends { readonly include: infer Inner } ? Unknown<Api, Type, Inner> : never)

export type FieldsOf<Api extends Resources> = {
  readonly [Type in TypeName<Api>]?: readonly FieldName<Api, Type>[]
}

export type ExactFields<Api extends Resources, Fields> = {
  readonly [Type in keyof Fields]: Type extends TypeName<Api> ? Fields[Type] : never
}
