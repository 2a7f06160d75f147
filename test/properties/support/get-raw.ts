import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { lint } from '../../support/lint'
import type { Response } from '../../support/request'
import type { Answer, Sending } from '../../support/server'
import { PATIENCE } from './random'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export interface Raw extends Omit<Sending, 'ignore'> {
  readonly method: string
  /** With the query string, byte by byte. */
  readonly path: string
}

/** `fetch` would put a URL in order; this sends it byte by byte. */
export function getRaw(origin: string, path: string): Promise<Answer> {
  return sendRaw(origin, { method: 'GET', path })
}

/** The same of any method. */
export async function sendRaw(origin: string, { body, rawBody, ...rest }: Raw): Promise<Answer> {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await sendBytes(origin, { ...rest, ...(sent !== undefined && { rawBody: sent }) })
  return lintRaw({ ...rest, rawBody: sent ?? '' }, answer)
}

/** What was answered, as a document of JSON:API. */
export function lintRaw({ method, path: url, headers: asked = {}, rawBody = '' }: Raw, answer: Response): Answer {
  const { status, headers, text } = answer
  const document = text === '' ? undefined : JSON.parse(text)
  const exchange = { method, url, requestBody: rawBody, status, headers, body: text }
  lint(exchange, document, [], Object.values(asked).join(' '))
  return { ...answer, document }
}

/** The same, whatever is answered. */
export function sendBytes(
  origin: string,
  { method, path, headers = {}, rawBody }: Omit<Raw, 'body'>,
): Promise<Response> {
  const type = rawBody === undefined ? {} : { 'content-type': 'application/vnd.api+json' }
  const length = rawBody === undefined ? {} : { 'content-length': Buffer.byteLength(rawBody) }
  return new Promise((resolve, reject) => {
    const sending = request(
      origin,
      { agent, method, path, timeout: PATIENCE, headers: { ...type, ...length, ...headers } },
      (response) => {
        text(response)
          .then((body) => {
            const answered = new Headers(response.headers as Record<string, string>)
            resolve({ status: response.statusCode ?? 0, headers: answered, text: body })
          })
          .catch(reject)
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`No answer after ${PATIENCE} ms.`)))
    sending.on('error', reject).end(rawBody)
  })
}
