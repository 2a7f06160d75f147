import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { lint } from '../../support/lint'
import type { Answer, Sending } from '../../support/server'

/** Milliseconds, on a machine that has other work too. */
const PATIENCE = 10_000

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
  const answer = await exchange(origin, { ...rest, ...(sent !== undefined && { rawBody: sent }) })
  const { status, headers, text, document } = answer
  const { method, path: url } = rest
  lint(
    { method, url, requestBody: sent ?? '', status, headers, body: text },
    document,
    [],
    Object.values(rest.headers ?? {}).join(' '),
  )
  return answer
}

function exchange(origin: string, { method, path, headers = {}, rawBody }: Raw): Promise<Answer> {
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
            resolve({
              status: response.statusCode ?? 0,
              headers: answered,
              text: body,
              document: body === '' ? undefined : JSON.parse(body),
            })
          })
          .catch(reject)
      },
    )
    sending.on('timeout', () => sending.destroy(new Error(`No answer after ${PATIENCE} ms.`)))
    sending.on('error', reject).end(rawBody)
  })
}
