import { CURSOR_PAGINATION_URI } from '../document/cursor-profile'
import type { ErrorDocument, ErrorObject } from '../document/response-document'
import { ERRORS, RETRYABLE_API_ERROR_CODES } from '../errors/catalogue'
import { type ErrorDetails, type JsonApiError, MAX_ERRORS } from '../errors/json-api-error'
import type { EndpointResult } from './endpoint-result'

/** Builds the result for errors, up to `MAX_ERRORS`. */
export function toResultOfJsonApiError({ errors: found, status, headers }: JsonApiError): EndpointResult {
  const errors = limitErrors(found)
  const isOfProfile = errors.some(({ links }) => links?.type.startsWith(CURSOR_PAGINATION_URI))
  const document = toErrorDocument(errors.map(toErrorObject))
  const isTransient = status === 503 || errors.some(({ code }) => RETRYABLE_API_ERROR_CODES.has(code))
  const mayBeCommitted = errors.some(({ code }) => code === 'write.outcome-unknown')
  return {
    status,
    headers: { ...(isTransient && !mayBeCommitted && RETRY_AFTER_ONE_SECOND), ...headers },
    document,
    ...(isOfProfile && { profiles: [CURSOR_PAGINATION_URI] }),
  }
}

/** Limits the errors to `MAX_ERRORS`. If errors are left out, the detail of the last one says so. */
function limitErrors(found: readonly ErrorDetails[]): readonly ErrorDetails[] {
  const last = found[MAX_ERRORS - 1]
  if (last === undefined || found.length === MAX_ERRORS) return found
  const more = `There are more errors than these ${MAX_ERRORS}. Correct them and send the request again.`
  const detail = `${last.detail ?? last.title} ${more}`
  return [...found.slice(0, MAX_ERRORS - 1), { ...last, detail, meta: { ...last.meta, hasMore: true } }]
}

/** Transient errors last less than a second. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
const RETRY_AFTER_ONE_SECOND = { 'retry-after': '1' }

/** Builds the result for a server error, without details. */
export function createGenericServerErrorResult(): EndpointResult {
  const [status, title] = ERRORS['server.error']
  return { status, document: toErrorDocument([{ status: String(status), code: 'server.error', title }]) }
}

function toErrorDocument(errors: readonly ErrorObject[]): ErrorDocument {
  return { errors }
}

function toErrorObject({ status, code, title, detail, source, links, meta }: ErrorDetails): ErrorObject {
  return {
    status: String(status),
    code,
    title,
    ...(detail !== undefined && { detail }),
    ...(source !== undefined && { source }),
    ...(links !== undefined && { links }),
    ...(meta !== undefined && { meta }),
  }
}
