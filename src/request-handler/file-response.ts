import { hash } from 'node:crypto'
import { parseEntityTags } from '../request/entity-tags'
import type { RequestHead } from '../request/http-request'
import type { HttpResponse } from './http-response'

/** A file, which is no JSON:API document. */
export interface TextFile {
  readonly text: string
  /** The value of `Content-Type`. */
  readonly type: string
}

/** Returns the file, or 304 if the client has it. */
export function toFileResponse(file: TextFile, { headers }: Pick<RequestHead, 'headers'>): HttpResponse {
  const etag = getEtag(file)
  const known = headers['if-none-match']
  const isKnown = known?.trim() === '*' || parseEntityTags(known ?? '').some(({ tag }) => tag === etag)
  if (isKnown) return { status: 304, headers: { etag }, body: undefined }
  return { status: 200, headers: { 'content-type': file.type, etag }, body: file.text }
}

/** Each file is hashed once. */
function getEtag(file: TextFile): string {
  const known = ETAGS.get(file)
  if (known !== undefined) return known
  const etag = `"${hash('sha1', file.text, 'base64url')}"`
  ETAGS.set(file, etag)
  return etag
}

const ETAGS = new WeakMap<TextFile, string>()
