import { MAX_SIZE_EXCEEDED } from '../document/cursor-profile'
import { JsonApiError, type Problem } from '../errors/json-api-error'

/** Mistakes of pages as the profile of cursors has them. */
export function asOfProfile(error: unknown): unknown {
  return error instanceof JsonApiError ? new JsonApiError(error.problems.map(typed)) : error
}

function typed(problem: Problem): Problem {
  return problem.meta?.page === undefined ? problem : { ...problem, links: { type: MAX_SIZE_EXCEEDED } }
}
