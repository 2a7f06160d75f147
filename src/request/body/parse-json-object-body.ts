import { formatValueForError } from '../../document/format-value-for-error'
import { isJsonObject, type JsonObject } from '../../document/json'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'

/** Parses the body of a request as a JSON object with limited nesting. https://jsonapi.org/format/1.1/#document-structure */
export function parseJsonObjectBody(body: Uint8Array | undefined, maximumDepth: number): JsonObject {
  const text = readText(body)
  assertDepth(text, maximumDepth)
  const document = parseJson(text)
  if (isJsonObject(document)) return document
  throw createJsonApiError('document.shape', `Expected an object, found ${formatValueForError(document)}.`, {
    pointer: '',
  })
}

function readText(body: Uint8Array | undefined): string {
  if (body === undefined || body.length === 0) {
    throw createJsonApiError('document.missing', 'Expected a document, found no body.')
  }
  try {
    return UTF_8.decode(body)
  } catch {
    throw createJsonApiError('document.encoding', 'Expected UTF-8, found bytes that are not.')
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON. Finds the position of a syntax error itself, because messages of `JSON.parse` differ between versions and have no line.
 *
 * `{"a":}` -> `Expected a value, found '}' at line 1, column 6.`
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw syntaxErrorAt(text, skipSpace(text, skipValue(text, 0)), 'the end')
  }
}

/** Checks the nesting before parsing: a body of brackets alone would exhaust the stack. */
function assertDepth(text: string, maximumDepth: number): void {
  // Most bodies have few brackets, and a search for them is faster than a loop over all characters.
  if (hasAtMost(text, '{', maximumDepth / 2) && hasAtMost(text, '[', maximumDepth / 2)) return
  let depth = 0
  let isQuoted = false
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) offset += character === '\\' ? 1 : 0
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth <= maximumDepth) continue
    const detail = `Expected at most ${maximumDepth} levels of arrays and objects, found more at ${describePosition(text, offset)}.`
    throw createJsonApiError('document.shape', detail)
  }
}

function hasAtMost(text: string, character: string, count: number): boolean {
  let found = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    found++
    if (found > count) return false
  }
  return true
}

/** Describes a position: `line 2, column 5`. Both count from 1, columns in characters. */
function describePosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`
}

/** Value : Object | Array | String | Number | 'true' | 'false' | 'null' */
function skipValue(text: string, from: number): number {
  const offset = skipSpace(text, from)
  if (text[offset] === '{') return skipList(text, offset, { end: '}', skipElement: skipMember })
  if (text[offset] === '[') return skipList(text, offset, { end: ']', skipElement: skipValue })
  if (text[offset] === '"') return skipString(text, offset)
  return skipPattern(text, offset, SCALAR, 'a value')
}

interface List {
  readonly end: string
  readonly skipElement: (text: string, from: number) => number
}

/** List : ( '{' | '[' ) ( Element ( ',' Element )* )? ( '}' | ']' ) */
function skipList(text: string, open: number, { end, skipElement }: List): number {
  const first = skipSpace(text, open + 1)
  if (text[first] === end) return first + 1
  let offset = skipSpace(text, skipElement(text, first))
  while (text[offset] === ',') offset = skipSpace(text, skipElement(text, offset + 1))
  if (text[offset] === end) return offset + 1
  throw syntaxErrorAt(text, offset, `',' or '${end}'`)
}

/** Member : String ':' Value */
function skipMember(text: string, from: number): number {
  const name = skipSpace(text, from)
  if (text[name] !== '"') throw syntaxErrorAt(text, name, 'the name of a member in double quotes')
  const colon = skipSpace(text, skipString(text, name))
  if (text[colon] !== ':') throw syntaxErrorAt(text, colon, "':'")
  return skipValue(text, colon + 1)
}

/** String : '"' ( Character | Escape )* '"' */
function skipString(text: string, quote: number): number {
  let offset = quote + 1
  while (text[offset] !== '"') {
    const character = text[offset]
    if (character === undefined) throw syntaxErrorAt(text, offset, "'\"'")
    if (character < ' ') throw syntaxErrorAt(text, offset, 'an escape sequence for the control character')
    offset = character === '\\' ? skipPattern(text, offset, ESCAPE, 'an escape sequence') : offset + 1
  }
  return offset + 1
}

function skipPattern(text: string, offset: number, pattern: RegExp, expected: string): number {
  pattern.lastIndex = offset
  if (pattern.test(text)) return pattern.lastIndex
  throw syntaxErrorAt(text, offset, expected)
}

function skipSpace(text: string, from: number): number {
  let offset = from
  while (offset < text.length && ' \t\n\r'.includes(text.charAt(offset))) offset++
  return offset
}

function syntaxErrorAt(text: string, offset: number, expected: string): JsonApiError {
  const character = text.codePointAt(offset)
  const found = character === undefined ? 'the end' : `'${String.fromCodePoint(character)}'`
  const detail = `Expected ${expected}, found ${found} at ${describePosition(text, offset)}.`
  return createJsonApiError('document.syntax', detail)
}

const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
