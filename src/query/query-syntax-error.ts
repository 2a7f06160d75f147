import { startOf } from '../document/cut-text'

/** One mistake in a text. */
export interface Mistake {
  /** Of the first character that is wrong, from 0. */
  readonly position: number
  readonly expected: string
  readonly found: string
  /** A sentence of its own, with a blank before it; or nothing. */
  readonly hint?: string
  /** A page is larger than this, which is the most there is. */
  readonly maximumSize?: number
}

/** A text that can't be read. It never leaves this room on its way to a client: `to-problem` translates it. */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError'
  readonly position: number
  readonly expected: string
  readonly found: string
  /** The one that the message is about, and those of the list's other elements. */
  readonly mistakes: readonly Mistake[]

  constructor(first: Mistake, further: readonly Mistake[] = []) {
    super(describeMistake(first))
    this.position = first.position
    this.expected = first.expected
    this.found = first.found
    this.mistakes = [first, ...further]
  }
}

export function describeMistake({ expected, found, hint = '' }: Mistake): string {
  return `Expected ${expected}, found ${found}.${hint}`
}

/** Reads every part, so that the mistakes of all come together; after very many there is no point in looking for more. */
export function collectMistakes<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const values: Value[] = []
  const mistakes: Mistake[] = []
  for (const part of parts) {
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error
      mistakes.push(...error.mistakes)
      if (mistakes.length >= ENOUGH) break
    }
  }
  const [first, ...further] = mistakes
  if (first !== undefined) throw new QuerySyntaxError(first, further)
  return values
}

/** A text of the client as a message shows it: in quotes, and not longer than a line. */
export function showText(text: string): string {
  return text.length > LONGEST ? `'${startOf(text, LONGEST)}...'` : `'${text}'`
}

/** `'men', 'women' or 'children'` */
export function showNames(names: readonly string[]): string {
  const shown = names.map(showText)
  const last = shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`
}

const LONGEST = 60
const ENOUGH = 20
