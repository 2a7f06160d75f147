import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** How the connections ended. Counts those with a request in progress, and those on which no request has arrived yet. */
export interface ShutdownResult {
  /** Connections that ended in time, with their responses. */
  readonly completed: number
  /** Connections that were still open at the timeout. */
  readonly aborted: number
}

/** Options of `shutdownServer`. */
export interface ShutdownOptions {
  /** Milliseconds for requests in progress. Default: 10,000. */
  readonly timeout?: number
}

/**
 * Shuts down a server without losing responses. It accepts no new connections and answers requests in progress with `Connection: close`.
 * After `timeout` it destroys the connections that are left. Further calls return the same promise.
 *
 * Upgraded connections, such as WebSockets, belong to the application: the function waits for them, but leaves them open at the timeout. It
 * also waits for new connections without a request, because Node.js cannot tell whether one is about to arrive.
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

async function close(server: Server, within: number): Promise<ShutdownResult> {
  // A connected client may send one more request.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node.js closes idle connections only once, at the start.
  const looking = setInterval(() => server.closeIdleConnections(), LOOKING)
  await new Promise(setImmediate)
  const underWay = await countConnections(server)
  const inTime = new AbortController()
  const left = await Promise.race([
    ended.then(() => undefined),
    wait(Math.min(within, LONGEST_WAIT), 'left', { signal: inTime.signal }),
  ])
  inTime.abort()
  clearInterval(looking)
  if (left === undefined) return { completed: underWay, aborted: 0 }
  const late = await countConnections(server)
  server.closeAllConnections()
  // The server does not close before its upgraded connections, which stay open.
  await Promise.race([ended, new Promise(setImmediate)])
  return { completed: underWay - late, aborted: late - (await countConnections(server)) }
}

/** Milliseconds. */
const LOOKING = 50

/** Milliseconds. Node.js treats a longer timer as 1 ms. */
const LONGEST_WAIT = 2 ** 31 - 1

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}
