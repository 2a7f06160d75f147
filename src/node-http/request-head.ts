import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestHead } from '../request/http-request'

/** The path under which the API is served, and its origin. */
export type MountPoint = Pick<RequestHead, 'mountPath' | 'findOrigin'>

export type ResolveMountPoint<Incoming extends IncomingMessage> = (request: Incoming) => MountPoint

/** Returns everything except the body. Works for any request. */
export function toRequestHead(request: IncomingMessage, { mountPath, findOrigin }: MountPoint): RequestHead {
  const { method = 'GET', url = '/' } = request
  const [path = '', queryString = ''] = splitOnce(splitTarget(url).pathAndQuery, '?')
  return { method, findOrigin, mountPath, path, queryString, headers: toPlainHeaders(request) }
}

/** For requests that come from Node directly, or from a framework that keeps the whole path in `originalUrl`, such as Connect. */
export const resolveNodeMountPoint: ResolveMountPoint<IncomingMessage> = (request) => ({
  mountPath: mountPathOf(request),
  findOrigin: () => toOrigin(protocolOf(request), hostOf(request)),
})

/** Returns the host of the request. An absolute target overrides the `Host` header. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return splitTarget(url).host ?? headers.host
}

/** Returns scheme and host, or `undefined` if the host is invalid in a URL. */
export function toOrigin(protocol: string, hosts: string | undefined): string | undefined {
  // Each proxy appends a host. The first one is the client's.
  const [host = ''] = (hosts ?? '').split(',')
  const origin = `${protocol}://${host.trim()}`
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : undefined
}

/** A host of at most 253 characters and a port. The limit exists because links repeat the host for each resource. */
const ORIGIN = /^https?:\/\/[\w\-.~[\]:]{1,259}$/i

function protocolOf({ socket }: IncomingMessage): 'http' | 'https' {
  return (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
}

/** Returns the part of the path that a framework has removed. */
function mountPathOf(request: IncomingMessage): string {
  const { url = '/', originalUrl } = request as { readonly url?: string; readonly originalUrl?: unknown }
  if (typeof originalUrl !== 'string') return ''
  const [rest, whole] = [splitTarget(url).pathAndQuery, splitTarget(originalUrl).pathAndQuery]
  return whole.endsWith(rest) ? whole.slice(0, -rest.length) : ''
}

interface RequestTarget {
  /** `undefined`: the target is a path, or invalid. */
  readonly host: string | undefined
  readonly pathAndQuery: string
}

/** `http://api.example.com/men?sort=age` -> `api.example.com` and `/men?sort=age`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
function splitTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { host: undefined, pathAndQuery: target }
  const [start, host] = ABSOLUTE.exec(target) ?? []
  if (start === undefined) return { host: undefined, pathAndQuery: target }
  const rest = target.slice(start.length)
  return { host, pathAndQuery: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Parsers disagree on where any other host ends, so middleware that compares paths could see a different path. */
const ABSOLUTE = /^https?:\/\/((?:[a-z\d\-._]+|\[[\da-f:.]+\])(?::\d*)?)(?=[/?]|$)/i

/** Node joins headers of the same name, except `Set-Cookie`, which is not a request header. */
function toPlainHeaders({ headers }: IncomingMessage): RequestHead['headers'] {
  if (headers['set-cookie'] === undefined) return headers as RequestHead['headers']
  return { ...headers, 'set-cookie': headers['set-cookie'].join(', ') } as RequestHead['headers']
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
