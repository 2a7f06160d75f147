import { join } from '../document/json-text'
import type { DocumentText } from '../response/print-document'

/** A document on its way out. */
export interface BufferedBody {
  /** Long ones are bytes. */
  readonly body: string | Uint8Array
  /** What follows the body, where it is but the start. */
  readonly rest: Iterable<string> | AsyncIterable<string> | undefined
}

/**
 * The text, or the start of one that is longer than that. What is short is joined, what is long written down as bytes piece by piece, while
 * each is fresh: as one text it would be copied three times on its way to the socket, which is a quarter of a page of 1,000.
 */
export function bufferBody({ pieces, later }: DocumentText, longest: number): BufferedBody {
  // The pieces are but the start then, and short; nothing of it goes out before there is more.
  return later === undefined ? bufferPieces(pieces, longest) : { body: join(pieces), rest: later }
}

function bufferPieces(pieces: DocumentText['pieces'], longest: number): BufferedBody {
  const made: string[] = []
  let length = 0
  while (length <= Math.min(longest, MAX_STRING_LENGTH)) {
    const next = pieces.next()
    if (next.done) return { body: made.join(''), rest: undefined }
    made.push(next.value)
    length += next.value.length
  }
  const start = made.join('')
  return length > longest ? { body: start, rest: pieces } : bufferBytes(start, pieces, longest)
}

function bufferBytes(start: string, pieces: DocumentText['pieces'], longest: number): BufferedBody {
  const bytes = new ScratchBytes(start)
  for (let length = start.length; length <= longest; ) {
    const next = pieces.next()
    if (next.done) return { body: bytes.copy(), rest: undefined }
    bytes.add(next.value)
    length += next.value.length
  }
  return { body: bytes.copy(), rest: pieces }
}

/** To write bytes costs the same for all lengths, and pays where the text is longer than this. */
const MAX_STRING_LENGTH = 128 * 1024

/** Written into memory that is used again for the next text: what a system gives anew costs as much as the writing. */
class ScratchBytes {
  private memory = scratch
  private end = 0

  constructor(start: string) {
    // While this one is written there may be another.
    scratch = NO_MEMORY
    this.add(start)
  }

  add(text: string): void {
    const needed = this.end + text.length * BYTES_PER_UNIT
    if (needed > this.memory.length) this.grow(needed)
    this.end += this.memory.write(text, this.end)
  }

  /** Ends the writing. */
  copy(): Uint8Array {
    const { memory, end } = this
    if (memory.length <= MAX_SCRATCH_SIZE) scratch = memory
    return Buffer.from(memory.subarray(0, end))
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.memory.length * 2))
    this.memory.copy(larger, 0, 0, this.end)
    this.memory = larger
  }
}

const NO_MEMORY = Buffer.alloc(0)
const MAX_SCRATCH_SIZE = 4 * 1024 * 1024
/** Of UTF-8, at most. */
const BYTES_PER_UNIT = 3

let scratch = NO_MEMORY
