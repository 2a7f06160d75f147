import { JsonApiError, problem } from '../errors/json-api-error'
import { toErrorReply } from '../response/to-error-document'
import type { HttpReply } from './exchange'
import { toPlainReply } from './plain-reply'

/** What everybody is told for whom there is no time: made once, so that it takes none. */
export function toOverloadReply(retryAfter: number): HttpReply {
  return toPlainReply({ ...toErrorReply(OVERLOADED), headers: { 'retry-after': String(retryAfter) } })
}

const OVERLOADED = new JsonApiError([problem('server.overloaded', 'Nothing was done. Send it again after a while.')])
