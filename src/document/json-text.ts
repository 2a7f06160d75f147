/**
 * A value of JSON that goes out as text, in pieces: each is made when it is asked for, so that a list of a hundred thousand resources never
 * stands in memory as a whole. It can be asked for once.
 */
export interface JsonText {
  readonly kind: 'list' | 'one'
  readonly pieces: Iterable<string>
  /** What follows the pieces, where it has to be waited for. */
  readonly later?: AsyncIterable<string>
}

/** The text of one value. */
export function toOneText(write: () => string): JsonText {
  return { kind: 'one', pieces: only(write) }
}

/** The text of a list, a piece for every few of its items. */
export function toListText<Item>(items: readonly Item[], write: (item: Item, index: number) => string): JsonText {
  return { kind: 'list', pieces: listed(items, write) }
}

/** The text of a list whose items come in windows. */
export function toLongListText<Item>(windows: AsyncIterable<readonly Item[]>, write: (item: Item) => string): JsonText {
  return { kind: 'list', pieces: ['['], later: listedLater(windows, write) }
}

/** The same, with all of its text made. */
export function inFull({ kind, pieces }: JsonText): JsonText {
  return { kind, pieces: [join(pieces)] }
}

export function join(pieces: Iterable<string>): string {
  return [...pieces].join('')
}

/**
 * As `JSON.stringify` has it. Most texts hold nothing that is escaped, and to look is quicker than to let it look: 60 ns against 125 for 20
 * letters, 2 µs against 3.5 for 2000.
 */
export function quote(text: string): string {
  return MAY_BE_ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Anything but what never is: found a tenth faster than what may be. Of surrogates only those that stand alone are escaped. */
const MAY_BE_ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function* only(write: () => string): Generator<string> {
  yield write()
}

function* listed<Item>(items: readonly Item[], write: (item: Item, index: number) => string): Generator<string> {
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

async function* listedLater<Item>(windows: AsyncIterable<readonly Item[]>, write: (item: Item) => string) {
  let start = ''
  for await (const items of windows) {
    if (items.length > 0) yield start + items.map(write).join()
    if (items.length > 0) start = ','
  }
  yield ']'
}

/** To hand over each of its own takes a tenth of a page of 10. */
const ITEMS_IN_PIECE = 16
