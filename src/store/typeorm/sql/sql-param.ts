import { Param } from '../../../query/tree/param'

/** A value that follows from parameters. A cached statement computes it from the parameters of the plan that it is executed for. */
export class ComputedParam<Value> {
  readonly sources: readonly Param<unknown>[]
  readonly compute: (...values: readonly unknown[]) => Value

  constructor(sources: readonly Param<unknown>[], compute: (...values: readonly unknown[]) => Value) {
    this.sources = sources
    this.compute = compute
  }
}

export type SqlParam<Value> = Param<Value> | ComputedParam<Value>

export function mapParam<Value, Made>(source: SqlParam<Value>, make: (value: Value) => Made): SqlParam<Made> {
  if (source instanceof Param) return new ComputedParam([source], (value) => make(value as Value))
  return new ComputedParam(source.sources, (...values) => make(source.compute(...values)))
}

export function sumParams(one: Param<number>, other: Param<number>, constant: number): SqlParam<number> {
  return new ComputedParam([one, other], (first, second) => (first as number) + (second as number) + constant)
}

/** Returns the value for the plan that is compiled. A text that depends on it needs it in its cache key. */
export function valueOfFirstExecution<Value>(source: SqlParam<Value>): Value {
  return source instanceof Param ? source.value : source.compute(...source.sources.map(({ value }) => value))
}
