import { formatValue } from '../../document/format-value'
import { isJsonObject, type JsonObject } from '../../document/json'
import { clientError, JsonApiError } from '../../errors/json-api-error'
import { describePosition, throwSyntaxError } from './json-syntax'

/** Reads the body of a request to a JSON object of limited nesting. https://jsonapi.org/format/1.1/#document-structure */
export function readDocument(body: Uint8Array | undefined, maximumDepth: number): JsonObject {
  const text = readText(body)
  assertDepth(text, maximumDepth)
  const document = readJson(text)
  if (isJsonObject(document)) return document
  throw new JsonApiError([
    clientError('document.shape', `Expected an object, found ${formatValue(document)}.`, { pointer: '' }),
  ])
}

function readText(body: Uint8Array | undefined): string {
  if (body === undefined || body.length === 0) {
    throw new JsonApiError([clientError('document.missing', 'Expected a document, found no body.')])
  }
  try {
    return UTF_8.decode(body)
  } catch {
    throw new JsonApiError([clientError('document.encoding', 'Expected UTF-8, found bytes that are not.')])
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return throwSyntaxError(text)
  }
}

/** Checks the nesting before parsing: a body of brackets alone would exhaust the stack. */
function assertDepth(text: string, maximumDepth: number): void {
  const offset = findTooDeep(text, maximumDepth)
  if (offset === undefined) return
  const detail = `Expected at most ${maximumDepth} levels of arrays and objects, found more at ${describePosition(text, offset)}.`
  throw new JsonApiError([clientError('document.shape', detail)])
}

function findTooDeep(text: string, maximumDepth: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) at += character === '\\' ? 1 : 0
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > maximumDepth) return at
  }
  return undefined
}
