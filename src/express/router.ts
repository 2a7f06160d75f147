import type { Request, RequestHandler } from 'express'
import type { Api } from '../endpoints/api'
import { createListener, type ListenerOptions } from '../node-http/listener'
import { hostOf, type ResolveMountPoint, toOrigin } from '../node-http/request-head'

/** Creates an Express handler for the API. It is a function, since a `Router` around it would add its own processing to each request. */
export function createRouter(api: Api, options: Omit<ListenerOptions<Request>, 'resolveMountPoint'>): RequestHandler {
  return createListener(api, { ...options, resolveMountPoint: resolveExpressMountPoint })
}

/** Returns the path under which the application has mounted the API, and the origin according to Express's `trust proxy` setting. */
const resolveExpressMountPoint: ResolveMountPoint<Request> = (request) => ({
  mountPath: request.baseUrl,
  findOrigin: () => toOrigin(request.protocol, hostsOf(request)),
})

/** Returns `host` with its port, as Express 5 does. Express 4 leaves out the port. */
function hostsOf(request: Request): string | undefined {
  const { app, headers, socket } = request
  const trusts = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const forwarded = trusts(socket.remoteAddress, 0) ? headers['x-forwarded-host'] : undefined
  return forwarded === undefined ? hostOf(request) : String(forwarded)
}
