import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** What became of the connections on which a request was under way, or might have come: those whose clients had not asked anything yet. */
export interface ShutdownResult {
  /** They ended in time, with their answers. */
  readonly completed: number
  /** They were there when the time was over. */
  readonly aborted: number
}

/** How long an end may take. */
export interface ShutdownOptions {
  /** Milliseconds for what is under way. Default: 10,000. */
  readonly timeout?: number
}

/**
 * Ends a server without taking anybody's answer away: nobody new is let in, requests that are under way are answered with `Connection: close`, and
 * what is left when the time is over is cut off. To call it again changes nothing, and waits for the same end.
 *
 * Connections that were upgraded, as those of WebSockets, are the matter of whoever upgraded them: they are waited for as all others are, and left
 * open then. One on which nothing was asked yet looks to Node.js like one that is about to, and is waited for too.
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
  // Somebody who is connected already can ask once more.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node.js looks for connections that have become idle once, when it begins to close.
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
  // The server does not end before those that were upgraded, which are there still.
  await Promise.race([ended, new Promise(setImmediate)])
  return { completed: underWay - late, aborted: late - (await countConnections(server)) }
}

/** Milliseconds. */
const LOOKING = 50

/** Milliseconds. What is more, a timer of Node.js takes for none. */
const LONGEST_WAIT = 2 ** 31 - 1

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}
