import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { onConnectionEnd } from './connection-end'
import { MAX_SLICE_MS } from './request-queue'

/** A text of which only the start is made. */
export interface LongText {
  readonly start: string | Uint8Array
  readonly rest: Iterable<string> | AsyncIterable<string>
}

export interface TextStreamOptions {
  /** Sends what comes before the text, once there is something of the rest. */
  readonly begin: () => void
  /** Milliseconds that a client may leave untaken what is there for it; `null`: for ever. */
  readonly stallTimeout: number | null
}

/**
 * Sends a text while it is made, as fast as the client takes it: what the rest is made of is held as long. Everybody else has turns in between, also
 * where the client takes all of it at once.
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
      // Somebody else has answered meanwhile, or nobody is there any more.
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
 * A write for each resource would take longer than the resource. The start goes out once the rest has begun: whoever has seen it sees what was there
 * before.
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

/** Or the client has hung up. Throws where it does neither. */
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
    // Where the process stood still, timers come first, and what the client has taken meanwhile is told of after them.
    const timer = patience === null ? undefined : setTimeout(() => setImmediate(giveUp), patience)
    const forget = onConnectionEnd(response.req.socket, go)
    // Middleware that packs, as `compression` does, has a stream of its own listened to, and gives that back.
    const emptying = response.on('drain', go)
    response.on('close', go)
    if (hasHungUp(response)) go()
  })
}

/** A response that waits behind another one on its connection is not told that the connection has ended. */
function hasHungUp({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}

/** What `report` is told of an answer that has begun, and does not get on. */
export function truncatedResponseError({ req }: ServerResponse, reason: string): JsonApiError {
  const [path] = (req.url ?? '').split('?')
  return new JsonApiError([clientError('server.timeout', `${req.method} ${path} was truncated: ${reason}.`)])
}
