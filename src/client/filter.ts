import type { ApiSchema, ResourceTypeName } from './api'
import type {
  FieldPathWithKnownFirstField,
  PathOrCompilerSuggestion,
  QueriedType,
  ToManyNameIn,
  ToOneNameIn,
  TypeAtToManyPath,
  TypeAtToOnePath,
  ValueAtPath,
} from './paths'

declare const scope: unique symbol
declare const compared: unique symbol
/** Marks the results of `attributeRef`, so that an object of a user, such as parsed JSON, is never taken for one. */
const REFERENCE: unique symbol = Symbol('attributeRef')

/**
 * A filter for resources of a type. Its type follows from where you use it. Declare it if you store the filter in a constant: `const
 * adults: FilterExpression<QueriedType<Api, 'humans'>> = greaterThan('age', 17)`.
 */
export interface FilterExpression<S extends QueriedType = QueriedType> {
  /** The filter in the query language. */
  readonly text: string
  readonly [scope]?: S
}

/** An attribute on the right side of a comparison. */
export interface AttributeReference<S extends QueriedType = QueriedType, Value = unknown> {
  readonly attributeRef: string
  readonly [REFERENCE]: true
  readonly [scope]?: S
  readonly [compared]?: Value
}

/** Builds an equality: `equals('name', 'Ada')`, `equals('father.name', 'Ada')`, `equals('count(children)', 2)`, `equals('father', null)`. */
export function equals<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S> | ToOneNameIn<S>>(
  path: Path & CheckedOrToOne<S, Path>,
  value: Comparable<ValueOrNull<S, Path>> | AttributeReference<S, NonNullable<ValueAtPath<S, Path>>>,
): FilterExpression<S> {
  return call('equals', path, print(value))
}

/** Builds a comparison: `lessThan('born', new Date())`. */
export function lessThan<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
  value: Ordered<S, Path>,
): FilterExpression<S> {
  return call('lessThan', path, print(value))
}

/** Builds a comparison: `lessOrEqual('age', 17)`. */
export function lessOrEqual<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
  value: Ordered<S, Path>,
): FilterExpression<S> {
  return call('lessOrEqual', path, print(value))
}

/** Builds a comparison: `greaterThan('count(children)', 1)`. */
export function greaterThan<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
  value: Ordered<S, Path>,
): FilterExpression<S> {
  return call('greaterThan', path, print(value))
}

/** Builds a comparison: `greaterOrEqual('name', attributeRef('father.name'))`. */
export function greaterOrEqual<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
  value: Ordered<S, Path>,
): FilterExpression<S> {
  return call('greaterOrEqual', path, print(value))
}

/** Builds a case-sensitive search: `contains('name', 'ar')`. */
export function contains<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): FilterExpression<S> {
  return call('contains', path, print(text))
}

/** Builds a case-sensitive search: `startsWith('name', 'Ar')`. */
export function startsWith<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): FilterExpression<S> {
  return call('startsWith', path, print(text))
}

/** Builds a case-sensitive search: `endsWith('name', 'hur')`. */
export function endsWith<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): FilterExpression<S> {
  return call('endsWith', path, print(text))
}

/** Builds a membership test: `any('name', ['Ada', 'Bea'])`. Needs at least one value. */
export function any<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
  values: readonly [Comparable<NonNullable<ValueAtPath<S, Path>>>, ...Comparable<NonNullable<ValueAtPath<S, Path>>>[]],
): FilterExpression<S> {
  return call('any', path, ...values.map(print))
}

/** Tests for related resources: `has('children')`, `has('children', equals('name', 'Karen'))`. */
export function has<S extends QueriedType, const Path extends ToManyNameIn<S> | `${ToOneNameIn<S>}.${string}`>(
  path: Path & ([TypeAtToManyPath<S, Path>] extends [never] ? ToManyNameIn<S> : Path),
  filter?: FilterExpression<QueriedType<S['api'], TypeAtToManyPath<S, Path>>>,
): FilterExpression<S> {
  return call('has', path, ...(filter === undefined ? [] : [filter.text]))
}

/** Tests for a derived type: `isType('women', equals('maidenName', 'Hill'))`. */
export function isType<S extends QueriedType, const Type extends Derived<S['api'], S['type']>>(
  type: Type,
  filter?: FilterExpression<QueriedType<S['api'], Type>>,
): FilterExpression<S> {
  return call('isType', '', type, ...(filter === undefined ? [] : [filter.text]))
}

/** Tests for a derived type of a related resource: `relatedIsType('bestFriend', 'men', equals('hasBeard', true))`. */
export function relatedIsType<
  S extends QueriedType,
  const Path extends ToOneNameIn<S> | `${ToOneNameIn<S>}.${string}`,
  const Type extends Derived<S['api'], TypeAtToOnePath<S, Path>>,
>(
  path: Path & ([TypeAtToOnePath<S, Path>] extends [never] ? ToOneNameIn<S> : Path),
  type: Type,
  filter?: FilterExpression<QueriedType<S['api'], Type>>,
): FilterExpression<S> {
  return call('isType', path, type, ...(filter === undefined ? [] : [filter.text]))
}

/** Combines filters that all must match. A single filter is returned as it is. */
export function and<S extends QueriedType>(
  ...filters: readonly [FilterExpression<S>, ...FilterExpression<S>[]]
): FilterExpression<S> {
  return joined('and', filters)
}

/** Combines filters of which at least one must match. A single filter is returned as it is. */
export function or<S extends QueriedType>(
  ...filters: readonly [FilterExpression<S>, ...FilterExpression<S>[]]
): FilterExpression<S> {
  return joined('or', filters)
}

/** Negates a filter. A comparison with null is false, so its negation is true. */
export function not<S extends QueriedType>(filter: FilterExpression<S>): FilterExpression<S> {
  return call('not', filter.text)
}

/** Refers to an attribute on the right side of a comparison: `equals('name', attributeRef('father.name'))`. */
export function attributeRef<S extends QueriedType, const Path extends FieldPathWithKnownFirstField<S>>(
  path: Path & PathOrCompilerSuggestion<S, Path>,
): AttributeReference<S, NonNullable<ValueAtPath<S, Path>>> {
  return { attributeRef: path, [REFERENCE]: true }
}

/** Returns a filter in the query language as it is, without type checks, for functions of the application. */
export function rawFilter<S extends QueriedType>(text: string): FilterExpression<S> {
  return { text }
}

/** An attribute that is a `Date` on the server is a string here, and accepts dates. */
type Comparable<Value> = Value extends object ? never : string extends Value ? Value | Date : Value

type Ordered<S extends QueriedType, Path extends string> =
  | Comparable<OrderedValue<S, Path>>
  | AttributeReference<S, OrderedValue<S, Path>>

/** Booleans have no order. */
type OrderedValue<S extends QueriedType, Path extends string> = Exclude<NonNullable<ValueAtPath<S, Path>>, boolean>

type ValueOrNull<S extends QueriedType, Path extends string> = [TypeAtToOnePath<S, Path>] extends [never]
  ? ValueAtPath<S, Path>
  : null

type CheckedOrToOne<S extends QueriedType, Path extends string> = [TypeAtToOnePath<S, Path>] extends [never]
  ? PathOrCompilerSuggestion<S, Path>
  : Path

type CheckedText<S extends QueriedType, Path extends string> =
  NonNullable<ValueAtPath<S, Path>> extends string ? PathOrCompilerSuggestion<S, Path> : never

/** A derived type. */
type Derived<Api extends ApiSchema, Type extends ResourceTypeName<Api>> = {
  [Other in ResourceTypeName<Api>]: Other extends Type ? never : [Type] extends [Api[Other]['bases']] ? Other : never
}[ResourceTypeName<Api>]

function call(name: string, ...parameters: readonly string[]): FilterExpression<never> {
  return { text: `${name}(${parameters.join(',')})` }
}

function joined(name: string, filters: readonly FilterExpression[]): FilterExpression<never> {
  const [first, ...others] = filters
  if (first !== undefined && others.length === 0) return { text: first.text }
  return call(name, ...filters.map(({ text }) => text))
}

function print(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object' && REFERENCE in value) return (value as AttributeReference).attributeRef
  const isDate = value instanceof Date
  if (!isPrintable(isDate ? value.getTime() : value)) {
    const found = isDate || typeof value === 'number' ? value : `a value of type ${typeof value}`
    throw new TypeError(`A filter got ${found}. Give it a string, a finite number, a boolean, a valid Date or null.`)
  }
  return `'${(isDate ? value.toISOString() : String(value)).replaceAll("'", "''")}'`
}

function isPrintable(value: unknown): boolean {
  return ['string', 'bigint', 'boolean'].includes(typeof value) || Number.isFinite(value)
}
