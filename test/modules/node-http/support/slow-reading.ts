import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A response that has started and is not read yet. */
export function open(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject))
}

/** A connection to a server, on which tests write requests byte by byte. */
export function connectTo({ url }: { readonly url: string }): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}
