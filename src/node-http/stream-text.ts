import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { onConnectionEnd } from './connection-end'
import { MAX_SLICE_MS } from './request-queue'

/** A text whose start is produced, and whose rest is generated. */
export interface LongText {
  readonly start: string | Uint8Array
  readonly rest: Iterable<string> | AsyncIterable<string>
}

export interface TextStreamOptions {
  /** Sends the headers when the first part of the rest is available. */
  readonly begin: () => void
  /** Milliseconds that a client may read nothing while data is available; `null`: unlimited. */
  readonly stallTimeout: number | null
}

/**
 * Sends a text while it is generated, as fast as the client reads. Holds the data of the rest until then. Yields between parts, so that
 * other requests are served even if this client reads at once.
 */
export async function streamText(
  text: LongText,
  response: ServerResponse,
  streaming: TextStreamOptions,
): Promise<void> {
  let workingSince = performance.now()
  let hasBegun = false
  for await (const chunk of inChunks(text)) {
    if (!hasBegun) {
      // Another handler has responded meanwhile, or the client has disconnected.
      if (response.headersSent || hasHungUp(response)) return
      streaming.begin()
      hasBegun = true
    }
    if (!response.write(chunk)) await drained(response, streaming.stallTimeout)
    if (performance.now() - workingSince >= MAX_SLICE_MS) {
      await nextTurn()
      workingSince = performance.now()
    }
    if (hasHungUp(response)) return
  }
  response.end()
}

/**
 * Collects chunks, since a write for each resource would take longer than the resource. Holds back the start until the rest has begun,
 * because an error before that can still become an error response.
 */
async function* inChunks({ start, rest }: LongText): AsyncGenerator<string | Uint8Array> {
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

/** Resolves when the buffer is empty or the client has disconnected. Rejects after the stall timeout. */
function drained(response: ServerResponse, patience: number | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(timer)
      emptying.off('drain', go)
      response.off('close', go)
      forget()
      resolve()
    }
    const giveUp = () => {
      reject(truncatedResponseError(response, 'the client stopped reading'))
      go()
    }
    // After a blocked event loop, timers run before I/O events. `setImmediate` lets a `drain` event that is already pending win.
    const timer = patience === null ? undefined : setTimeout(() => setImmediate(giveUp), patience)
    const forget = onConnectionEnd(response.req.socket, go)
    // Middleware that compresses, such as `compression`, forwards the listener to its own stream and returns that stream.
    const emptying = response.on('drain', go)
    response.on('close', go)
    if (hasHungUp(response)) go()
  })
}

/** A response that is queued behind another one on its connection gets no event when the connection ends. */
function hasHungUp({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}

/** The error that `onError` receives for a response that has started and cannot be finished. */
export function truncatedResponseError({ req }: ServerResponse, reason: string): JsonApiError {
  const [path] = (req.url ?? '').split('?')
  return new JsonApiError([clientError('server.timeout', `${req.method} ${path} was truncated: ${reason}.`)])
}
