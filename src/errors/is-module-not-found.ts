/**
 * Returns true if `require` found no such module. Does not use `instanceof`: the error of Jest's `require` belongs to another realm, so it is no
 * instance of the `Error` here.
 */
export function isModuleNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'MODULE_NOT_FOUND'
}
