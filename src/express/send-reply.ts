import type { Response } from 'express'
import type { HttpReply } from '../exchange/exchange'

/** On HEAD Node leaves the body away, and keeps the headers that a GET has. */
export function sendReply({ status, headers, body }: HttpReply, response: Response): void {
  response.status(status)
  for (const [name, value] of Object.entries(headers)) setHeader(response, name, value)
  if (body === undefined) {
    response.end()
    return
  }
  const bytes = Buffer.from(body)
  response.setHeader('content-length', bytes.length)
  response.end(bytes)
}

/** Other middleware may have said already what the answer varies by. */
function setHeader(response: Response, name: string, value: string): void {
  if (name === 'vary') response.vary(value)
  else response.setHeader(name, value)
}
