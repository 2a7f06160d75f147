import type { Resources, TypeName } from './api'
import type { Checked, PathStart, Scope, ToManyOf, ToManyTarget, ToOneOf, ToOneTarget, ValueOf } from './paths'

declare const scope: unique symbol
declare const compared: unique symbol

/**
 * A filter for resources of a type, as a value. Which type that is follows from the place where it stands; one in a constant of its own
 * says it: `const adults: Filter<Scope<Api, 'humans'>> = greaterThan('age', 17)`.
 */
export interface Filter<S extends Scope = Scope> {
  /** In the query language. */
  readonly text: string
  readonly [scope]?: S
}

/** An attribute on the right side of a comparison. */
export interface Operand<S extends Scope = Scope, Value = unknown> {
  readonly attribute: string
  readonly [scope]?: S
  readonly [compared]?: Value
}

/** `equals('name', 'Ada')`, `equals('father.name', 'Ada')`, `equals('count(children)', 2)`, `equals('father', null)`. */
export function equals<S extends Scope, const Path extends PathStart<S> | ToOneOf<S>>(
  path: Path & CheckedOrToOne<S, Path>,
  value: Comparable<ValueOrNull<S, Path>> | Operand<S, NonNullable<ValueOf<S, Path>>>,
): Filter<S> {
  return call('equals', path, print(value))
}

/** `lessThan('born', new Date())` */
export function lessThan<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
  value: Ordered<S, Path>,
): Filter<S> {
  return call('lessThan', path, print(value))
}

/** `lessOrEqual('age', 17)` */
export function lessOrEqual<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
  value: Ordered<S, Path>,
): Filter<S> {
  return call('lessOrEqual', path, print(value))
}

/** `greaterThan('count(children)', 1)` */
export function greaterThan<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
  value: Ordered<S, Path>,
): Filter<S> {
  return call('greaterThan', path, print(value))
}

/** `greaterOrEqual('name', attribute('father.name'))` */
export function greaterOrEqual<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
  value: Ordered<S, Path>,
): Filter<S> {
  return call('greaterOrEqual', path, print(value))
}

/** `contains('name', 'ar')`: with its case. */
export function contains<S extends Scope, const Path extends PathStart<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): Filter<S> {
  return call('contains', path, print(text))
}

/** `startsWith('name', 'Ar')`: with its case. */
export function startsWith<S extends Scope, const Path extends PathStart<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): Filter<S> {
  return call('startsWith', path, print(text))
}

/** `endsWith('name', 'hur')`: with its case. */
export function endsWith<S extends Scope, const Path extends PathStart<S>>(
  path: Path & CheckedText<S, Path>,
  text: string,
): Filter<S> {
  return call('endsWith', path, print(text))
}

/** `any('name', ['Ada', 'Bea'])`: one of these, of which there is at least one. */
export function any<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
  values: readonly [Comparable<NonNullable<ValueOf<S, Path>>>, ...Comparable<NonNullable<ValueOf<S, Path>>>[]],
): Filter<S> {
  return call('any', path, ...values.map(print))
}

/** `has('children')`, `has('children', equals('name', 'Karen'))` */
export function has<S extends Scope, const Path extends ToManyOf<S> | `${ToOneOf<S>}.${string}`>(
  path: Path & ([ToManyTarget<S, Path>] extends [never] ? ToManyOf<S> : Path),
  filter?: Filter<Scope<S['api'], ToManyTarget<S, Path>>>,
): Filter<S> {
  return call('has', path, ...(filter === undefined ? [] : [filter.text]))
}

/** The resource itself is of a derived type: `isType('women', equals('maidenName', 'Hill'))`. */
export function isType<S extends Scope, const Type extends Derived<S['api'], S['type']>>(
  type: Type,
  filter?: Filter<Scope<S['api'], Type>>,
): Filter<S> {
  return call('isType', '', type, ...(filter === undefined ? [] : [filter.text]))
}

/** What a to-one relationship leads to is of a derived type: `relatedIsType('bestFriend', 'men', equals('hasBeard', true))`. */
export function relatedIsType<
  S extends Scope,
  const Path extends ToOneOf<S> | `${ToOneOf<S>}.${string}`,
  const Type extends Derived<S['api'], ToOneTarget<S, Path>>,
>(
  path: Path & ([ToOneTarget<S, Path>] extends [never] ? ToOneOf<S> : Path),
  type: Type,
  filter?: Filter<Scope<S['api'], Type>>,
): Filter<S> {
  return call('isType', path, type, ...(filter === undefined ? [] : [filter.text]))
}

/** All of them. One alone is itself. */
export function and<S extends Scope>(...filters: readonly [Filter<S>, ...Filter<S>[]]): Filter<S> {
  return joined('and', filters)
}

/** One of them at least. One alone is itself. */
export function or<S extends Scope>(...filters: readonly [Filter<S>, ...Filter<S>[]]): Filter<S> {
  return joined('or', filters)
}

/** Also where the filter compares with null, and so is neither true nor false. */
export function not<S extends Scope>(filter: Filter<S>): Filter<S> {
  return call('not', filter.text)
}

/** For the right side of a comparison: `equals('name', attribute('father.name'))`. */
export function attribute<S extends Scope, const Path extends PathStart<S>>(
  path: Path & Checked<S, Path>,
): Operand<S, NonNullable<ValueOf<S, Path>>> {
  return { attribute: path }
}

/** A filter in the query language that nobody checks before the server does, for functions of the application. */
export function unchecked<S extends Scope>(text: string): Filter<S> {
  return { text }
}

/** Text that dates, too, are written as: an attribute that is a `Date` on the server is a string here. */
type Comparable<Value> = Value extends object ? never : string extends Value ? Value | Date : Value

type Ordered<S extends Scope, Path extends string> =
  | Comparable<OrderedValue<S, Path>>
  | Operand<S, OrderedValue<S, Path>>

/** Booleans have no order. */
type OrderedValue<S extends Scope, Path extends string> = Exclude<NonNullable<ValueOf<S, Path>>, boolean>

type ValueOrNull<S extends Scope, Path extends string> = [ToOneTarget<S, Path>] extends [never]
  ? ValueOf<S, Path>
  : null

type CheckedOrToOne<S extends Scope, Path extends string> = [ToOneTarget<S, Path>] extends [never]
  ? Checked<S, Path>
  : Path

type CheckedText<S extends Scope, Path extends string> =
  NonNullable<ValueOf<S, Path>> extends string ? Checked<S, Path> : never

/** A type that is below. */
type Derived<Api extends Resources, Type extends TypeName<Api>> = {
  [Other in TypeName<Api>]: Other extends Type ? never : [Type] extends [Api[Other]['bases']] ? Other : never
}[TypeName<Api>]

function call(name: string, ...parameters: readonly string[]): Filter<never> {
  return { text: `${name}(${parameters.join(',')})` }
}

function joined(name: string, filters: readonly Filter[]): Filter<never> {
  const [first, ...others] = filters
  if (first !== undefined && others.length === 0) return { text: first.text }
  return call(name, ...filters.map(({ text }) => text))
}

function print(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return print(value.toISOString())
  if (typeof value === 'object') return (value as Operand).attribute
  return `'${String(value).replaceAll("'", "''")}'`
}
