import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonApi } from './create-json-api'

/** Serves an API in Express on a free port of this machine, for one GET. Express is loaded on demand. */
export async function getFromTemporaryServer({ router }: JsonApi, path: string, headers: Headers): Promise<Response> {
  const { default: express } = await import('express')
  const server = createServer(express().use(router)).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' })
    const { status } = response
    return new Response(await response.text(), { status, headers: response.headers })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
