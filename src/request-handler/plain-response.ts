import { printMediaType } from '../document/media-type'
import type { EndpointResult } from '../response/endpoint-result'
import { printDocument } from '../response/print-document'
import { type HttpResponse, NOTHING_APPLIED } from './http-response'

/** An answer that knows nothing of its request, and asks the application for nothing. */
export function toPlainResponse({ status, headers, document }: EndpointResult): HttpResponse {
  const nothing = { applied: NOTHING_APPLIED, links: undefined, meta: undefined }
  return {
    status,
    headers: { vary: 'Accept', 'content-type': printMediaType(NOTHING_APPLIED), ...headers },
    body: document === undefined ? undefined : Buffer.from([...printDocument(document, nothing).pieces].join('')),
  }
}
