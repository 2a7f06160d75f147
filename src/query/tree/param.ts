/**
 * A value that no SQL text depends on. The cache key of a statement leaves it out, and each execution binds its own.
 * Every value that is not marked so is a part of the key: a missing mark costs a compilation, but mixes up no data.
 */
export class Param<Value> {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}
