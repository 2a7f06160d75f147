import { Agent, type IncomingMessage, request as open } from 'node:http'

export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

const agent = new Agent({ keepAlive: true })

/** What `fetch` does without following redirects, in a fraction of its time. */
export function request(method: string, url: string, { headers, body }: Sent): Promise<Response> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sending = open(url, { method, agent, headers: { accept: '*/*', ...length, ...headers } })
    sending.on('error', reject)
    sending.on('response', (response) => readAll(response).then(resolve, reject))
    sending.end(body)
  })
}

function readAll(response: IncomingMessage): Promise<Response> {
  let text = ''
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return new Promise((resolve, reject) => {
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }))
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}
