import type { Socket } from 'node:net'

/**
 * Calls `listener` when the connection ends, and returns a function that cancels this. Node emits no event for a response that is queued
 * behind another one on the same connection. Adds only one listener to the connection, however many responses wait.
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
