/**
 * A bound value, on which the SQL text does not depend. The cache key of a statement leaves it out, so executions with other values share
 * the statement. All other values are part of the key: a value that is not wrapped costs a compilation, but never mixes up data.
 */
export class Param<Value> {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}
