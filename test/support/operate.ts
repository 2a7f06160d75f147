import type { Answer, Sending, TestServer } from './server'

export const EXTENSION = 'https://jsonapi.org/ext/atomic'
export const ATOMIC = `application/vnd.api+json;ext="${EXTENSION}"`

/** Sends operations, as the extension wants it. */
export function operate(server: TestServer, ...operations: readonly unknown[]): Promise<Answer> {
  return operateWith(server, {}, ...operations)
}

/** The same with further headers. */
export function operateWith(
  server: TestServer,
  headers: NonNullable<Sending['headers']>,
  ...operations: readonly unknown[]
): Promise<Answer> {
  return sendDocument(server, { 'atomic:operations': operations }, headers)
}

export function sendDocument(
  server: TestServer,
  body: unknown,
  headers: NonNullable<Sending['headers']> = {},
): Promise<Answer> {
  return server.send('POST', '/operations', { body, headers: { 'content-type': ATOMIC, accept: ATOMIC, ...headers } })
}

/** `404 resource.not-found /atomic:operations/0/ref`, one for each error. */
export function refusalsOf({ document }: Answer): readonly string[] {
  return document.errors.map(
    ({ status, code, source }: { status: string; code: string; source?: { pointer?: string } }) =>
      `${status} ${code} ${source?.pointer ?? JSON.stringify(source)}`,
  )
}

export function resultsOf({ document }: Answer) {
  return document['atomic:results']
}
