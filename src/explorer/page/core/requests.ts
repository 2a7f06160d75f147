import type { ApiDocument, ApiRequest, ApiResponse } from './api-types'
import { requestHeaders } from './credentials'

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

type AnswerListener = (request: ApiRequest, response: ApiResponse) => void

const listeners = new Set<AnswerListener>()

/** Calls a function after each response. Returns a function that ends this. */
export function onAnswer(listener: AnswerListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sends a request with the credentials of the user. All requests of the page are sent here. */
export async function send(request: ApiRequest): Promise<ApiResponse> {
  const { method, url, body } = request
  const start = performance.now()
  const response = await fetch(url, {
    method,
    headers: { ...requestHeaders(), ...headersOf(request) },
    body: body === undefined ? null : JSON.stringify(body),
    // The cache may contain the HTML page of the same URL.
    cache: 'no-store',
  })
  const text = await response.text()
  const answer: ApiResponse = {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - start,
    size: new Blob([text]).size,
    headers: response.headers,
    document: parseDocument(text),
    text,
  }
  for (const listener of listeners) listener(request, answer)
  return answer
}

/** Returns the headers that the page adds to a request, without credentials. */
export function headersOf({ body, mediaType = JSON_API_MEDIA_TYPE, etag }: ApiRequest): Record<string, string> {
  return {
    accept: mediaType,
    ...(body !== undefined && { 'content-type': mediaType }),
    ...(etag != null && { 'if-match': etag }),
  }
}

function parseDocument(text: string): ApiDocument | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
