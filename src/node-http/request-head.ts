import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestHead } from '../request/http/http-request'

/** How a client came to the API. */
export type MountPoint = Pick<RequestHead, 'mountPath' | 'findOrigin'>

export type ResolveMountPoint<Incoming extends IncomingMessage> = (request: Incoming) => MountPoint

/** All but the body; it can be read from every request. */
export function toRequestHead(request: IncomingMessage, { mountPath, findOrigin }: MountPoint): RequestHead {
  const { method = 'GET', url = '/' } = request
  const [path = '', queryString = ''] = splitOnce(splitTarget(url).pathAndQuery, '?')
  return { method, findOrigin, mountPath, path, queryString, headers: toPlainHeaders(request) }
}

/** Of a request that nobody but Node has seen, or a framework that leaves the whole path in `originalUrl`, as Connect does. */
export const resolveNodeMountPoint: ResolveMountPoint<IncomingMessage> = (request) => ({
  mountPath: mountPathOf(request),
  findOrigin: () => toOrigin(protocolOf(request), hostOf(request)),
})

/** The host that the client asks. That of an absolute target overrides the header `Host`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return splitTarget(url).host ?? headers.host
}

/** Scheme and host; a host that can stand in no URL is as good as none. */
export function toOrigin(protocol: string, hosts: string | undefined): string | undefined {
  // Proxies in a row leave one each: the first is what the client asked.
  const [host = ''] = (hosts ?? '').split(',')
  const origin = `${protocol}://${host.trim()}`
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : undefined
}

/** A host of at most 253 characters, and a port: links repeat it for each resource. */
const ORIGIN = /^https?:\/\/[\w\-.~[\]:]{1,259}$/i

function protocolOf({ socket }: IncomingMessage): 'http' | 'https' {
  return (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
}

/** What was cut off the front of the path on the way to the API. */
function mountPathOf(request: IncomingMessage): string {
  const { url = '/', originalUrl } = request as { readonly url?: string; readonly originalUrl?: unknown }
  if (typeof originalUrl !== 'string') return ''
  const [rest, whole] = [splitTarget(url).pathAndQuery, splitTarget(originalUrl).pathAndQuery]
  return whole.endsWith(rest) ? whole.slice(0, -rest.length) : ''
}

interface RequestTarget {
  /** `undefined`: the target is a path, or nothing that could be served. */
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

/** Parsers disagree on where any other host ends: middleware in front, which compares paths, would see another one. */
const ABSOLUTE = /^https?:\/\/((?:[a-z\d\-._]+|\[[\da-f:.]+\])(?::\d*)?)(?=[/?]|$)/i

/** Node has joined all headers of one name already, but for `Set-Cookie`, which is none of a request. */
function toPlainHeaders({ headers }: IncomingMessage): RequestHead['headers'] {
  if (headers['set-cookie'] === undefined) return headers as RequestHead['headers']
  return { ...headers, 'set-cookie': headers['set-cookie'].join(', ') } as RequestHead['headers']
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
