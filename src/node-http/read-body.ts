import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { JsonApiError, problem } from '../errors/json-api-error'

/** Whether one was sent. https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** As bytes, where there is one; what an application's own middleware has read already is taken as it is. `undefined`: nothing of it is left. */
export async function readBody(request: IncomingMessage, maximumSize: number): Promise<Uint8Array | undefined> {
  const { body } = request as { readonly body?: unknown }
  // The parser of Express 4 puts `{}` there for every request that it leaves alone.
  if (body !== undefined && request.readableDidRead) return toBytes(body)
  // Nothing is left, or nobody is there any more.
  if (request.readableEnded || request.destroyed) return undefined
  try {
    return await readUnpacked(request, maximumSize)
  } catch (error) {
    await readOff(request)
    throw error
  }
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

async function readUnpacked(request: IncomingMessage, maximumSize: number): Promise<Uint8Array> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') {
    if (Number(request.headers['content-length'] ?? 0) > maximumSize) throw tooLarge()
    return readAll(request, request, maximumSize)
  }
  const unpack = UNPACKING.get(encoding)?.()
  if (unpack === undefined) throw unknownEncoding(encoding)
  try {
    return await readAll(request, request.pipe(unpack), maximumSize)
  } finally {
    request.unpipe(unpack)
    unpack.destroy()
  }
}

/** Every piece of the stream; it ends early where the request does. */
function readAll(request: IncomingMessage, stream: Readable, maximumSize: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const fail = ({ message }: Error) => reject(unreadable(message))
    stream.on('data', (piece: Uint8Array) => {
      size += piece.length
      if (size > maximumSize) reject(tooLarge())
      else pieces.push(piece)
    })
    stream.on('end', () => resolve(Buffer.concat(pieces)))
    stream.on('error', fail)
    request.on('error', fail)
  })
}

/** There are clients that don't listen before they have sent everything. */
function readOff(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve()
    request.on('end', resolve).on('error', resolve).on('close', resolve).resume()
  })
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
const UNPACKING: ReadonlyMap<string, (() => Transform) | undefined> = new Map<string, (() => Transform) | undefined>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  // From Node 22.15 on.
  ['zstd', (zlib as { readonly createZstdDecompress?: () => Transform }).createZstdDecompress],
])

function tooLarge(): JsonApiError {
  return new JsonApiError([problem('document.too-large', 'The body has more bytes than the server takes.')])
}

function unknownEncoding(encoding: string): JsonApiError {
  const detail = `unsupported content encoding "${encoding}"`
  return new JsonApiError([problem('header.content-encoding', detail, { header: 'Content-Encoding' })])
}

function unreadable(reason: string): JsonApiError {
  return new JsonApiError([problem('document.unreadable', `The body could not be read: ${reason}.`)])
}
