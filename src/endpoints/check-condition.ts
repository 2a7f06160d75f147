import { JsonApiError, problem } from '../errors/json-api-error'
import type { Relationship } from '../graph/resource-graph'
import type { Condition } from '../request/read-condition'
import type { ResultRow } from '../store/read-result'
import type { Api } from './api'
import type { Looking } from './find-rights'
import { findLinkageState, toToken } from './states'

/**
 * Whether a row that is locked, or one of its relationships, is in a state for which the write is meant; the last thing before the rules
 * speak. https://www.rfc-editor.org/rfc/rfc9110#section-13.2.1
 */
export async function checkCondition(
  condition: Condition | undefined,
  row: ResultRow,
  relationship: Relationship | 'resource',
  { transaction }: Looking,
  api: Api,
): Promise<void> {
  if (condition === undefined) {
    if (row.type.ifMatch === 'required') throw missingCondition(row)
    return
  }
  if (condition.kind === 'any') return
  const state = relationship === 'resource' ? row : await findLinkageState(row, relationship, transaction)
  const token = toToken(state, api)
  if (token === undefined || !condition.tokens.has(token)) throw notMatched(row)
}

function missingCondition({ type, id }: ResultRow): JsonApiError {
  const detail = `Say in If-Match for which state of '${type.name}' with id '${id}' this is: the ETag of a GET, or '*' for any.`
  return new JsonApiError([problem('header.if-match-missing', detail, { header: 'If-Match' })])
}

/** Without the ETag that it has: whoever writes is to have read it. */
function notMatched({ type, id }: ResultRow): JsonApiError {
  const detail = `'${type.name}' with id '${id}' is in another state than those of If-Match. Read it again.`
  return new JsonApiError([problem('header.if-match', detail, { header: 'If-Match' })])
}
