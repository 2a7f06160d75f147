import { startOf } from '../../document/cut-text'

/** One mistake in a text. */
export interface SyntaxIssue {
  /** Of the first character that is wrong, from 0. */
  readonly position: number
  readonly expected: string
  readonly found: string
  /** A sentence of its own, with a blank before it; or nothing. */
  readonly hint?: string
  /** A page is larger than this, which is the most there is. */
  readonly maxSize?: number
}

/** A text that can't be read. It never leaves this room on its way to a client: `to-problem` translates it. */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError'
  readonly position: number
  readonly expected: string
  readonly found: string
  /** The one that the message is about, and those of the list's other elements. */
  readonly issues: readonly SyntaxIssue[]

  constructor(first: SyntaxIssue, further: readonly SyntaxIssue[] = []) {
    super(describeSyntaxIssue(first))
    this.position = first.position
    this.expected = first.expected
    this.found = first.found
    this.issues = [first, ...further]
  }
}

export function describeSyntaxIssue({ expected, found, hint = '' }: SyntaxIssue): string {
  return `Expected ${expected}, found ${found}.${hint}`
}

/** Reads every part, so that the mistakes of all come together; after very many there is no point in looking for more. */
export function collectSyntaxIssues<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const values: Value[] = []
  const mistakes: SyntaxIssue[] = []
  for (const part of parts) {
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error
      mistakes.push(...error.issues)
      if (mistakes.length >= MAX_ISSUES) break
    }
  }
  const [first, ...further] = mistakes
  if (first !== undefined) throw new QuerySyntaxError(first, further)
  return values
}

/** A text of the client as a message shows it: in quotes, and not longer than a line. */
export function showText(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `'${startOf(text, MAX_SHOWN_LENGTH)}...'` : `'${text}'`
}

/** `'men', 'women' or 'children'` */
export function showNames(names: readonly string[]): string {
  const shown = names.map(showText)
  const last = shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`
}

const MAX_SHOWN_LENGTH = 60
const MAX_ISSUES = 20
