import type { ReturnPreference } from '../request/read-preference'
import type { Reply } from '../response/reply'

/** The same answer, which says so if it is as the client prefers. https://www.rfc-editor.org/rfc/rfc7240#section-3 */
export function withPreference(reply: Reply, preference: ReturnPreference | undefined): Reply {
  const applied: ReturnPreference = reply.document === undefined ? 'minimal' : 'representation'
  if (preference !== applied) return reply
  const { status, headers, document, profiles, token } = reply
  return { status, headers: { 'preference-applied': `return=${preference}`, ...headers }, document, profiles, token }
}
