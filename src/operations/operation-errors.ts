import { trimPointer } from '../document/pointer'
import { type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import type { Operation } from '../request/intent/intent'

/**
 * Points into the operation that fails, whatever is told by those who know nothing of operations: to the operation itself, where no place
 * is told. https://jsonapi.org/ext/atomic/#processing-errors
 */
export function toOperationError(error: unknown, operation: Operation, document: unknown): unknown {
  if (!(error instanceof JsonApiError)) return error
  return new JsonApiError(error.errors.map((each) => within(operation, document, each)))
}

function within({ pointer }: Operation, document: unknown, problem: ErrorDetails): ErrorDetails {
  const { source = { pointer } } = problem
  if (!('pointer' in source)) return problem
  const isWithin = source.pointer === pointer || source.pointer.startsWith(`${pointer}/`)
  return {
    ...problem,
    source: { pointer: isWithin ? source.pointer : trimPointer(pointer + source.pointer, document) },
  }
}
