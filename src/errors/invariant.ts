/** Thrown for an error of this library. The client sees a plain 500. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Closes a `switch` over a union: a missing case does not compile. */
export function assertNever(value: never): never {
  throw new InvariantError(`Unexpected value: ${JSON.stringify(value)}`)
}
