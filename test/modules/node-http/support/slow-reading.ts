import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A response that has started and is not read yet. */
export function open(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject))
}

/** All of it, with a pause of so many milliseconds after every 256 KB. */
export async function readSlowly(response: IncomingMessage, pause: number): Promise<string> {
  const pieces: Buffer[] = []
  let unpaused = 0
  for await (const piece of response) {
    pieces.push(piece)
    unpaused += piece.length
    if (unpaused < 256 * 1024) continue
    unpaused = 0
    await wait(pause)
  }
  return Buffer.concat(pieces).toString()
}

/** A connection to a server, on which tests write requests byte by byte. */
export function connectTo({ url }: { readonly url: string }): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}
