import type { JsonObject } from '../document/json'
import { type JsonTextStream, joinJsonPiecesToText } from '../document/json-text-stream'
import { type MediaTypeParameters, printJsonApiMediaType } from '../document/media-type'
import {
  type AtomicResultObject,
  type DataDocument,
  type Link,
  type Links,
  mergeLinks,
  type ResponseDocument,
} from '../document/response-document'

/** The top-level members of a document that depend on the request. */
export interface TopLevelMembers {
  /** The applied extensions and profiles. */
  readonly applied: MediaTypeParameters
  readonly links: Links | undefined
  /** Merged into the `meta` of the document; these members take precedence. */
  readonly meta: JsonObject | undefined
}

/** The text of a document. */
export interface DocumentTextStream {
  readonly pieces: Generator<string>
  /** The asynchronous rest of the text. */
  readonly later: AsyncIterable<string> | undefined
}

/** Prints a document in pieces. https://jsonapi.org/format/1.1/#document-top-level */
export function printDocumentInPieces(
  document: ResponseDocument,
  { applied, links, meta }: TopLevelMembers,
): DocumentTextStream {
  const start = `{"jsonapi":${printJsonApi(applied)}${printLinks(mergeLinks(document.links, links), applied)}`
  const joinedMeta = meta === undefined ? document.meta : { ...document.meta, ...meta }
  const end = joinedMeta === undefined ? '}' : `,"meta":${JSON.stringify(joinedMeta)}}`
  if (!('data' in document)) return { pieces: yieldPieces([start, printRest(document), end]), later: undefined }
  const { data, included } = document
  if (data.later === undefined) return { pieces: printData(start, data, printEnd(included, end)), later: undefined }
  return { pieces: printData(start, data, []), later: streamPieces(data.later, printEnd(included, end)) }
}

function* yieldPieces(pieces: Iterable<string>): Generator<string> {
  yield* pieces
}

function* printData(start: string, { pieces }: JsonTextStream, end: Iterable<string>): Generator<string> {
  yield `${start},"data":`
  yield* pieces
  yield* end
}

function* printEnd(included: JsonTextStream | undefined, end: string): Generator<string> {
  if (included !== undefined) {
    yield ',"included":'
    yield* included.pieces
  }
  yield end
}

async function* streamPieces(later: AsyncIterable<string>, end: Iterable<string>): AsyncGenerator<string> {
  yield* later
  yield* end
}

function printRest(document: Exclude<ResponseDocument, DataDocument>): string {
  if ('errors' in document) return `,"errors":${JSON.stringify(document.errors)}`
  if ('atomic:results' in document) return `,"atomic:results":[${document['atomic:results'].map(printResult).join()}]`
  return ''
}

function printResult({ data, meta }: AtomicResultObject): string {
  const members = [
    ...(data === undefined ? [] : [`"data":${joinJsonPiecesToText(data.pieces)}`]),
    ...(meta === undefined ? [] : [`"meta":${JSON.stringify(meta)}`]),
  ]
  return `{${members.join()}}`
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function printJsonApi({ extensions, profiles }: MediaTypeParameters): string {
  const ext = extensions.length === 0 ? '' : `,"ext":${JSON.stringify(extensions)}`
  const profile = profiles.length === 0 ? '' : `,"profile":${JSON.stringify(profiles)}`
  return `{"version":"1.1"${ext}${profile}}`
}

/** Prints the member `links`. The `type` of `self` contains the applied extensions and profiles. An empty object is left out. */
function printLinks(links: Links | undefined, applied: MediaTypeParameters): string {
  if (links === undefined) return ''
  const { self } = links
  const isPlain = applied.extensions.length + applied.profiles.length === 0 || self === undefined
  const typed = isPlain ? links : { ...links, self: toLinkObject(self, printJsonApiMediaType(applied)) }
  return Object.keys(typed).length === 0 ? '' : `,"links":${JSON.stringify(typed)}`
}

function toLinkObject(link: Link, type: string): Link {
  return typeof link === 'string' ? { href: link, type } : link
}
