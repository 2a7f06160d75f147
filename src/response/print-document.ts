import { type Document, joinLinks, type Link, type Links, type ResultObject } from '../document/document'
import type { JsonObject } from '../document/json'
import { join } from '../document/json-text'
import { type MediaTypeParameters, printMediaType } from '../document/media-type'

/** What stands at the top of every document of an exchange, whatever it is about. */
export interface TopLevel {
  /** Extensions and profiles that are applied. */
  readonly applied: MediaTypeParameters
  readonly links: Links | undefined
  /** Stands over what the document has itself. */
  readonly meta: JsonObject | undefined
}

/** The text of a document, in pieces. https://jsonapi.org/format/1.1/#document-top-level */
export function printDocument(document: Document, { applied, links, meta }: TopLevel): Generator<string> {
  const start = `{"jsonapi":${printJsonApi(applied)}${printLinks(joinLinks(document.links, links), applied)}`
  const joinedMeta = meta === undefined ? document.meta : { ...document.meta, ...meta }
  return inOrder(start, document, joinedMeta === undefined ? '}' : `,"meta":${JSON.stringify(joinedMeta)}}`)
}

function* inOrder(start: string, document: Document, end: string): Generator<string> {
  yield start
  if ('data' in document) {
    yield ',"data":'
    yield* document.data.pieces
    if (document.included !== undefined) {
      yield ',"included":'
      yield* document.included.pieces
    }
  } else if ('errors' in document) yield `,"errors":${JSON.stringify(document.errors)}`
  else if ('atomic:results' in document)
    yield `,"atomic:results":[${document['atomic:results'].map(printResult).join()}]`
  yield end
}

function printResult({ data, meta }: ResultObject): string {
  const members = [
    ...(data === undefined ? [] : [`"data":${join(data.pieces)}`]),
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

/** What is applied to a document is told by the type of the link to itself. An empty object is not written. */
function printLinks(links: Links | undefined, applied: MediaTypeParameters): string {
  if (links === undefined) return ''
  const { self } = links
  const isPlain = applied.extensions.length + applied.profiles.length === 0 || self === undefined
  const typed = isPlain ? links : { ...links, self: toLinkObject(self, printMediaType(applied)) }
  return Object.keys(typed).length === 0 ? '' : `,"links":${JSON.stringify(typed)}`
}

function toLinkObject(link: Link, type: string): Link {
  return typeof link === 'string' ? { href: link, type } : link
}
