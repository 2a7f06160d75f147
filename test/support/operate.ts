import type { Response } from 'supertest'
import type { TestApi } from './api'
import { outcomeOf } from './expectations'
import type { ApiRequest } from './request'
import type { RequestOptions, TestServer } from './server'

export const EXTENSION = 'https://jsonapi.org/ext/atomic'
export const ATOMIC = `application/vnd.api+json;ext="${EXTENSION}"`

export function operate(server: TestServer, ...operations: readonly unknown[]): ApiRequest {
  return operateWith(server, {}, ...operations)
}

/** Sends operations that must not change any row, and returns their outcome: `409 document.type-conflict /atomic:operations/0`. */
export async function refused(api: TestApi, ...operations: readonly unknown[]): Promise<string> {
  return outcomeOf(await api.unchanged(() => operate(api, ...operations)))
}

export function operateWith(
  server: Pick<TestServer, 'post'>,
  headers: NonNullable<RequestOptions['headers']>,
  ...operations: readonly unknown[]
): ApiRequest {
  return sendDocument(server, { 'atomic:operations': operations }, headers)
}

export function sendDocument(
  server: Pick<TestServer, 'post'>,
  body: unknown,
  headers: NonNullable<RequestOptions['headers']> = {},
): ApiRequest {
  const all = { 'content-type': ATOMIC, accept: ATOMIC, ...headers }
  return server.post('/operations').send(body).set(all)
}

/** Returns the operation that corresponds to a single request, with its target as `href` or `ref`. */
export function toOperation(method: string, path: string, body: unknown, target: 'href' | 'ref'): object {
  const op = { POST: 'add', PATCH: 'update', DELETE: 'remove' }[method]
  const [, type, id, , relationship] = path.split('/').map(decodeURIComponent)
  const ref = { type, id, ...(relationship !== undefined && { relationship }) }
  const targetMembers = target === 'href' ? { href: path } : id === undefined ? {} : { ref }
  return { op, ...targetMembers, ...(body as object | undefined) }
}

export function resultsOf({ body }: Response) {
  return body['atomic:results']
}
