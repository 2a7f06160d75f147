import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/model/resource-graph'
import type { WritePrecondition } from '../request/http/read-precondition'
import type { ResourceRow } from '../store/read-result'
import { linkageMatchesRevisionTokens } from './linkage-revisions'
import type { WriteContext } from './request-scope'
import { toRevisionToken } from './revisions'

/**
 * Throws 412 or 428 if a locked row, or one of its relationships, is not at a revision that the request allows. Runs after all other checks and before
 * the hooks. https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export async function assertPreconditions(
  condition: WritePrecondition,
  row: ResourceRow,
  relationship: Relationship | 'resource',
  writeContext: WriteContext,
): Promise<void> {
  const { except } = condition
  if (condition.kind === 'none' && row.type.ifMatch === 'required') throw missingConditionError(row, condition)
  if (
    condition.kind === 'revisions' &&
    !(await matchesRevisionTokens(condition.tokens, row, relationship, writeContext))
  ) {
    throw revisionMismatchError(row, condition)
  }
  if (except === undefined) return
  if (except === 'any' || (await matchesRevisionTokens(except, row, relationship, writeContext)))
    throw excludedRevisionError(row)
}

/** Returns true if a locked row, or one of its relationships, is at one of the revisions with these tokens. */
export async function matchesRevisionTokens(
  tokens: ReadonlySet<string>,
  row: ResourceRow,
  relationship: Relationship | 'resource',
  writeContext: WriteContext,
): Promise<boolean> {
  const { scope } = writeContext
  if (relationship !== 'resource' && !scope.store.isStoredInRow(relationship)) {
    return linkageMatchesRevisionTokens(tokens, row, relationship, writeContext)
  }
  const token = toRevisionToken(row, scope)
  return token !== undefined && tokens.has(token)
}

function missingConditionError({ type, id }: ResourceRow, { pointer }: WritePrecondition): JsonApiError {
  const headerOrMember = pointer === undefined ? 'If-Match' : 'meta.version'
  const detail = `Send the ETag of '${type.name}' with id '${id}' in ${headerOrMember}, or '*' for any version.`
  if (pointer !== undefined) return createJsonApiError('operation.precondition-missing', detail, { pointer })
  return createJsonApiError('precondition.missing', detail, { header: 'If-Match' })
}

/** Creates the error for another revision. Leaves out the current ETag, so that the client reads the resource before it writes again. */
function revisionMismatchError({ type, id }: ResourceRow, { pointer }: WritePrecondition): JsonApiError {
  const headerOrMember = pointer === undefined ? 'If-Match' : 'meta.version'
  const detail = `'${type.name}' with id '${id}' has another version than ${headerOrMember}. Read it again.`
  if (pointer !== undefined) return createJsonApiError('operation.precondition-failed', detail, { pointer })
  return createJsonApiError('precondition.failed', detail, { header: 'If-Match' })
}

function excludedRevisionError({ type, id }: ResourceRow): JsonApiError {
  const detail = `'${type.name}' with id '${id}' exists in a version that If-None-Match excludes. Leave the header out to write it anyway.`
  return createJsonApiError('header.if-none-match', detail, { header: 'If-None-Match' })
}
