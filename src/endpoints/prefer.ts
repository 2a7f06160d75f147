import type { ReturnPreference } from '../request/http/read-preference'
import type { EndpointResult } from '../response/endpoint-result'
import { EMPTY_DOCUMENT } from '../response/to-document'

/** The same answer, which says so if it is as the client prefers. https://www.rfc-editor.org/rfc/rfc7240#section-3 */
export function withPreference(reply: EndpointResult, preference: ReturnPreference | undefined): EndpointResult {
  if (preference === undefined || preference !== appliedIn(reply)) return reply
  const { status, headers, document, profiles, revisionToken } = reply
  return {
    status,
    headers: { 'preference-applied': `return=${preference}`, ...headers },
    document,
    profiles,
    revisionToken,
  }
}

/** A document that has nothing to show, as rules hide what was created, is neither. */
function appliedIn({ document }: EndpointResult): ReturnPreference | undefined {
  if (document === undefined) return 'minimal'
  return document === EMPTY_DOCUMENT ? undefined : 'representation'
}
