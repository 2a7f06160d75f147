import type { Request, RequestHandler } from 'express'
import type { ApiCore } from '../endpoints/api-core'
import { createRequestListener, type RequestListenerDependencies } from '../node-http/listener'
import {
  findOriginFromHostHeader,
  hostIgnoringForwardedHeader,
  type ResolveMountPoint,
} from '../node-http/request-head'

/** Returns a request handler for Express. It needs no `Router`, which would take time. */
export function createRouter(
  core: ApiCore,
  options: Omit<RequestListenerDependencies<Request>, 'resolveMountPoint'>,
): RequestHandler {
  return createRequestListener(core, { ...options, resolveMountPoint: resolveExpressMountPoint })
}

/** Reads the mount path, and the origin under the setting `trust proxy` of the application. */
const resolveExpressMountPoint: ResolveMountPoint<Request> = (request) => ({
  mountPath: request.baseUrl,
  findOrigin: () => findOriginFromHostHeader(request.protocol, hostsOf(request)),
})

/** Returns `request.host` of Express 5. In Express 4, it lacks the port. */
function hostsOf(request: Request): string | undefined {
  const { app, headers, socket } = request
  const trusts = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const forwarded = trusts(socket.remoteAddress, 0) ? headers['x-forwarded-host'] : undefined
  return forwarded === undefined ? hostIgnoringForwardedHeader(request) : String(forwarded)
}
