import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestHead } from '../request/http/http-request'

/** The path under which the API is served, and its origin. */
export type MountPoint = Pick<RequestHead, 'mountPath' | 'findOrigin'>

export type ResolveMountPoint<Incoming extends IncomingMessage> = (request: Incoming) => MountPoint

/** Reads everything but the body. */
export function toRequestHead(request: IncomingMessage, { mountPath, findOrigin }: MountPoint): RequestHead {
  const { method = 'GET', url = '/' } = request
  const [path = '', queryString = ''] = splitOnce(splitTarget(url).pathAndQuery, '?')
  return { method, findOrigin, mountPath, path, queryString, headers: toPlainHeaders(request) }
}

/** Resolves the mount point of a Node request. Frameworks such as Connect keep the whole path in `originalUrl`. */
export const resolveNodeMountPoint: ResolveMountPoint<IncomingMessage> = (request) => ({
  mountPath: mountPathOf(request),
  findOrigin: () => toOrigin(protocolOf(request), hostOf(request)),
})

/** Returns the requested host. An absolute request target overrides the header `Host`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return splitTarget(url).host ?? headers.host
}

/** Returns scheme and host; `undefined` for an invalid host. */
export function toOrigin(protocol: string, hosts: string | undefined): string | undefined {
  // Each proxy appends its host. The first one is that of the client.
  const [host = ''] = (hosts ?? '').split(',')
  const origin = `${protocol}://${host.trim()}`
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : undefined
}

/** A host of at most 253 characters, and a port: links repeat it for each resource. */
const ORIGIN = /^https?:\/\/[\w\-.~[\]:]{1,259}$/i

function protocolOf({ socket }: IncomingMessage): 'http' | 'https' {
  return (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
}

/** Returns the part of the path that frameworks have removed. */
function mountPathOf(request: IncomingMessage): string {
  const { url = '/', originalUrl } = request as { readonly url?: string; readonly originalUrl?: unknown }
  if (typeof originalUrl !== 'string') return ''
  const [rest, whole] = [splitTarget(url).pathAndQuery, splitTarget(originalUrl).pathAndQuery]
  return whole.endsWith(rest) ? whole.slice(0, -rest.length) : ''
}

interface RequestTarget {
  /** `undefined` for a path, and for an invalid target. */
  readonly host: string | undefined
  readonly pathAndQuery: string
}

/** Splits `http://api.example.com/men?sort=age` into `api.example.com` and `/men?sort=age`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
function splitTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { host: undefined, pathAndQuery: target }
  const [start, host] = ABSOLUTE.exec(target) ?? []
  if (start === undefined) return { host: undefined, pathAndQuery: target }
  const rest = target.slice(start.length)
  return { host, pathAndQuery: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Parsers disagree on the end of other hosts, so middleware that compares paths could see another path. */
const ABSOLUTE = /^https?:\/\/((?:[a-z\d\-._]+|\[[\da-f:.]+\])(?::\d*)?)(?=[/?]|$)/i

/** Node has joined headers of the same name, except `Set-Cookie`. */
function toPlainHeaders({ headers }: IncomingMessage): RequestHead['headers'] {
  if (headers['set-cookie'] === undefined) return headers as RequestHead['headers']
  return { ...headers, 'set-cookie': headers['set-cookie'].join(', ') } as RequestHead['headers']
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
