import type { JsonApiDocument, OutgoingRequest, ReceivedApiResponse } from './api-types'
import { maskQueryCredentialsInText, savedCredentialHeaders, withQueryCredentials } from './credentials'

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

type ResponseListener = (request: OutgoingRequest, response: ReceivedApiResponse) => void

const listeners = new Set<ResponseListener>()

/** Calls a function after each response. Returns a function that ends this. */
export function addResponseListener(listener: ResponseListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sends a request with the credentials of the user. All requests of the page are sent here. Without a response, the status is 0. */
export async function send(request: OutgoingRequest): Promise<ReceivedApiResponse> {
  const response = await exchange(request)
  for (const listener of listeners) listener(request, response)
  return response
}

async function exchange(request: OutgoingRequest): Promise<ReceivedApiResponse> {
  const { method, url, body } = request
  const start = performance.now()
  try {
    const response = await fetch(withQueryCredentials(url), {
      method,
      headers: { ...savedCredentialHeaders(), ...buildJsonApiRequestHeaders(request) },
      body: body === undefined ? null : JSON.stringify(body),
      // The cache may contain the HTML page of the same URL.
      cache: 'no-store',
    })
    const text = maskQueryCredentialsInText(await response.text())
    const milliseconds = performance.now() - start
    const { status, statusText, headers } = response
    return { status, statusText, headers, milliseconds, size: byteLength(text), document: parseDocument(text), text }
  } catch {
    const milliseconds = performance.now() - start
    const nothing = { size: 0, headers: new Headers(), document: undefined, text: '' }
    return { status: 0, statusText: 'No response from the server', milliseconds, ...nothing }
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Returns true if the request was successful. */
export function hasSuccessStatus({ status }: Pick<ReceivedApiResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** `404 Not Found`; only the text if there was no response. */
export function formatStatus({ status, statusText }: Pick<ReceivedApiResponse, 'status' | 'statusText'>): string {
  return status === 0 ? statusText : `${status} ${statusText}`.trim()
}

/** The headers of `buildJsonApiRequestHeaders`. */
export const JSON_API_REQUEST_HEADER_NAMES: ReadonlySet<string> = new Set(['accept', 'content-type', 'if-match'])

/** Returns the headers that the page adds to a request, without credentials. */
export function buildJsonApiRequestHeaders({
  body,
  mediaType = JSON_API_MEDIA_TYPE,
  ifMatch,
}: OutgoingRequest): Record<string, string> {
  return {
    accept: mediaType,
    ...(body !== undefined && { 'content-type': mediaType }),
    // Proxies that compress a response make its ETag weak. The version in it stays valid.
    ...(ifMatch != null && { 'if-match': ifMatch.replace(/^W\//, '') }),
  }
}

function parseDocument(text: string): JsonApiDocument | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
