import { printMediaType } from '../document/media-type'
import { JsonApiError, problem } from '../errors/json-api-error'
import { printDocument } from '../response/print-document'
import { toErrorReply } from '../response/to-error-document'
import { type HttpReply, NOTHING_APPLIED } from './exchange'

/** What everybody is told for whom there is no time: made once, so that it takes none. It knows nothing of the request that it answers. */
export function toOverloadReply(retryAfter: number): HttpReply {
  const { status, document } = toErrorReply(OVERLOADED)
  const nothing = { applied: NOTHING_APPLIED, links: undefined, meta: undefined }
  return {
    status,
    headers: { vary: 'Accept', 'content-type': printMediaType(NOTHING_APPLIED), 'retry-after': String(retryAfter) },
    body: document === undefined ? undefined : Buffer.from([...printDocument(document, nothing).pieces].join('')),
  }
}

const OVERLOADED = new JsonApiError([problem('server.overloaded', 'Nothing was done. Send it again after a while.')])
