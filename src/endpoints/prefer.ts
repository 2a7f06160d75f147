import type { ReturnPreference } from '../request/read-preference'
import type { Reply } from '../response/reply'
import { EMPTY_DOCUMENT } from '../response/to-document'

/** The same answer, which says so if it is as the client prefers. https://www.rfc-editor.org/rfc/rfc7240#section-3 */
export function withPreference(reply: Reply, preference: ReturnPreference | undefined): Reply {
  if (preference === undefined || preference !== appliedIn(reply)) return reply
  const { status, headers, document, profiles, token } = reply
  return { status, headers: { 'preference-applied': `return=${preference}`, ...headers }, document, profiles, token }
}

/** A document that has nothing to show, as rules hide what was created, is neither. */
function appliedIn({ document }: Reply): ReturnPreference | undefined {
  if (document === undefined) return 'minimal'
  return document === EMPTY_DOCUMENT ? undefined : 'representation'
}
