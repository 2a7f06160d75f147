import type { RequestHead } from '../request/http-request'
import type { HttpResponse } from './http-response'

/** A resource at URLs of the API that is no JSON:API endpoint, such as the OpenAPI document. */
export interface Page {
  /** A public page is served before the option `context` is called. */
  readonly access: 'public' | 'restricted'
  /** Returns `undefined` for a request for something else. */
  readonly respond: (head: RequestHead) => HttpResponse | undefined
}

/** Returns the response of the first page that a request is for. */
export function respondWithPage(head: RequestHead, pages: readonly Page[]): HttpResponse | undefined {
  for (const { respond } of pages) {
    const response = respond(head)
    if (response !== undefined) return response
  }
  return undefined
}
