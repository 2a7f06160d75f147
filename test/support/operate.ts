import type { Answer, Sending, TestServer } from './server'

export const EXTENSION = 'https://jsonapi.org/ext/atomic'
export const ATOMIC = `application/vnd.api+json;ext="${EXTENSION}"`

/** Sends operations, as the extension wants it. */
export function operate(server: TestServer, ...operations: readonly unknown[]): Promise<Answer> {
  return operateWith(server, {}, ...operations)
}

/** The same with further headers. */
export function operateWith(
  server: Pick<TestServer, 'send'>,
  headers: NonNullable<Sending['headers']>,
  ...operations: readonly unknown[]
): Promise<Answer> {
  return sendDocument(server, { 'atomic:operations': operations }, headers)
}

export function sendDocument(
  server: Pick<TestServer, 'send'>,
  body: unknown,
  headers: NonNullable<Sending['headers']> = {},
): Promise<Answer> {
  return server.send('POST', '/operations', { body, headers: { 'content-type': ATOMIC, accept: ATOMIC, ...headers } })
}

/** The operation that does what a request does alone, its target named by a URL or by its parts. */
export function toOperation(method: string, path: string, body: unknown, target: 'href' | 'ref'): object {
  const op = { POST: 'add', PATCH: 'update', DELETE: 'remove' }[method]
  const [, type, id, , relationship] = path.split('/').map(decodeURIComponent)
  const ref = { type, id, ...(relationship !== undefined && { relationship }) }
  const named = target === 'href' ? { href: path } : id === undefined ? {} : { ref }
  return { op, ...named, ...(body as object | undefined) }
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
