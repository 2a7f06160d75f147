import type { Request, RequestHandler } from 'express'
import type { Api } from '../endpoints/api'
import { createListener, type ListenerOptions } from '../node-http/listener'
import { hostOf, type ResolveMountPoint, toOrigin } from '../node-http/request-head'

/** The API as a part of an application of Express: a function, since a `Router` around it would write to each request once more. */
export function createRouter(api: Api, options: Omit<ListenerOptions<Request>, 'resolveMountPoint'>): RequestHandler {
  return createListener(api, { ...options, resolveMountPoint: resolveExpressMountPoint })
}

/** Where the application has mounted the API, and whom it trusts to say what the client asked. */
const resolveExpressMountPoint: ResolveMountPoint<Request> = (request) => ({
  mountPath: request.baseUrl,
  findOrigin: () => toOrigin(request.protocol, hostsOf(request)),
})

/** As Express 5 finds `host`, which is without the port in Express 4. */
function hostsOf(request: Request): string | undefined {
  const { app, headers, socket } = request
  const trusts = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const forwarded = trusts(socket.remoteAddress, 0) ? headers['x-forwarded-host'] : undefined
  return forwarded === undefined ? hostOf(request) : String(forwarded)
}
