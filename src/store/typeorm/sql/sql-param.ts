import { Param } from '../../../query/tree/param'

/** A value that is computed from parameters. A cached statement computes it from the parameters of the plan that it is executed for. */
export class ComputedParam<Value> {
  readonly sources: readonly Param<unknown>[]
  readonly compute: (...values: readonly unknown[]) => Value

  constructor(sources: readonly Param<unknown>[], compute: (...values: readonly unknown[]) => Value) {
    this.sources = sources
    this.compute = compute
  }
}

export type ParamOrComputedParam<Value> = Param<Value> | ComputedParam<Value>

export function mapParam<Value, Result>(
  source: ParamOrComputedParam<Value>,
  map: (value: Value) => Result,
): ParamOrComputedParam<Result> {
  if (source instanceof Param) return new ComputedParam([source], (value) => map(value as Value))
  return new ComputedParam(source.sources, (...values) => map(source.compute(...values)))
}

export function createSumParam(
  left: Param<number>,
  right: Param<number>,
  constant: number,
): ParamOrComputedParam<number> {
  return new ComputedParam([left, right], (a, b) => (a as number) + (b as number) + constant)
}

/** Returns the value for the plan that is compiled. If the SQL text depends on it, the cache key of the statement must contain it. */
export function evaluateParamWhileCompiling<Value>(source: ParamOrComputedParam<Value>): Value {
  return source instanceof Param ? source.value : source.compute(...source.sources.map(({ value }) => value))
}
