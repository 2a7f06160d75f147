import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/model/resource-graph'
import type { Condition } from '../request/http/read-condition'
import type { ResourceRow } from '../store/read-result'
import { isLinkageAtRevision } from './linkage-revisions'
import type { WriteContext } from './request-scope'
import { toRevisionToken } from './revisions'

/**
 * Throws if a locked row, or one of its relationships, is not at a revision that the request allows. Runs after all other checks and before
 * the hooks. https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export async function assertPreconditions(
  condition: Condition,
  row: ResourceRow,
  relationship: Relationship | 'resource',
  writeContext: WriteContext,
): Promise<void> {
  const { except } = condition
  if (condition.kind === 'none' && row.type.ifMatch === 'required') throw missingCondition(row, condition)
  if (condition.kind === 'states' && !(await isAtRevision(condition.tokens, row, relationship, writeContext))) {
    throw notMatched(row, condition)
  }
  if (except === undefined) return
  if (except === 'any' || (await isAtRevision(except, row, relationship, writeContext))) throw excepted(row)
}

/** Whether a locked row, or one of its relationships, is at one of the revisions that the tokens name. */
export async function isAtRevision(
  tokens: ReadonlySet<string>,
  row: ResourceRow,
  relationship: Relationship | 'resource',
  writeContext: WriteContext,
): Promise<boolean> {
  const { scope } = writeContext
  if (relationship !== 'resource' && !scope.store.isStoredInRow(relationship)) {
    return isLinkageAtRevision(tokens, row, relationship, writeContext)
  }
  const token = toRevisionToken(row, scope)
  return token !== undefined && tokens.has(token)
}

function missingCondition({ type, id }: ResourceRow, { pointer }: Condition): JsonApiError {
  const place = pointer === undefined ? 'If-Match' : 'meta.version'
  const detail = `Say in ${place} for which state of '${type.name}' with id '${id}' this is: the ETag of a GET, or '*' for any.`
  if (pointer !== undefined) return createJsonApiError('operation.precondition-missing', detail, { pointer })
  return createJsonApiError('precondition.missing', detail, { header: 'If-Match' })
}

/** Leaves out the current ETag: the client has to read the resource before it writes. */
function notMatched({ type, id }: ResourceRow, { pointer }: Condition): JsonApiError {
  const place = pointer === undefined ? 'those of If-Match' : 'that of meta.version'
  const detail = `'${type.name}' with id '${id}' is in another state than ${place}. Read it again.`
  if (pointer !== undefined) return createJsonApiError('operation.precondition-failed', detail, { pointer })
  return createJsonApiError('precondition.failed', detail, { header: 'If-Match' })
}

function excepted({ type, id }: ResourceRow): JsonApiError {
  const detail = `'${type.name}' with id '${id}' is there, in a state that If-None-Match excludes. Leave the header out to write it all the same.`
  return createJsonApiError('header.if-none-match', detail, { header: 'If-None-Match' })
}
