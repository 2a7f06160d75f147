import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { RequestHead } from '../request/http/http-request'

/** The path under which the API is served, and its origin. */
type MountPoint = Pick<RequestHead, 'mountPath' | 'findOrigin'>

export type ResolveMountPoint<Incoming extends IncomingMessage> = (request: Incoming) => MountPoint

/** Reads everything but the body. */
export function toRequestHead(request: IncomingMessage, { mountPath, findOrigin }: MountPoint): RequestHead {
  const { method = 'GET', url = '/', headers } = request
  const { path, queryString } = splitTarget(url)
  // Node has joined headers of the same name, except `Set-Cookie`.
  const cookies = headers['set-cookie']
  const joined = cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }
  return { method, findOrigin, mountPath, path, queryString, headers: joined as RequestHead['headers'] }
}

/** Resolves the mount point of a Node request. Frameworks such as Connect keep the whole path in `originalUrl`. */
export const resolveMountPointOfNodeRequest: ResolveMountPoint<IncomingMessage> = (request) => ({
  mountPath: mountPathOf(request),
  findOrigin: () => findOriginFromHostHeader(protocolOf(request), hostIgnoringForwardedHeader(request)),
})

/** Returns the requested host. An absolute request target overrides the header `Host`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
export function hostIgnoringForwardedHeader({ url = '/', headers }: IncomingMessage): string | undefined {
  return splitTarget(url).host ?? headers.host
}

/** Returns scheme and host; `undefined` for an invalid host. */
export function findOriginFromHostHeader(protocol: string, hosts: string | undefined): string | undefined {
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
  const [{ path }, { path: originalPath }] = [splitTarget(url), splitTarget(originalUrl)]
  if (originalPath.endsWith(path)) return originalPath.slice(0, -path.length)
  // At the root of the API, frameworks turn `/api` into `/`.
  return path === '/' ? originalPath : ''
}

interface RequestTarget {
  /** `undefined` for a path, and for an invalid target. */
  readonly host: string | undefined
  /** Not empty. */
  readonly path: string
  readonly queryString: string
}

/** Splits `http://api.example.com/men?sort=age` into `api.example.com`, `/men` and `sort=age`. https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
function splitTarget(target: string): RequestTarget {
  const [start, host] = (target.startsWith('/') ? null : ABSOLUTE.exec(target)) ?? ['']
  const end = target.indexOf('?', start.length)
  const path = end < 0 ? target.slice(start.length) : target.slice(start.length, end)
  return { host, path: path === '' ? '/' : path, queryString: end < 0 ? '' : target.slice(end + 1) }
}

/** Parsers disagree on the end of other hosts, so middleware that compares paths could see another path. */
const ABSOLUTE = /^https?:\/\/((?:[a-z\d\-._]+|\[[\da-f:.]+\])(?::\d*)?)(?=[/?]|$)/i
