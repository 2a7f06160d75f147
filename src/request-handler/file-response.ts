import { hash } from 'node:crypto'
import { parseEntityTags } from '../request/http/entity-tags'
import type { RequestHead } from '../request/http/http-request'
import type { HttpResponse } from './http-response'

/** What is sent as it is, and is no document of JSON:API. */
export interface TextFile {
  readonly text: string
  /** The value of `Content-Type`. */
  readonly type: string
}

/** The file, or 304 for whoever has it already. */
export function toFileResponse(file: TextFile, { headers }: Pick<RequestHead, 'headers'>): HttpResponse {
  const etag = getEtag(file)
  const known = headers['if-none-match']
  const isKnown = known?.trim() === '*' || parseEntityTags(known ?? '').some(({ tag }) => tag === etag)
  if (isKnown) return { status: 304, headers: { etag }, body: undefined }
  return { status: 200, headers: { 'content-type': file.type, etag }, body: file.text }
}

/** A text is hashed once, as long as its file is kept. */
function getEtag(file: TextFile): string {
  const known = ETAGS.get(file)
  if (known !== undefined) return known
  const etag = `"${hash('sha1', file.text, 'base64url')}"`
  ETAGS.set(file, etag)
  return etag
}

const ETAGS = new WeakMap<TextFile, string>()
