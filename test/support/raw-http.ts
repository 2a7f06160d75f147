import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { lint } from './lint'
import type { Sending } from './server'

// Requests that supertest cannot send: paths byte by byte, requests line by line.

/** Milliseconds after which a request counts as unanswered. */
export const PATIENCE = 10_000

export interface RawRequest extends Sending {
  readonly method: string
  /** With the query string, sent byte by byte. */
  readonly path: string
}

/** As much of supertest's response as tests of raw requests use. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
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

/** Checks a response against JSON:API; gives it with its parsed body. */
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
    const sending = request(
      origin,
      { agent, method, path, timeout: PATIENCE, headers: { ...type, ...length, ...headers } },
      (response) => {
        const { statusCode: status = 0, headers: received } = response
        const headers = received as Record<string, string>
        text(response).then((body) => resolve({ status, headers, text: body, body: undefined }), reject)
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`No response after ${PATIENCE} ms.`)))
    sending.on('error', reject).end(bytes)
  })
}

function bytesOf({ body }: RawRequest): string | Uint8Array | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

/** What is sent over a socket; `Host` and `Connection` are added. */
export interface RawLines {
  readonly line: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
}

/** Sends a request line by line; gives the whole response as it came over the wire, without the header `Date`. */
export async function sendLines(url: string, { line, headers = [], body = '' }: RawLines): Promise<string> {
  const { hostname, port } = new URL(url)
  const head = [`${line} HTTP/1.1`, 'Host: api.example.com', 'Connection: close', ...headers].join('\r\n')
  const socket = connect(Number(port), hostname)
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]))
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces)
    .toString()
    .replace(/^Date: .*\r\n/m, '')
}
