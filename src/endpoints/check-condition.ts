import { clientError, JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/model/resource-graph'
import type { Condition } from '../request/http/read-condition'
import type { ResultRow } from '../store/read-result'
import type { Api } from './api'
import type { WriteContext } from './find-related'
import { isLinkageUnchanged } from './linkage-revisions'
import { toRevisionToken } from './revisions'

/**
 * Whether a row that is locked, or one of its relationships, is in a state for which the write is meant; the last thing before the rules
 * speak. https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export async function checkCondition(
  condition: Condition,
  row: ResultRow,
  relationship: Relationship | 'resource',
  writeContext: WriteContext,
  api: Api,
): Promise<void> {
  const { except } = condition
  if (condition.kind === 'unsaid' && row.type.ifMatch === 'required') throw missingCondition(row, condition)
  if (condition.kind === 'states' && !(await matchesRevision(condition.tokens, row, relationship, writeContext, api))) {
    throw notMatched(row, condition)
  }
  if (except === undefined) return
  if (except === 'any' || (await matchesRevision(except, row, relationship, writeContext, api))) throw excepted(row)
}

/** Whether a row that is locked, or one of its relationships, is in one of the states that the tokens stand for. */
export async function matchesRevision(
  tokens: ReadonlySet<string>,
  row: ResultRow,
  relationship: Relationship | 'resource',
  writeContext: Pick<WriteContext, 'transaction' | 'rules'>,
  api: Api,
): Promise<boolean> {
  if (relationship !== 'resource' && !api.store.isStoredInRow(relationship)) {
    return isLinkageUnchanged(tokens, row, relationship, writeContext, api)
  }
  const token = toRevisionToken(row, writeContext.rules, api)
  return token !== undefined && tokens.has(token)
}

function missingCondition({ type, id }: ResultRow, { pointer }: Condition): JsonApiError {
  const place = pointer === undefined ? 'If-Match' : 'meta.version'
  const detail = `Say in ${place} for which state of '${type.name}' with id '${id}' this is: the ETag of a GET, or '*' for any.`
  if (pointer !== undefined)
    return new JsonApiError([clientError('operation.precondition-missing', detail, { pointer })])
  return new JsonApiError([clientError('precondition.missing', detail, { header: 'If-Match' })])
}

/** Without the ETag that it has: whoever writes is to have read it. */
function notMatched({ type, id }: ResultRow, { pointer }: Condition): JsonApiError {
  const place = pointer === undefined ? 'those of If-Match' : 'that of meta.version'
  const detail = `'${type.name}' with id '${id}' is in another state than ${place}. Read it again.`
  if (pointer !== undefined)
    return new JsonApiError([clientError('operation.precondition-failed', detail, { pointer })])
  return new JsonApiError([clientError('precondition.failed', detail, { header: 'If-Match' })])
}

function excepted({ type, id }: ResultRow): JsonApiError {
  const detail = `'${type.name}' with id '${id}' is there, in a state that If-None-Match excludes. Leave the header out to write it all the same.`
  return new JsonApiError([clientError('header.if-none-match', detail, { header: 'If-None-Match' })])
}
