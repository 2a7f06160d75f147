/**
 * JSON text in pieces, which can be read once. Each piece is generated on demand, so that a list of a hundred thousand resources is never in
 * memory as a whole.
 */
export interface JsonTextStream {
  readonly kind: 'list' | 'one'
  readonly pieces: Iterable<string>
  /** The asynchronous rest of the text. */
  readonly later?: AsyncIterable<string>
}

/** Returns the text of one value. */
export function toSinglePieceJsonTextStream(write: () => string): JsonTextStream {
  return { kind: 'one', pieces: singlePiece(write) }
}

/** Returns the text of a list, with one piece for several items. */
export function toJsonArrayStream<Item>(
  items: readonly Item[],
  write: (item: Item, index: number) => string,
): JsonTextStream {
  return { kind: 'list', pieces: listPieces(items, write) }
}

/** Returns the text of a list whose items arrive in batches. */
export function toAsyncJsonArrayStream<Item>(
  batches: AsyncIterable<readonly Item[]>,
  write: (item: Item) => string,
): JsonTextStream {
  return { kind: 'list', pieces: ['['], later: streamedListPieces(batches, write) }
}

/** Makes all pieces now and holds their text. */
export function bufferJsonTextStream({ kind, pieces }: JsonTextStream): JsonTextStream {
  return { kind, pieces: [joinJsonPiecesToText(pieces)] }
}

export function joinJsonPiecesToText(pieces: Iterable<string>): string {
  return [...pieces].join('')
}

/**
 * Quotes a text as `JSON.stringify` does. Most texts need no escapes, and this test is faster: 60 ns against 125 for 20
 * letters, 2 µs against 3.5 for 2000.
 */
export function quoteJsonString(text: string): string {
  return MAY_BE_ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Characters that may need an escape. The negated class is a tenth faster. Only lone surrogates are escaped. */
const MAY_BE_ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function* singlePiece(write: () => string): Generator<string> {
  yield write()
}

function* listPieces<Item>(items: readonly Item[], write: (item: Item, index: number) => string): Generator<string> {
  let piece = '['
  let index = 0
  for (const item of items) {
    piece += index === 0 ? write(item, index) : `,${write(item, index)}`
    index++
    if (index % ITEMS_IN_PIECE !== 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}

async function* streamedListPieces<Item>(batches: AsyncIterable<readonly Item[]>, write: (item: Item) => string) {
  let start = ''
  for await (const items of batches) {
    if (items.length > 0) yield start + items.map(write).join()
    if (items.length > 0) start = ','
  }
  yield ']'
}

/** One piece per item would take 10 % more time for a page of 10. */
const ITEMS_IN_PIECE = 16
