import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { lint } from '../../support/lint'
import type { Answer } from '../../support/server'

/** Milliseconds, on a machine that has other work too. */
const PATIENCE = 10_000

/** `fetch` would put a URL in order; this sends it byte by byte. */
export async function getRaw(origin: string, path: string): Promise<Answer> {
  const answer = await exchange(origin, path)
  const { status, headers, text, document } = answer
  lint({ method: 'GET', url: path, requestBody: '', status, headers, body: text }, document)
  return answer
}

function exchange(origin: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(origin, { path, timeout: PATIENCE }, (response) => {
      text(response)
        .then((body) => {
          const headers = new Headers(response.headers as Record<string, string>)
          resolve({
            status: response.statusCode ?? 0,
            headers,
            text: body,
            document: body === '' ? undefined : JSON.parse(body),
          })
        })
        .catch(reject)
    })
    sending.on('timeout', () => sending.destroy(new Error(`No answer after ${PATIENCE} ms.`)))
    sending.on('error', reject).end()
  })
}
