import { didYouMean } from '../../errors/nearest-name'
import { mapCollectingSyntaxIssues, QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'

/**
 * Token : punctuation | text | quoted
 * punctuation : one of `( ) [ ] . , : -`; within text, `-` is a character of the text
 * quoted : `'`, characters with each quote doubled, `'`
 *
 * The `text` of a quoted token is the characters between the quotes; a doubled quote is one character.
 */
export interface QueryToken {
  readonly kind: 'punctuation' | 'text' | 'quoted' | 'end'
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Reads tokens from a text or a part of it. Positions count from the start of the whole text. */
export class QueryTokenCursor {
  readonly #source: string
  readonly #limit: number
  #offset: number
  #ahead: QueryToken | undefined

  constructor(source: string, start = 0, end = source.length) {
    this.#source = source
    this.#offset = start
    this.#limit = end
  }

  peek(): QueryToken {
    this.#ahead ??= tokenAt(this.#source, this.#offset, this.#limit)
    return this.#ahead
  }

  next(): QueryToken {
    const token = this.peek()
    this.#offset = token.end
    this.#ahead = undefined
    return token
  }

  /** Returns a cursor at the same token, to look further ahead. */
  copy(): QueryTokenCursor {
    return new QueryTokenCursor(this.#source, this.#offset, this.#limit)
  }

  /** Returns true if the next token is this punctuation or word. */
  isAt(text: string): boolean {
    const token = this.peek()
    return token.text === text && (token.kind === 'punctuation' || token.kind === 'text')
  }

  /** Returns true if the next token is a name directly followed by this punctuation: `count(`. */
  isAtNameBefore(punctuation: string): boolean {
    const { kind, end } = this.peek()
    return kind === 'text' && end < this.#limit && this.#source[end] === punctuation
  }

  /** Returns the text from a position to the end of the token that was read last. */
  textSince(start: number): string {
    return this.#source.slice(start, this.#offset)
  }

  /** Returns the value that the next token probably starts, if the client forgot its quotes. */
  peekUnquotedValue(): string | undefined {
    const { kind, text, start } = this.peek()
    const isValue = (kind === 'text' && text !== 'null' && !this.isAtNameBefore('(')) || this.isAt('-')
    return isValue ? valueWithoutQuotes(this.#source.slice(start, this.#limit)) : undefined
  }

  skip(text: string): boolean {
    const isFound = this.isAt(text)
    if (isFound) this.next()
    return isFound
  }

  expect(text: string): QueryToken {
    return this.isAt(text) ? this.next() : this.fail(quoteAndTruncate(text))
  }

  /** Returns the next token, which must be a name. `expected` is called only for the error. */
  expectName(expected: () => string): QueryToken {
    return this.peek().kind === 'text' ? this.next() : this.fail(expected())
  }

  expectQuoted(): QueryToken {
    if (this.peek().kind === 'quoted') return this.next()
    return this.fail('a value in single quotes', quotesHint(this.peekUnquotedValue()))
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') this.fail('the end')
  }

  /** Throws an error at the next token. */
  fail(expected: string, hint = ''): never {
    const token = this.peek()
    throw new QuerySyntaxError({ position: token.start, expected, found: formatToken(token), hint })
  }

  /** Throws an error at the next token, with a hint if it resembles one of the `known` names. */
  failAtName(expected: string, known: Iterable<string>): never {
    const { kind, text } = this.peek()
    return this.fail(expected, kind === 'text' ? didYouMean(text, known) : '')
  }
}

/**
 * List : Element { ',' Element }
 *
 * Parses each element by itself, so that errors of all elements are reported.
 */
export function parseList<Element>(text: string, elementAt: (cursor: QueryTokenCursor) => Element): Element[] {
  return mapCollectingSyntaxIssues(rangesOfQueryListElements(text), ([start, end]) => {
    const cursor = new QueryTokenCursor(text, start, end)
    const element = elementAt(cursor)
    cursor.expectEnd()
    return element
  })
}

/** A part of a text. */
export type TextRange = readonly [start: number, end: number]

/** Returns the ranges of the elements of a list. Commas outside of parentheses and quotes separate them. */
export function rangesOfQueryListElements(text: string): readonly TextRange[] {
  const elements: [number, number][] = []
  let start = 0
  let depth = 0
  for (const { 0: character, index } of text.matchAll(/[(),]|'[^']*'/g)) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character !== ',' || depth > 0) continue
    elements.push([start, index])
    start = index + 1
  }
  return [...elements, [start, text.length]]
}

function formatToken({ kind, text }: QueryToken): string {
  if (kind === 'quoted') return `the text ${quoteAndTruncate(text)}`
  return text === '' ? 'the end' : quoteAndTruncate(text)
}

function tokenAt(source: string, start: number, limit: number): QueryToken {
  // The text is the character after the part, for the message: `a.,b` lacks a name before the comma.
  if (start >= limit) return { kind: 'end', text: source.charAt(start), start, end: start }
  const character = source.charAt(start)
  if (character === ' ') throw new QuerySyntaxError({ position: start, expected: 'no blank here', found: 'a blank' })
  if (character === "'") return quotedAt(source, start, limit)
  if (PUNCTUATION.includes(character)) return { kind: 'punctuation', text: character, start, end: start + 1 }
  return textAt(source, start, limit)
}

/** Returns the start of a text up to the end of an argument of a function, or the text within quotes of another kind. */
function valueWithoutQuotes(text: string): string {
  const [argument = ''] = ARGUMENT.exec(text) ?? []
  return IN_OTHER_QUOTES.exec(text)?.[1] ?? argument
}

/** Suggests quotes for a value: a sentence with a space before it, or `''`. */
export function quotesHint(value: string | undefined, purpose = 'compare with'): string {
  return value === undefined
    ? ''
    : ` To ${purpose} a value, write it in quotes: ${quoteAndTruncate(value.replaceAll("'", "''"))}.`
}

function textAt(source: string, start: number, limit: number): QueryToken {
  TEXT.lastIndex = start
  TEXT.test(source)
  const end = Math.min(TEXT.lastIndex, limit)
  const text = source.slice(start, end)
  if (end < limit && source[end] === "'") {
    throw new QuerySyntaxError({
      position: end,
      expected: `no quote after ${quoteAndTruncate(text)}`,
      found: 'a quote',
      hint: isUnquotedOperand(source, start, limit) ? quotesHint(valueWithoutQuotes(source.slice(start, limit))) : '',
    })
  }
  return { kind: 'text', text, start, end }
}

/** Returns true for text with a quote in it that is a value without quotes: `"it's"`, or `O'Brien` as an operand. */
function isUnquotedOperand(source: string, start: number, limit: number): boolean {
  if (startsWithOtherQuote(source.slice(start, start + 1))) return true
  const isLaterOperand = source[start - 1] === ',' && source.lastIndexOf('(', start) > source.lastIndexOf(')', start)
  // Quotes around a value that a comma is missing before are even in number.
  return isLaterOperand && source.slice(start, limit).split("'").length % 2 === 0
}

/** Returns true for a text in quotes of another kind, as typesetting and other languages have them. */
export function startsWithOtherQuote(text: string): boolean {
  return OTHER_QUOTE.test(text)
}

function quotedAt(source: string, start: number, limit: number): QueryToken {
  let end = source.indexOf("'", start + 1)
  while (end !== -1 && source[end + 1] === "'") end = source.indexOf("'", end + 2)
  if (end === -1 || end >= limit) {
    const position = lastCharacter(source, limit)
    throw new QuerySyntaxError({ position, expected: 'a closing quote', found: 'the end' })
  }
  return { kind: 'quoted', text: source.slice(start + 1, end).replaceAll("''", "'"), start, end: end + 1 }
}

/** Returns the position of the last character, which may be a surrogate pair. */
function lastCharacter(source: string, end: number): number {
  return (source.codePointAt(end - 2) ?? 0) > 0xffff ? end - 2 : end - 1
}

const PUNCTUATION = '()[].,:-'
const ARGUMENT = /^[^,)]*/
const OTHER_QUOTE = /^["“”„‘’‚«»‹›`]/
/** A closing quote ends the argument: `’` is an apostrophe too. */
const IN_OTHER_QUOTES = /^["“”„‘’‚«»‹›`](.*?)["“”‘’«»‹›`](?=[,)]|$)/s
const TEXT = /[^()[\].,:' ]+/y
