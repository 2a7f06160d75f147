import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { createJsonApi, type JsonApiConfiguration } from 'stemma'
import type { Exchange, RequirementId } from 'stemma/testing'
import { type CheckDescribed, describedBy } from './described'
import { lint } from './lint'
import { request } from './request'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly document: any
}

export interface Sending {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** What JSON:API asks for, and is not met on purpose. */
  readonly ignore?: readonly RequirementId[]
}

/** A running API, and requests to it. */
export interface TestServer {
  readonly url: string
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

export interface ServerOptions extends JsonApiConfiguration {
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
  // Pages for people are asked for in test/explorer; everywhere else a browser is to get what all clients get.
  const api = createJsonApi({ startUp: 'quiet', explorer: 'off', ...configuration })
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
export function clientOf(url: string, check: CheckDescribed = () => {}): Omit<TestServer, 'close'> {
  const send: TestServer['send'] = async (method, path, sending = {}) => {
    const { answer, seen } = await exchange(method, url + path, sending)
    lint(seen, answer.document, sending.ignore, Object.values(sending.headers ?? {}).join(' '))
    check(seen, answer.document)
    return answer
  }
  return {
    url,
    send,
    get: (path, headers) => send('GET', path, headers === undefined ? {} : { headers }),
    post: (path, body) => send('POST', path, { body }),
    patch: (path, body) => send('PATCH', path, { body }),
    delete: (path, body) => send('DELETE', path, body === undefined ? {} : { body }),
  }
}

async function exchange(method: string, url: string, { body, rawBody, headers }: Sending): Promise<Answered> {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = sent === undefined ? {} : { 'content-type': 'application/vnd.api+json' }
  const response = await request(method, url, { body: sent, headers: { ...type, ...headers } })
  const { status, headers: answered, text } = response
  const document: unknown = text === '' ? undefined : JSON.parse(text)
  const seen = { method, url, requestBody: sent ?? '', status, headers: answered, body: text }
  return { answer: { ...response, document }, seen }
}

interface Answered {
  readonly answer: Answer
  readonly seen: Exchange
}
