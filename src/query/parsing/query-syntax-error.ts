import { takeFirstCharacters } from '../../document/trim-text'

/** One syntax error in a text. */
export interface SyntaxIssue {
  /** The position of the first wrong character, from 0. */
  readonly position: number
  readonly expected: string
  readonly found: string
  /** A sentence with a space before it. */
  readonly hint?: string
  /** The maximum page size, if a larger one was requested. */
  readonly maxPageSize?: number
}

/** A syntax error in a query. It never leaves `query`: `to-query-error.ts` converts it to a `JsonApiError`. */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError'
  readonly position: number
  readonly expected: string
  readonly found: string
  /** The issue of the message, then those of other elements of a list. */
  readonly issues: readonly SyntaxIssue[]

  constructor(first: SyntaxIssue, others: readonly SyntaxIssue[] = []) {
    super(describeSyntaxIssue(first))
    this.position = first.position
    this.expected = first.expected
    this.found = first.found
    this.issues = [first, ...others]
  }
}

export function describeSyntaxIssue({ expected, found, hint = '' }: SyntaxIssue): string {
  return `Expected ${expected}, found ${found}.${hint}`
}

/** Parses every part and throws one error with the issues of all parts. Stops after `MAX_ISSUES`. */
export function mapCollectingSyntaxIssues<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const values: Value[] = []
  const issues: SyntaxIssue[] = []
  for (const part of parts) {
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error
      issues.push(...error.issues)
      if (issues.length >= MAX_ISSUES) break
    }
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new QuerySyntaxError(first, others)
  return values
}

/** Formats a text of the client for a message: quoted, and cut to the length of a line. */
export function quoteAndTruncate(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `'${takeFirstCharacters(text, MAX_SHOWN_LENGTH)}...'` : `'${text}'`
}

/** Formats a list of names: `'men', 'women' or 'children'` */
export function formatNames(names: readonly string[]): string {
  const shown = names.map(quoteAndTruncate)
  const last = shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`
}

const MAX_SHOWN_LENGTH = 60
const MAX_ISSUES = 20
