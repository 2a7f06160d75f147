import type { Server } from 'node:http'

/** What became of the connections on which a request was under way. */
export interface ClosedServer {
  /** They got their answers. */
  readonly finished: number
  /** They took too long. */
  readonly cut: number
}

/** How long an end may take. */
export interface ClosingOptions {
  /** Milliseconds for what is under way. Default: 10,000. */
  readonly within?: number
}

/**
 * Ends a server without taking anybody's answer away: nobody new is let in, requests that are under way are answered with `Connection: close`, and
 * what is left when the time is over is cut off. To call it again changes nothing, and waits for the same end.
 *
 * ```ts
 * process.once('SIGTERM', async () => {
 *   await closeServer(server, { within: 20_000 })
 *   await dataSource.destroy()
 * })
 * ```
 */
export function closeServer(server: Server, { within = 10_000 }: ClosingOptions = {}): Promise<ClosedServer> {
  const known = closing.get(server)
  if (known !== undefined) return known
  const closed = close(server, within)
  closing.set(server, closed)
  return closed
}

const closing = new WeakMap<Server, Promise<ClosedServer>>()

async function close(server: Server, within: number): Promise<ClosedServer> {
  // Somebody who is connected already can ask once more.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node.js looks for connections that have become idle once, when it begins to close.
  const looking = setInterval(() => server.closeIdleConnections(), LOOKING)
  await new Promise(setImmediate)
  const underWay = await countConnections(server)
  let cut = 0
  const cutting = setTimeout(async () => {
    cut = await countConnections(server)
    server.closeAllConnections()
  }, within)
  await ended
  clearInterval(looking)
  clearTimeout(cutting)
  return { finished: underWay - cut, cut }
}

/** Milliseconds. */
const LOOKING = 50

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}
