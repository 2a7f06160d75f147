import type { ResultObject } from '../document/document'
import { withPreference } from '../endpoints/prefer'
import type { Options } from '../graph/options'
import type { Operation } from '../request/intent'
import type { ReturnPreference } from '../request/read-preference'
import { NO_CONTENT, type Reply } from '../response/reply'

/** An operation, and what it would have been answered with if it had come alone. */
export interface Performed {
  readonly operation: Operation
  readonly reply: Reply
}

/** A result for each operation, unless there is nothing to tell of any. https://jsonapi.org/ext/atomic/#processing */
export function toResultsReply(
  performed: readonly Performed[],
  preference: ReturnPreference | undefined,
  options: Options,
): Reply {
  const isDue = preference === 'representation' || performed.some(({ reply }) => reply.document !== undefined)
  if (!isDue) return withPreference(NO_CONTENT, preference)
  const results = performed.map((each) => toResult(each, options))
  return withPreference({ status: 200, document: { 'atomic:results': results } }, preference)
}

/** The linkage of a relationship is never told: https://jsonapi.org/ext/atomic/#auto-id-updating-to-one-relationships */
function toResult({ operation: { intent }, reply: { document, token } }: Performed, { etags }: Options): ResultObject {
  const isOfResource = intent.kind === 'createResource' || intent.kind === 'updateResource'
  const data = isOfResource && document !== undefined && 'data' in document ? document.data : undefined
  const isVersionDue = etags !== 'off' && token !== undefined
  return {
    ...(data !== undefined && { data }),
    ...(isVersionDue && { meta: { version: token } }),
  }
}
