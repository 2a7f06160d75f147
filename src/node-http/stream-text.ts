import type { ServerResponse } from 'node:http'

/** A text of which only the start is made. */
export interface LongText {
  readonly start: string | Uint8Array
  readonly rest: Iterable<string> | AsyncIterable<string>
}

/** Sends a text while it is made, as fast as the client takes it. */
export async function streamText(
  text: LongText,
  response: ServerResponse,
  report: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const chunk of inChunks(text)) {
      if (!response.write(chunk)) await emptied(response)
      if (response.destroyed) return
    }
    response.end()
  } catch (error) {
    // A part of the answer is out already. That it is cut off is all that can be told.
    response.destroy()
    report(error)
  }
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
    if (chunk.length < LONGEST_CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (unsent !== undefined) yield unsent
  yield chunk
}

const LONGEST_CHUNK = 64 * 1024

/** Or the client has hung up. */
function emptied(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
    if (response.destroyed) go()
  })
}
