import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections that have sent nothing yet, such as those that browsers open in advance, and returns their number. For Node.js they are not
 * idle. It has no public list of connections: if its own list is missing, nothing is closed.
 */
export function closeSocketsThatNeverSentData(server: Server): number {
  const silent = socketsOf(server).filter(({ bytesRead, destroyed }) => bytesRead === 0 && !destroyed)
  for (const socket of silent) socket.destroy()
  return silent.length
}

interface ConnectionsList {
  all(): readonly { readonly socket?: Socket | null }[]
}

function socketsOf(server: Server): readonly Socket[] {
  const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === CONNECTIONS)
  const list = symbol && (server as Server & { readonly [name: symbol]: Partial<ConnectionsList> | undefined })[symbol]
  return list?.all?.().flatMap(({ socket }) => socket ?? []) ?? []
}

/** Of Node.js 18 and later. */
const CONNECTIONS = 'http.server.connections'
