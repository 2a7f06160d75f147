import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { formatValueForError } from '../document/format-value-for-error'
import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import type { RequestLimits } from '../graph/options/limits'
import type { Deadline } from '../request/http/deadline'

/** Whether the request has a body. https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Reads the bytes of the body. Takes the one that middleware has parsed; returns `undefined` if middleware has read it and left nothing. */
export async function readBodyBytes(
  request: IncomingMessage,
  { bodySize, bodyDepth }: Pick<RequestLimits, 'bodySize' | 'bodyDepth'>,
  deadline: Deadline | undefined,
): Promise<Uint8Array | undefined> {
  const { body } = request as { readonly body?: unknown }
  // The parser of Express 4 sets `{}` on every request that it does not parse.
  if (body !== undefined && request.readableDidRead) return toBytes(body, bodyDepth)
  if (request.destroyed && !request.complete) throw unreadableBodyError('aborted')
  // The body was read, or the client has disconnected.
  if (request.readableEnded || request.destroyed) return undefined
  try {
    const reading = readDecoded(request, bodySize)
    return await (deadline === undefined ? reading : waitUntil(deadline, reading))
  } catch (error) {
    // The error is known, so a timeout during the rest of the body must not replace it.
    deadline?.markResponseKnown()
    await discardBody(request, deadline)
    throw error
  }
}

/** Rejects on expiry of the deadline. A slow client is no server error, so it is not reported to `onError`. */
function waitUntil(deadline: Deadline, reading: Promise<Uint8Array>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const removeListener = deadline.onExpire(() => {
      deadline.markResponseKnown()
      reject(bodyTimeoutError())
    })
    reading.then(resolve, reject).finally(removeListener)
  })
}

function toBytes(body: unknown, maxDepth: number): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  try {
    return Buffer.from(JSON.stringify(body))
  } catch (error) {
    // JSON.parse accepts more levels than JSON.stringify, which is recursive.
    throw error instanceof RangeError ? bodyTooDeepError(maxDepth) : error
  }
}

async function readDecoded(request: IncomingMessage, maxSize: number): Promise<Uint8Array> {
  const encoding = (request.headers['content-encoding'] || 'identity').toLowerCase()
  if (encoding === 'identity') {
    const size = Number(request.headers['content-length'] ?? 0)
    if (size > maxSize) throw bodyTooLargeError(maxSize, size)
    return readAll(request, request, maxSize)
  }
  const decoder = DECODERS.get(encoding)?.()
  if (decoder === undefined) throw unknownEncodingError(encoding)
  try {
    return await readAll(request, request.pipe(decoder), maxSize)
  } finally {
    request.unpipe(decoder)
    decoder.destroy()
    // Data may follow the compressed body, before the next request on the connection.
    request.resume()
  }
}

/** Reads a stream to its end. Rejects if the request ends early. */
function readAll(request: IncomingMessage, stream: Readable, maxSize: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const fail = ({ message }: Error) => reject(unreadableBodyError(message))
    stream.on('data', (piece: Uint8Array) => {
      size += piece.length
      if (size > maxSize) reject(bodyTooLargeError(maxSize, 'more'))
      else pieces.push(piece)
    })
    stream.on('end', () => resolve(Buffer.concat(pieces)))
    stream.on('error', fail)
    request.on('error', fail)
    // Middleware can end the stream without an error.
    request.on('close', () => {
      if (!request.readableEnded) reject(unreadableBodyError('aborted'))
    })
  })
}

/** Reads the rest of a body up to the deadline: some clients read no response before they have sent everything. */
function discardBody(request: IncomingMessage, deadline: Deadline | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed || deadline?.hasExpired) return resolve()
    deadline?.onExpire(resolve)
    request.on('end', resolve).on('error', resolve).on('close', resolve).resume()
  })
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
const DECODERS: ReadonlyMap<string, (() => Transform) | undefined> = new Map<string, (() => Transform) | undefined>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  // From Node 22.15 on.
  ['zstd', (zlib as { readonly createZstdDecompress?: () => Transform }).createZstdDecompress],
])

/** https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9 */
function bodyTimeoutError(): JsonApiError {
  return createJsonApiError('document.timeout', 'Send the body without pauses, or send a smaller one.')
}

/** `more`: the length of the body is unknown, since it was not read to its end. */
function bodyTooLargeError(maxSize: number, found: number | 'more'): JsonApiError {
  const detail = `Expected a body of at most ${maxSize} bytes, found ${found}.`
  return createJsonApiError('document.too-large', detail)
}

function bodyTooDeepError(maxDepth: number): JsonApiError {
  const detail = `Expected at most ${maxDepth} levels of arrays and objects, found more.`
  return createJsonApiError('document.shape', detail)
}

function unknownEncodingError(encoding: string): JsonApiError {
  const detail = `unsupported content encoding ${formatValueForError(encoding)}`
  return createJsonApiError('header.content-encoding', detail, { header: 'Content-Encoding' })
}

function unreadableBodyError(reason: string): JsonApiError {
  return createJsonApiError('document.unreadable', `The body could not be read: ${reason}.`)
}
