import express, { type Request, type Response } from 'express'
import { JsonApiError, problem } from '../errors/json-api-error'
import type { RequestHead } from '../request/http-request'

/** Reads the body, as bytes; what an application's own middleware has read already is taken as it is. */
export type ReadBody = (request: Request, response: Response) => Promise<Uint8Array | undefined>

export function createReadBody(maximumBodySize: number): ReadBody {
  const readRaw = express.raw({ type: () => true, limit: maximumBodySize })
  return async (request, response) => {
    if (request.body === undefined) await runMiddleware(readRaw, request, response)
    return toBytes(request.body)
  }
}

/** All but the body; it can be read from every request. */
export function toRequestHead(request: Request): RequestHead {
  const [path = '', queryString = ''] = splitOnce(request.url, '?')
  return {
    method: request.method,
    origin: originOf(request),
    mountPath: request.baseUrl,
    path,
    queryString,
    headers: joinHeaders(request),
  }
}

/** `undefined`: none was sent. */
export async function toBody(
  request: Request,
  response: Response,
  readBody: ReadBody,
): Promise<Uint8Array | undefined> {
  return hasBody(request) ? readBody(request, response) : undefined
}

/** As Express 5 finds `host`, which is without the port in Express 4. A host that can stand in no URL is as good as none. */
function originOf({ app, headers, protocol, socket }: Request): string | undefined {
  const trusts = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const forwarded = trusts(socket.remoteAddress, 0) ? headers['x-forwarded-host'] : undefined
  const [host = ''] = String(forwarded ?? headers.host ?? '').split(',')
  const origin = `${protocol}://${host.trim()}`
  return /^https?:\/\/[\w\-.~[\]:]+$/i.test(origin) && URL.canParse(origin) ? origin : undefined
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function runMiddleware(readRaw: ReturnType<typeof express.raw>, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(toJsonApiError(error))))
  })
}

/** What the body parser throws carries the status that it means. */
function toJsonApiError(error: unknown): unknown {
  const { status, message } = error as { status?: unknown; message?: unknown }
  if (status === 413) {
    return new JsonApiError([problem('document.too-large', 'The body has more bytes than the server takes.')])
  }
  if (status === 415) {
    return new JsonApiError([problem('header.content-encoding', String(message), { header: 'Content-Encoding' })])
  }
  if (typeof status !== 'number' || status >= 500) return error
  return new JsonApiError([problem('document.unreadable', `The body could not be read: ${String(message)}.`)])
}

function toBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function joinHeaders({ headers }: Request): RequestHead['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
