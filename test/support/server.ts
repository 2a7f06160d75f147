import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import express, { type RequestHandler } from 'express'
import { createJsonApi, type JsonApiOptions } from 'stemma'
import { createOpenApiCheck, type OpenApiCheck } from './openapi-check'
import { ApiRequest } from './request'

/** A running API, and requests to it. */
export interface TestServer {
  readonly url: string
  get(path: string): ApiRequest
  post(path: string): ApiRequest
  patch(path: string): ApiRequest
  delete(path: string): ApiRequest
  request(method: string, path: string, options?: RequestOptions): ApiRequest
  close(): Promise<void>
}

export interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServerOptions extends JsonApiOptions {
  readonly mountPath?: string
  /** Middleware before the API. */
  readonly before?: RequestHandler
  /** Default: the entry point of this run. */
  readonly entryPoint?: EntryPoint
}

export type EntryPoint = 'router' | 'listener'

/** scripts/databases.js has the configuration that uses the listener. */
const ENTRY_POINT: EntryPoint = process.env.TEST_ENTRY_POINT === 'listener' ? 'listener' : 'router'

export function startServer({
  mountPath = '/',
  before,
  entryPoint = ENTRY_POINT,
  ...configuration
}: ServerOptions): Promise<TestServer> {
  // Only test/guides/explorer requests pages. All other tests get documents, also as a browser.
  const api = createJsonApi({ startupLog: false, explorer: false, ...configuration })
  const { router, listener } = api
  const check = createOpenApiCheck(api, mountPath)
  // Tests that use features of Express mount the listener there.
  const isAlone = before === undefined && configuration.context === undefined && mountPath === '/'
  if (entryPoint === 'listener' && isAlone) return serve(listener as RequestListener, check)
  const app = express()
  if (before !== undefined) app.use(before)
  return serve(app.use(mountPath, entryPoint === 'router' ? router : listener), check)
}

/** Starts any handler on a free port. Checks responses against an OpenAPI document only if one is given. */
export async function serve(app: RequestListener, check?: OpenApiCheck): Promise<TestServer> {
  // Node throws an error for a body in a response to HEAD.
  const server = createServer({ rejectNonStandardBodyWrites: true }, app)
  // Otherwise the server may close an idle connection just when a delayed test sends its next request.
  server.keepAliveTimeout = 0
  // A browser opens connections that it may never use. The server would wait a minute for their first request.
  const unused = new Set<Socket>()
  server.on('connection', (socket) => unused.add(socket.once('close', () => unused.delete(socket))))
  server.on('request', ({ socket }) => unused.delete(socket))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      // Requests in progress end with their connections.
      server.keepAliveTimeout = 1
      server.close(() => resolve())
      for (const socket of unused) socket.destroy()
    })
  return { ...clientOf(url, check), close }
}

/** Sends requests to a server, wherever it runs. */
export function clientOf(url: string, check?: OpenApiCheck): Omit<TestServer, 'close'> {
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
