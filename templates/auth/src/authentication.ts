import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { JsonApiError } from 'stemma'
import { readTokenSecret } from './environment'

/** The client of a request. All rules receive it. */
export interface Client {
  /** Missing if the request has no token. */
  readonly name?: string
  readonly roles: readonly string[]
}

/** Returns the client of a request. Everyone reads, and only editors write, whatever the resource type. */
export function authorize(request: IncomingMessage): Client {
  const client = identify(request)
  if (request.method === 'GET' || request.method === 'HEAD') return client
  if (client.name === undefined) throw unauthorized('Sign in to write.')
  if (!client.roles.includes('editor')) throw new JsonApiError({ status: 403, title: 'Only editors write.' })
  return client
}

/** Throws 401 for a token that is invalid or has expired. */
function identify({ headers }: IncomingMessage): Client {
  if (headers.authorization === undefined) return { roles: [] }
  const client = readToken(headers.authorization.replace(/^Bearer /i, ''))
  if (client !== undefined) return client
  throw unauthorized('The token is not valid.')
}

function unauthorized(title: string): JsonApiError {
  return new JsonApiError({ status: 401, title, headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** Returns a bearer token. It contains the client, the time of its end in milliseconds, and a signature. */
export function createToken(client: Client, expires = Date.now() + 3_600_000): string {
  const content = Buffer.from(JSON.stringify({ ...client, expires })).toString('base64url')
  return `${content}.${sign(content)}`
}

function readToken(token: string): Client | undefined {
  const [content = '', signature = ''] = token.split('.')
  const [expected, found] = [Buffer.from(sign(content)), Buffer.from(signature)]
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) return undefined
  const { expires, ...client } = JSON.parse(Buffer.from(content, 'base64url').toString())
  return expires > Date.now() ? client : undefined
}

function sign(content: string): string {
  return createHmac('sha256', readTokenSecret()).update(content).digest('base64url')
}
