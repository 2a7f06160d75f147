import { formatValueForError } from '../../document/format-value-for-error'
import { createJsonApiError } from '../../errors/json-api-error'
import type { RequestHead } from './http-request'

/**
 * Reads the header `Idempotency-Key`: a structured-field string, or the same without quotes, as many clients send it.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header
 *
 * `Idempotency-Key: "8e03978e"` and `Idempotency-Key: 8e03978e` -> `8e03978e`
 */
export function readIdempotencyKey(headers: RequestHead['headers']): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const [, quoted, bare] = KEY.exec(header.trim()) ?? []
  const key = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  if (key !== '' && key.length <= MAX_KEY_LENGTH) return key
  const detail = `Expected one string in quotes, of 1 to ${MAX_KEY_LENGTH} characters of ASCII, found ${formatValueForError(header)}.`
  throw createJsonApiError('header.idempotency-key', detail, { header: 'Idempotency-Key' })
}

const MAX_KEY_LENGTH = 255

/** Quoted: https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3. Unquoted: no space, comma or semicolon. */
const KEY = /^(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"|([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+))$/
