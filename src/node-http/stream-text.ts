import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import { MAX_SLICE_MS } from './time-sliced-request-queue'

/** A text of which only the start is complete. */
export interface StreamedText {
  readonly start: string | Uint8Array
  readonly rest: Iterable<string> | AsyncIterable<string>
}

interface TextStreamOptions {
  /** Sends the headers. Called once the rest has begun. */
  readonly begin: () => void
  /** Milliseconds for which a client may accept no data; `null` for no limit. */
  readonly stallTimeout: number | null
}

/**
 * Sends a text while it is generated, as fast as the client receives it. Yields to other requests in between, even if the client is fast.
 * The source of the rest stays open until the end.
 */
export async function streamText(
  text: StreamedText,
  response: ServerResponse,
  streaming: TextStreamOptions,
): Promise<void> {
  let workingSince = performance.now()
  let hasBegun = false
  for await (const chunk of inChunks(text)) {
    if (!hasBegun) {
      // Middleware has responded, or the client has disconnected.
      if (response.headersSent || isDisconnected(response)) return
      streaming.begin()
      hasBegun = true
    }
    if (!response.write(chunk)) await waitForDrain(response, streaming.stallTimeout)
    if (performance.now() - workingSince >= MAX_SLICE_MS) {
      await nextTurn()
      workingSince = performance.now()
    }
    if (isDisconnected(response)) return
  }
  response.end()
}

/** Joins pieces, since a write for each resource would take longer than the resource. The start is sent once the rest has begun. */
async function* inChunks({ start, rest }: StreamedText): AsyncGenerator<string | Uint8Array> {
  let unsent: string | Uint8Array | undefined = start
  let chunk = ''
  for await (const piece of rest) {
    if (unsent !== undefined) yield unsent
    unsent = undefined
    chunk += piece
    if (chunk.length < MAX_CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (unsent !== undefined) yield unsent
  yield chunk
}

const MAX_CHUNK_LENGTH = 64 * 1024

/** Waits until the client has received the data, or has disconnected. Throws if it does neither in time. */
function waitForDrain(response: ServerResponse, stallTimeout: number | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      drainedStream.off('drain', finish)
      response.off('close', finish)
      removeListener()
      resolve()
    }
    const onStall = () => {
      reject(streamTimeoutError(response, 'the client stopped reading'))
      finish()
    }
    // After the process was blocked, timers run before the events of sockets.
    const timer = stallTimeout === null ? undefined : setTimeout(() => setImmediate(onStall), stallTimeout)
    const removeListener = onConnectionEnd(response.req.socket, finish)
    // Middleware such as `compression` adds the listener to a stream of its own, and returns that stream.
    const drainedStream = response.on('drain', finish)
    response.on('close', finish)
    if (isDisconnected(response)) finish()
  })
}

/** Returns true if the client has disconnected. Checks the socket too: a response that waits behind another one is not destroyed with it. */
function isDisconnected({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}

/** Creates the error for `onError` when a response is truncated. */
export function streamTimeoutError({ req }: ServerResponse, reason: string): JsonApiError {
  const [path] = (req.url ?? '').split('?')
  return createJsonApiError('server.timeout', `${req.method} ${path} was truncated: ${reason}.`)
}

/**
 * Calls a listener when a connection ends, and returns a function that removes it. A response that waits behind another one emits no `close`.
 * All listeners of a connection share one listener on its socket.
 */
function onConnectionEnd(socket: Socket, listener: () => void): () => void {
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
