import { hash } from 'node:crypto'
import { getOrCompute } from '../cache/get-or-compute'
import type { RequestHead } from '../request/http/http-request'
import { parseEntityTags } from '../request/http/read-precondition'
import type { HttpResponse } from './http-response'

/** A resource at URLs of the API that is no JSON:API endpoint, such as the OpenAPI document. */
export interface NonJsonApiRoute {
  /** A public page is served before the option `context` is called. */
  readonly access: 'public' | 'restricted'
  /** Returns `undefined` for a request for something else. */
  readonly respond: (head: RequestHead) => HttpResponse | undefined
}

/** Combines pages at startup. The result returns the response of the first page that matches a request. Returns `undefined` without pages. */
export function combineNonJsonApiRoutes(pages: readonly NonJsonApiRoute[]): NonJsonApiRoute['respond'] | undefined {
  if (pages.length === 0) return undefined
  return (head) => {
    for (const { respond } of pages) {
      const response = respond(head)
      if (response !== undefined) return response
    }
    return undefined
  }
}

/** A text file, such as a part of the explorer. Not a JSON:API document. */
export interface ServedTextFile {
  readonly text: string
  /** The value of `Content-Type`. */
  readonly type: string
}

/** Returns the file, or 304 if the client has the current version. */
export function toStaticFileResponse(file: ServedTextFile, { headers }: Pick<RequestHead, 'headers'>): HttpResponse {
  const etag = getEtag(file)
  const ifNoneMatch = headers['if-none-match']
  const isCurrent = ifNoneMatch?.trim() === '*' || parseEntityTags(ifNoneMatch ?? '').some(({ tag }) => tag === etag)
  if (isCurrent) return { status: 304, headers: { etag }, body: undefined }
  return { status: 200, headers: { 'content-type': file.type, etag }, body: file.text }
}

/** Returns the ETag of a file. Each file is hashed once. */
function getEtag(file: ServedTextFile): string {
  return getOrCompute(ETAGS, file, ({ text }) => `"${hash('sha1', text, 'base64url')}"`)
}

const ETAGS = new WeakMap<ServedTextFile, string>()
