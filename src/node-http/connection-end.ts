import type { Socket } from 'node:net'

/**
 * Calls when a connection has ended: a response that waits behind another one on it is not told. Gives what takes it back. However many wait, the
 * connection has one listener.
 */
export function onConnectionEnd(socket: Socket, listener: () => void): () => void {
  const listeners = LISTENERS.get(socket) ?? listenTo(socket)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const LISTENERS = new WeakMap<Socket, Set<() => void>>()

function listenTo(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>()
  LISTENERS.set(socket, listeners)
  socket.once('close', () => {
    for (const listener of [...listeners]) listener()
  })
  return listeners
}
