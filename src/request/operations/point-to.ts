import type { Pointer } from '../../document/pointer'
import { JsonApiError } from '../../errors/json-api-error'

/** Runs a reader whose mistakes are at one place of the document, whether or not it knows that. */
export function readAt<Value>(pointer: Pointer, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw withPointer(pointer, error)
  }
}

/** A mistake that tells no place is at this one. */
function withPointer(pointer: Pointer, error: unknown): unknown {
  if (!(error instanceof JsonApiError)) return error
  return new JsonApiError(error.errors.map((each) => ({ source: { pointer }, ...each })))
}
