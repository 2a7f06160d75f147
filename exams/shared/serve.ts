import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Server {
  readonly port: number
  close(): Promise<void>
}

/** Starts a server on a free port. */
export async function serve(listener: unknown): Promise<Server> {
  const server = createServer(listener as RequestListener)
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}
