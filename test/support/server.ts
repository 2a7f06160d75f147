import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { createJsonApi, type JsonApiOptions } from 'stemma'
import { type CheckDescribed, describedBy } from './described'
import { ApiRequest } from './request'

/** A running API, and requests to it. */
export interface TestServer {
  readonly url: string
  get(path: string): ApiRequest
  post(path: string): ApiRequest
  patch(path: string): ApiRequest
  delete(path: string): ApiRequest
  /** Any other method, or one that a table of tests names. */
  request(method: string, path: string, sending?: Sending): ApiRequest
  close(): Promise<void>
}

/** What a table of tests sends. */
export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServerOptions extends JsonApiOptions {
  readonly mountPath?: string
  /** Runs in front of the API. */
  readonly before?: RequestHandler
  /** Default: that of this run of the tests. */
  readonly door?: Door
}

/** The ways into an API. */
export type Door = 'router' | 'listener'

/** scripts/databases.js knows the run that goes through the listener. */
const DOOR: Door = process.env.TEST_DOOR === 'listener' ? 'listener' : 'router'

export function startServer({
  mountPath = '/',
  before,
  door = DOOR,
  ...configuration
}: ServerOptions): Promise<TestServer> {
  // Pages for people are asked for in test/guides/explorer; everywhere else a browser is to get what all clients get.
  const api = createJsonApi({ startupLog: 'quiet', explorer: false, ...configuration })
  const { router, listener } = api
  const check = describedBy(api, mountPath)
  // What is to be asked of Express, or mounted in it, has the listener there too.
  const isAlone = before === undefined && configuration.context === undefined && mountPath === '/'
  if (door === 'listener' && isAlone) return serve(listener as RequestListener, check)
  const app = express()
  if (before !== undefined) app.use(before)
  return serve(app.use(mountPath, door === 'router' ? router : listener), check)
}

/** Any app, on a port that is free. Its answers are held against no OpenAPI document unless one is given. */
export async function serve(app: RequestListener, check?: CheckDescribed): Promise<TestServer> {
  const server = createServer(app)
  // Else it hangs up on a connection at the moment at which a test that had to wait for the machine asks again.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      // What is still under way ends its connection with it.
      server.keepAliveTimeout = 1
      server.close(() => resolve())
    })
  return { ...clientOf(url, check), close }
}

/** Requests to a server, wherever it runs. */
export function clientOf(url: string, check?: CheckDescribed): Omit<TestServer, 'close'> {
  const open = (method: string, path: string) => new ApiRequest(url, method, path, check)
  return {
    url,
    get: (path) => open('GET', path),
    post: (path) => open('POST', path),
    patch: (path) => open('PATCH', path),
    delete: (path) => open('DELETE', path),
    request: (method, path, { body, headers = {} } = {}) => open(method, path).set(headers).send(body),
  }
}
