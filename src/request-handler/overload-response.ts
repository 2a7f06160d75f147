import { clientError, JsonApiError } from '../errors/json-api-error'
import { toErrorResult } from '../response/to-error-document'
import type { HttpResponse } from './http-response'
import { toPlainResponse } from './plain-response'

/** What everybody is told for whom there is no time: made once, so that it takes none. */
export function toOverloadResponse(retryAfter: number): HttpResponse {
  return toPlainResponse({ ...toErrorResult(OVERLOADED), headers: { 'retry-after': String(retryAfter) } })
}

const OVERLOADED = new JsonApiError([
  clientError('server.overloaded', 'Nothing was done. Send it again after a while.'),
])
