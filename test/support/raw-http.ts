import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { lint } from './lint'
import type { RequestOptions } from './server'

// Sends requests that supertest cannot send: with unnormalized paths, as raw lines, or piece by piece.

/** Milliseconds after which a request counts as unanswered. */
export const RESPONSE_TIMEOUT = 10_000

export interface RawRequest extends RequestOptions {
  readonly method: string
  /** With the query string, sent byte by byte. */
  readonly path: string
}

/** The members of a supertest response that tests of raw requests use. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
  readonly body: any
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Sends a GET whose path reaches the server byte by byte, and checks the response against JSON:API. */
export function getRaw(origin: string, path: string): Promise<RawResponse> {
  return sendRaw(origin, { method: 'GET', path })
}

/** Sends a request of any method in the same way. */
export async function sendRaw(origin: string, raw: RawRequest): Promise<RawResponse> {
  return lintRaw(raw, await sendBytes(origin, raw))
}

/** Checks a response against JSON:API, and returns it with its parsed body. */
export function lintRaw(raw: RawRequest, response: RawResponse): RawResponse {
  const { method, path: url, headers: sent = {} } = raw
  const { status, text: body } = response
  const document: unknown = body === '' ? undefined : JSON.parse(body)
  const headers = new Headers(response.headers)
  lint(
    { method, url, requestBody: bytesOf(raw) ?? '', status, headers, body },
    document,
    [],
    Object.values(sent).join(' '),
  )
  return { ...response, body: document }
}

/** Sends a request without checking the response, which can be of any media type. */
export function sendBytes(origin: string, raw: RawRequest): Promise<RawResponse> {
  const { method, path, headers = {} } = raw
  const bytes = bytesOf(raw)
  const type = bytes === undefined ? {} : { 'content-type': 'application/vnd.api+json' }
  const length = bytes === undefined ? {} : { 'content-length': Buffer.byteLength(bytes) }
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      origin,
      { agent, method, path, timeout: RESPONSE_TIMEOUT, headers: { ...type, ...length, ...headers } },
      (response) => {
        const { statusCode: status = 0, headers: received } = response
        const headers = received as Record<string, string>
        text(response).then((body) => resolve({ status, headers, text: body, body: undefined }), reject)
      },
    )
    clientRequest.on('timeout', () => clientRequest.destroy(new Error(`No response after ${RESPONSE_TIMEOUT} ms.`)))
    clientRequest.on('error', reject).end(bytes)
  })
}

function bytesOf({ body }: RawRequest): string | Uint8Array | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

/** A request as raw lines. `Host` and `Connection` are added. */
export interface RawLines {
  readonly line: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
}

/** Sends a GET, and returns the response as soon as it has started, unread. */
export function openRaw(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject))
}

/** Opens a connection to a server, on which tests write requests piece by piece. */
export function connectTo({ url }: { readonly url: string }): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** Sends raw lines over a socket, and returns the raw response without the header `Date`. */
export async function sendLines(url: string, { line, headers = [], body = '' }: RawLines): Promise<string> {
  const head = [`${line} HTTP/1.1`, 'Host: api.example.com', 'Connection: close', ...headers].join('\r\n')
  const socket = connectTo({ url })
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString()
    .replace(/^Date: .*\r\n/m, '')
}
