import { printMediaType } from '../document/media-type'
import { printDocument } from '../response/print-document'
import type { Reply } from '../response/reply'
import { type HttpReply, NOTHING_APPLIED } from './exchange'

/** An answer that knows nothing of its request, and asks the application for nothing. */
export function toPlainReply({ status, headers, document }: Reply): HttpReply {
  const nothing = { applied: NOTHING_APPLIED, links: undefined, meta: undefined }
  return {
    status,
    headers: { vary: 'Accept', 'content-type': printMediaType(NOTHING_APPLIED), ...headers },
    body: document === undefined ? undefined : Buffer.from([...printDocument(document, nothing).pieces].join('')),
  }
}
