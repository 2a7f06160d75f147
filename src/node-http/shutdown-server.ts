import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { closeSocketsThatNeverSentData } from './close-sockets-that-never-sent-data'

/** The number of connections that were open at shutdown, except idle ones and those that have sent nothing yet. */
export interface ShutdownResult {
  /** Connections that ended in time, with their responses. */
  readonly completed: number
  /** Connections that were closed after the timeout. */
  readonly aborted: number
}

/** Options of `shutdownServer`. */
export interface ShutdownOptions {
  /** Milliseconds to wait for running requests. Default: 10,000. */
  readonly timeout?: number
}

/**
 * Shuts down a server gracefully. It accepts no new connections, responds to running requests with `Connection: close`, and closes the
 * remaining connections after the timeout. Idle connections, and those that have sent nothing yet, are closed at once. A second call waits for
 * the same shutdown.
 *
 * Upgraded connections, such as WebSockets, are waited for, and left open after the timeout: the code that upgraded them has to close them.
 *
 * ```ts
 * process.once('SIGTERM', async () => {
 *   await shutdownServer(server, { timeout: 20_000 })
 *   await dataSource.destroy()
 * })
 * ```
 */
export function shutdownServer(server: Server, { timeout = 10_000 }: ShutdownOptions = {}): Promise<ShutdownResult> {
  const known = closing.get(server)
  if (known !== undefined) return known
  const closed = close(server, timeout)
  closing.set(server, closed)
  return closed
}

const closing = new WeakMap<Server, Promise<ShutdownResult>>()

async function close(server: Server, timeout: number): Promise<ShutdownResult> {
  // Clients with an open connection can send one more request.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  let silent = 0
  // Node.js closes idle connections only once, when `close` is called. The first interval lets requests arrive that are on their way.
  const timer = setInterval(() => {
    server.closeIdleConnections()
    silent += closeSocketsThatNeverSentData(server)
  }, IDLE_CHECK_INTERVAL)
  await new Promise(setImmediate)
  const openAtStart = await countConnections(server)
  const waiting = new AbortController()
  const outcome = await Promise.race([
    ended.then(() => undefined),
    wait(Math.min(timeout, MAX_TIMEOUT), 'timeout', { signal: waiting.signal }),
  ])
  waiting.abort()
  clearInterval(timer)
  const completedAtMost = openAtStart - silent
  if (outcome === undefined) return { completed: completedAtMost, aborted: 0 }
  const stillOpen = await countConnections(server)
  server.closeAllConnections()
  // The server stays open as long as upgraded connections do.
  await Promise.race([ended, new Promise(setImmediate)])
  return { completed: completedAtMost - stillOpen, aborted: stillOpen - (await countConnections(server)) }
}

/** Milliseconds. */
const IDLE_CHECK_INTERVAL = 50

/** The maximum of Node.js timers in milliseconds. Larger values count as 1. */
const MAX_TIMEOUT = 2 ** 31 - 1

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}
