import type { ResultObject } from '../document/document'
import { withPreference } from '../endpoints/prefer'
import type { Options } from '../graph/options/options'
import type { ReturnPreference } from '../request/http/read-preference'
import type { Operation } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'

/** An operation, and what it would have been answered with if it had come alone. */
export interface OperationResult {
  readonly operation: Operation
  readonly reply: EndpointResult
}

/** A result for each operation, unless there is nothing to tell of any. https://jsonapi.org/ext/atomic/#processing */
export function toOperationsResult(
  performed: readonly OperationResult[],
  preference: ReturnPreference | undefined,
  options: Options,
): EndpointResult {
  const isDue = preference === 'representation' || performed.some(({ reply }) => reply.document !== undefined)
  if (!isDue) return withPreference(NO_CONTENT, preference)
  const results = performed.map((each) => toResult(each, options))
  return withPreference({ status: 200, document: { 'atomic:results': results } }, preference)
}

/** The linkage of a relationship is never told: https://jsonapi.org/ext/atomic/#auto-id-updating-to-one-relationships */
function toResult(
  { operation: { intent }, reply: { document, revisionToken } }: OperationResult,
  { etags }: Options,
): ResultObject {
  const isOfResource = intent.kind === 'createResource' || intent.kind === 'updateResource'
  const data = isOfResource && document !== undefined && 'data' in document ? document.data : undefined
  const isVersionDue = etags !== false && revisionToken !== undefined
  return {
    ...(data !== undefined && { data }),
    ...(isVersionDue && { meta: { version: revisionToken } }),
  }
}
