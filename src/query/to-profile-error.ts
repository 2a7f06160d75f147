import { MAX_SIZE_EXCEEDED } from '../document/cursor-profile'
import { type ErrorDetails, JsonApiError } from '../errors/json-api-error'

/** Mistakes of pages as the profile of cursors has them. */
export function toProfileError(error: unknown): unknown {
  return error instanceof JsonApiError ? new JsonApiError(error.errors.map(withErrorType)) : error
}

function withErrorType(problem: ErrorDetails): ErrorDetails {
  return problem.meta?.page === undefined ? problem : { ...problem, links: { type: MAX_SIZE_EXCEEDED } }
}
