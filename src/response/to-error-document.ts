import { CURSOR_PAGINATION_URI } from '../document/cursor-profile'
import type { ErrorDocument, ErrorObject } from '../document/document'
import { ERRORS, RETRYABLE_API_ERROR_CODES } from '../errors/catalogue'
import { type ErrorDetails, type JsonApiError, MAX_ERRORS } from '../errors/json-api-error'
import type { EndpointResult } from './endpoint-result'

/** Builds the result for errors, up to `MAX_ERRORS`. If they have different statuses, the status is 400 or 500. */
export function toResultOfJsonApiError({ errors: found }: JsonApiError): EndpointResult {
  const errors = limitErrors(found)
  const isOfProfile = errors.some(({ links }) => links?.type.startsWith(CURSOR_PAGINATION_URI))
  const document = toErrorDocument(errors.map(toErrorObject))
  const status = statusOf(errors)
  const isTransient = status === 503 || errors.some(({ code }) => RETRYABLE_API_ERROR_CODES.has(code))
  return {
    status,
    headers: { ...(isTransient && RETRY_AFTER_ONE_SECOND), ...headersOf(errors) },
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

/** Returns the headers of all errors. If several have the same name, the first is used. */
function headersOf(errors: readonly ErrorDetails[]): Readonly<Record<string, string>> {
  const found = errors.flatMap(({ headers = {} }) => Object.entries(headers)).reverse()
  return Object.fromEntries(found.map(([name, value]) => [name.toLowerCase(), value]))
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

/** https://jsonapi.org/format/1.1/#errors-processing */
function statusOf(errors: readonly ErrorDetails[]): number {
  const statuses = new Set(errors.map(({ status }) => status))
  const [only, other] = statuses
  if (only !== undefined && other === undefined) return only
  return Math.max(...statuses) >= 500 ? 500 : 400
}
