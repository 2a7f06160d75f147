import type { ServerResponse } from 'node:http'
import type { HttpReply } from '../exchange/exchange'

/** On HEAD Node leaves the body away, and keeps the headers that a GET has. */
export function sendReply({ status, headers, body }: HttpReply, response: ServerResponse): void {
  // The client has hung up, or middleware in front has lost its patience.
  if (response.headersSent || response.destroyed) return
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) setHeader(response, name, value)
  if (body === undefined) {
    response.end()
    return
  }
  const bytes = Buffer.from(body)
  response.setHeader('content-length', bytes.length)
  response.end(bytes)
}

/** Others in front may have said already what the answer varies by. */
function setHeader(response: ServerResponse, name: string, value: string): void {
  response.setHeader(name, name === 'vary' ? withVary(response.getHeader(name), value) : value)
}

/** `Accept-Encoding` and `Accept` -> `Accept-Encoding, Accept` */
function withVary(said: ReturnType<ServerResponse['getHeader']>, name: string): string {
  const names = String(said ?? '').split(/ *, */)
  if (said === undefined || said === '') return name
  return names.some((each) => each === '*' || each.toLowerCase() === name.toLowerCase())
    ? names.join(', ')
    : [...names, name].join(', ')
}
